"""The judge never raises, names the idea, gives partial credit, and shows the smallest case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from course_attention.answer_corpus.answer_value import value_of
from course_attention.exercises import CATALOGUE
from course_attention.judging import judge, properties
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import FunctionExercise
from course_attention.presentation.verdict_text import verdict_text
from tests.answer_objects import of_kind


def right(x, weight):
    return x * weight


@pytest.fixture
def total(weighted: FunctionExercise) -> FunctionExercise:
    """Return the sum of x, in double precision."""
    return replace(
        weighted,
        oracle=lambda x: x.sum(),
        cases=lambda draw: [Case("two numbers", properties.VALUES, {"x": draw.halves(2)})],
        noise=None,
        misconceptions={},
    )


def test_right(weighted: FunctionExercise) -> None:
    """A right answer passes whole."""
    verdict = judge(weighted, right)
    assert (verdict.status, verdict.score, verdict.earned) == ("passed", 1.0, 2.0)
    assert all(held for _, held in verdict.properties)


def test_named(weighted: FunctionExercise) -> None:
    """A wrong computation is named, with its explanation and the smallest case."""
    verdict = judge(weighted, lambda x, weight: x + weight)
    assert (verdict.status, verdict.misconception, verdict.idea) == ("failed", "added", "It is added")
    example = verdict.example
    assert example.title == "two numbers" and example.expected[example.where] != example.received[example.where]
    assert "It is added" in verdict.message


def test_named_by_the_square_case(weighted: FunctionExercise) -> None:
    """A mistake that raises an error where sizes differ is named by the case in which they do not."""
    verdict = judge(weighted, lambda x, weight: x.mT * weight if x.ndim == 2 else x * weight)
    assert (verdict.status, verdict.misconception) == ("failed", "transposed")


def test_raised(weighted: FunctionExercise) -> None:
    """An error is shown as an error, never as an idea."""

    def answer(x, weight):
        raise KeyError("weight")

    verdict = judge(weighted, answer)
    assert (verdict.status, verdict.misconception, verdict.score) == ("errored", None, 0.0)
    assert "KeyError" in verdict.idea and 'raise KeyError("weight")' in verdict.explanation


def test_partly_raised(weighted: FunctionExercise) -> None:
    """An answer that raises in some cases keeps the credit for the others."""

    def answer(x, weight):
        assert x.ndim == 1, "one axis only"
        return x * weight

    verdict = judge(weighted, answer)
    assert verdict.status == "errored" and 0 < verdict.score < 1
    assert dict(verdict.properties)["values"] and not dict(verdict.properties)["leading dimensions"]


def test_credit_grows(weighted: FunctionExercise) -> None:
    """More that holds is more credit: a constant earns less than an answer that misses only its dtype."""
    constant = judge(weighted, lambda x, weight: torch.zeros_like(x))
    no_dtype = judge(weighted, lambda x, weight: (x * weight).float())
    assert 0 <= constant.score < no_dtype.score < 1
    assert dict(constant.properties)["gradients"] is None and dict(no_dtype.properties)["gradients"] is True


def refuses_cuda(x, weight):
    if x.is_cuda:
        raise ValueError("no GPU, please")
    return x * weight


def says_cuda(x, weight):
    class There(torch.Tensor):
        device = torch.device("cuda", 0)

    return (x.detach().cpu() * weight.cpu()).as_subclass(There) if x.is_cuda else x * weight


@pytest.mark.parametrize(
    ("answer", "misconception"),
    [
        (lambda x, weight: x.mul_(weight), "input-changed"),
        (lambda x, weight: (x * weight).detach(), "detached"),
        (lambda x, weight: x * weight.detach(), "detached"),
        (lambda x, weight: torch.from_numpy(x.detach().numpy() * weight.detach().numpy()), "detached"),
        (lambda x, weight: (x * weight).double(), "wrong-dtype"),
        (lambda x, weight: x * weight + torch.zeros(2), "wrong-device"),
        (lambda x, weight: x * weight + 0 * float(x.detach().numpy()[..., :1].sum()), "wrong-device"),
        (lambda x, weight: x * weight + 0 * float(np.exp(x.detach()).max()), "wrong-device"),
        (lambda x, weight: x * 0 if x.is_cuda else x * weight, "wrong-device"),
        (lambda x, weight: x * weight / (0 if x.is_cuda and 1 // 0 else 1), "wrong-device"),
        (refuses_cuda, "wrong-device"),
        (says_cuda, "wrong-device"),
    ],
)
def test_what_every_answer_is_looked_at_for(weighted: FunctionExercise, answer, misconception: str) -> None:
    """Right numbers are not all: inputs stay, gradients flow, dtype and device are kept."""
    verdict = judge(weighted, answer)
    assert (verdict.status, verdict.misconception) == ("failed", misconception)


def test_huge_numbers(weighted: FunctionExercise) -> None:
    """A wrong computation whose numbers are huge is named where it is made, and explains no other answer."""
    raised = replace(
        weighted,
        misconceptions={"raised": (lambda x, weight: np.exp(500 + x * weight),)},
        words={"raised": ("It is raised", "A product is asked for.")},
    )
    assert judge(raised, lambda x, weight: torch.exp(500 + x * weight)).misconception == "raised"
    for answer in (lambda x, weight: x * weight + 1, lambda x, weight: 1e9 * x * weight):
        assert judge(raised, answer).idea == "The numbers are not right"


@pytest.mark.parametrize("dtype", ["Half", "BFloat16"])
def test_an_error_earns_nothing(weighted: FunctionExercise, dtype: str) -> None:
    """That torch lacks a function for half precision excuses no answer that says so whatever it is given."""

    def failing() -> None:
        raise RuntimeError(f"\"f\" not implemented for '{dtype}'")

    verdict = judge(weighted, lambda x, weight: failing())
    assert (verdict.status, verdict.score) == ("errored", 0.0)


def test_axes_that_an_answer_takes_excuse_nothing(weighted: FunctionExercise) -> None:
    """An error about axes is one of leading dimensions only where the answer takes no other case with these axes."""

    def answer(x, weight):
        if x.dtype == torch.float32:
            _, _, _ = x.shape
        return x * weight

    held = dict(judge(weighted, answer).properties)
    assert (held["leading dimensions"], held["dtypes"]) == (True, False)


def test_what_torch_lacks_costs_nothing(weighted: FunctionExercise) -> None:
    """In half precision an answer may call what torch has for no CPU."""

    def answer(x, weight):
        torch.cdist(x.reshape(1, -1), x.reshape(1, -1))
        return x * weight

    assert judge(weighted, answer).status == "passed"


def test_wrong_gradient(weighted: FunctionExercise) -> None:
    """A gradient that is there but wrong is a broken property, not a cut graph."""
    verdict = judge(weighted, lambda x, weight: x * weight + x - x.detach())
    assert (verdict.misconception, verdict.idea) == (None, "The gradient is not right")
    assert verdict.example.part == "gradient of x"


@pytest.mark.parametrize(
    ("answer", "idea"),
    [
        (lambda x, weight: (x * weight, x), "Something else is returned than asked for"),
        (lambda x, weight: (x * weight,), "Something else is returned than asked for"),
        (lambda x, weight: {"output": x}, "Something else is returned than asked for"),
        (lambda x, weight: "x", "A result has another type than asked for"),
        (lambda x, weight: (x * weight).unsqueeze(0), "The shape is wrong"),
        (lambda x, weight: x * weight * float("nan"), "The result holds NaN"),
        (lambda x, weight: x * weight * 1.005, "The numbers are not right"),
        (
            lambda x, weight: (x.float() * weight.float()).to(x),
            "The numbers are right to the precision of float32 only",
        ),
    ],
)
def test_broken_property(weighted: FunctionExercise, answer, idea: str) -> None:
    """Where no idea explains an answer, the property that does not hold is named."""
    verdict = judge(weighted, answer)
    assert (verdict.status, verdict.misconception, verdict.idea) == ("failed", None, idea)


def test_rounded_to_float32(weighted: FunctionExercise) -> None:
    """Numbers that were rounded to float32 on the way cost about what another dtype costs, and are seen to differ."""
    rounded = judge(weighted, lambda x, weight: (x.float() * weight.float()).to(x))
    assert 0.9 < rounded.score < 1 and dict(rounded.properties)["dtype"] is False
    expected, received = (getattr(rounded.example, of)[rounded.example.where] for of in ("expected", "received"))
    assert expected != received and expected == pytest.approx(received)


def test_rounded_and_wrong(weighted: FunctionExercise) -> None:
    """What else is wrong is looked for as if the numbers had not been rounded."""
    verdict = judge(weighted, lambda x, weight: (x.float() + weight.float() / 3 * 3).to(x))
    assert verdict.misconception == "added"

    def answer(x, weight):
        if x.dtype != torch.float64:
            raise ValueError("no other dtype")
        return (x.float() * weight.float()).to(x)

    verdict = judge(weighted, answer)
    assert verdict.idea == "The numbers are right to the precision of float32 only"
    assert "Besides, for float32 it raises ValueError: no other dtype." in verdict.explanation

    def another(x, weight):
        return (x.float() * weight.float()).to(x) * (1 + (x.dim() > 1))

    verdict = judge(weighted, another)
    assert verdict.idea.startswith("It does not hold for every number of leading dimensions")
    assert dict(verdict.properties)["values"] is True


def test_gradient_of_nan(weighted: FunctionExercise) -> None:
    """NaN that is replaced in the numbers and flows back is told as such."""

    def answer(x, weight):
        return (x * weight / (x - x)).nan_to_num(0.0, 0.0, 0.0) * 0 + x * weight

    verdict = judge(weighted, answer)
    assert verdict.idea == "The gradient is NaN" and "`masked_fill`" in verdict.explanation


def test_nan_in_one_property(weighted: FunctionExercise) -> None:
    """Where NaN comes in the cases of one property alone, that property is told as well."""
    verdict = judge(weighted, lambda x, weight: x * weight * (1 if x.dim() == 1 else float("nan")))
    assert verdict.idea == "The result holds NaN"
    assert "every number of leading dimensions" in verdict.explanation


def test_other_numbers_each_time(linear: FunctionExercise) -> None:
    """A module with dropout is told that, and not that its numbers are wrong."""

    class WithDropout(nn.Module):
        def __init__(self, d_in: int, d_out: int) -> None:
            super().__init__()
            self.linear = nn.Linear(d_in, d_out, bias=False)

        def forward(self, x):
            return nn.functional.dropout(self.linear(x) + 1, 0.5, self.training)

    verdict = judge(linear, WithDropout)
    assert verdict.idea == "The module does not give the same twice"


class Kept(nn.Module):
    """Right in its first call. `of` says what is made of the first tokens and used from then on."""

    of = staticmethod(lambda x: 0.0)

    def __init__(self, d_in: int, d_out: int) -> None:
        super().__init__()
        self.linear = nn.Linear(d_in, d_out, bias=False)
        self.kept = None

    def forward(self, x):
        self.kept = type(self).of(x) if self.kept is None else self.kept
        return self.linear(x) + self.kept - type(self).of(x)


def test_something_kept_from_the_first_call(linear: FunctionExercise) -> None:
    """A module that is right alone and not after a call with other tokens is told so; one that keeps nothing passes."""
    draw = Draw(0)
    weight = {"linear.weight": draw.halves(2, 3)}
    settings = {"d_in": 3, "d_out": 2}
    cases = [
        Case(f"{n} tokens", properties.VALUES, {"x": draw.halves(n, 3)}, settings=settings, weights=weight)
        for n in (1, 2, 3)
    ]
    exercise = replace(linear, cases=lambda draw: cases, misconceptions={})

    class OfTheNumbers(Kept):
        of = staticmethod(lambda x: x.sum())

    class OfTheShape(Kept):
        of = staticmethod(lambda x: x.new_zeros(len(x), 1))

    verdicts = [judge(exercise, answer) for answer in (Kept, OfTheNumbers, OfTheShape)]
    assert [verdict.status for verdict in verdicts] == ["passed", "failed", "failed"]
    assert {verdict.idea for verdict in verdicts[1:]} == {"The module keeps something from one call for the next"}
    assert "after a call with the tokens of another case (1 tokens), it gives" in verdicts[1].example.note
    assert "it raises RuntimeError" in verdicts[2].example.note
    assert dict(verdicts[1].properties)["evaluation mode"] is False


def test_a_shape_that_broadcasts_is_wrong(weighted: FunctionExercise) -> None:
    """A result that would broadcast to the right one is not the right one."""
    assert judge(weighted, lambda x, weight: (x * weight)[None]).status == "failed"


def test_forgotten_return(weighted: FunctionExercise) -> None:
    """An answer that computes and returns nothing is told so; it is an attempt."""

    def answer(x, weight):
        _ = x * weight

    verdict = judge(weighted, answer)
    assert verdict.status == "failed" and "returned None" in verdict.example.note


def test_a_number_of_a_nameless_type(total: FunctionExercise) -> None:
    """A number in the place of a tensor is told as one, whatever its type is called."""
    nameless = type("", (float,), {})
    verdict = judge(total, lambda x: nameless(x.sum()))
    assert verdict.status == "failed" and "should be a tensor; got a number" in verdict.example.note


@pytest.mark.parametrize("answer", [3, "x * weight", np.ones(3), object()])
def test_not_a_function(weighted: FunctionExercise, answer: object) -> None:
    """Something that cannot be called is told by its type."""
    verdict = judge(weighted, answer)
    assert verdict.status == "failed" and type(answer).__name__ in verdict.message


def test_same_seed_same_verdict(weighted: FunctionExercise) -> None:
    """The seed decides the cases, and so the whole verdict."""
    first, again = (judge(weighted, lambda x, weight: x + weight, seed=3) for _ in range(2))
    other = judge(weighted, lambda x, weight: x + weight, seed=4)
    assert verdict_text(first) == verdict_text(again) != verdict_text(other)


def test_device_is_checked(weighted: FunctionExercise) -> None:
    """An unknown device is the caller's mistake, and raised."""
    with pytest.raises(ValueError, match="device must be 'cpu' or 'cuda'; got 'gpu'"):
        judge(weighted, right, device="gpu")


@pytest.mark.skipif(torch.cuda.is_available(), reason="tells of a machine without CUDA")
def test_cuda_missing(weighted: FunctionExercise) -> None:
    """CUDA asked for where there is none is the caller's mistake too."""
    with pytest.raises(ValueError, match="no CUDA"):
        judge(weighted, right, device="cuda")


class Right(nn.Module):
    """As the exercise asks."""

    def __init__(self, d_in: int, d_out: int) -> None:
        super().__init__()
        self.linear = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        return self.linear(x)


def test_module(linear: FunctionExercise) -> None:
    """A module class is judged like a function: values, gradients of its weights, a simulated GPU."""

    class Doubled(Right):
        def forward(self, x):
            return 2 * super().forward(x)

    class Detached(Right):
        def forward(self, x):
            return x @ self.linear.weight.detach().mT

    class OnCpu(Right):
        def forward(self, x):
            return super().forward(x) + torch.zeros(2)

    assert judge(linear, Right).status == "passed"
    assert [judge(linear, answer).misconception for answer in (Doubled, Detached, OnCpu)] == [
        "doubled",
        "detached",
        "wrong-device",
    ]


def test_module_stub_and_names(linear: FunctionExercise) -> None:
    """A stub class is not attempted; weights under other names are an error that says so."""

    class Stub(nn.Module):
        def __init__(self, d_in, d_out):
            raise NotImplementedError

    class OtherName(nn.Module):
        def __init__(self, d_in, d_out):
            super().__init__()
            self.layer = nn.Linear(d_in, d_out, bias=False)

    assert judge(linear, Stub).status == "not_attempted"
    verdict = judge(linear, OtherName)
    assert verdict.status == "errored" and "while its weights were loaded" in verdict.idea
    assert "linear.weight (2, 3)" in verdict.explanation


def test_made_of_numbers(diagonal: FunctionExercise) -> None:
    """What takes no tensor is on the CPU, and only its numbers, shape and dtype are looked at."""
    assert diagonal.misconception_ids == ("upper", "wrong-dtype")
    verdict = judge(diagonal, lambda n: torch.eye(n, dtype=torch.bool))
    assert verdict.status == "passed" and dict(verdict.properties).keys() == {"shape", "values", "dtype"}
    assert judge(diagonal, lambda n: torch.ones(n, n).triu().bool()).misconception == "upper"
    verdict = judge(diagonal, lambda n: torch.eye(n))
    assert verdict.misconception == "wrong-dtype" and "should be bool; got float32" in verdict.example.note


def test_mapping(halves: FunctionExercise) -> None:
    """A module goes in and a dict comes out, its keys in any order; whoever changes the module is told."""

    def answer(module):
        top, bottom = module.out_proj.weight.chunk(2)
        return {"bottom": bottom, "top": top}

    def swapped(module):
        top, bottom = module.out_proj.weight.chunk(2)
        return {"bottom": top, "top": bottom}

    def changes(module):
        with torch.no_grad():
            module.out_proj.weight.zero_()
        return answer(module)

    def on_cpu(module):
        return {name: torch.zeros_like(w, device="cpu") + w.cpu() for name, w in answer(module).items()}

    assert judge(halves, answer).status == "passed"
    assert judge(halves, swapped).misconception == "swapped"
    assert judge(halves, changes).misconception == "input-changed"
    assert judge(halves, on_cpu).misconception == "wrong-device"


@pytest.mark.parametrize(
    ("returned", "note"),
    [
        (lambda top, bottom: (top, bottom), "a dict should be returned, with the keys top, bottom"),
        (lambda top, bottom: {"top": top}, "the keys should be top, bottom; got top"),
    ],
)
def test_mapping_of_another_form(halves: FunctionExercise, returned: Callable, note: str) -> None:
    """A tuple for a dict, or a key that is missing, is refused in words; the case shows the module's weights."""
    verdict = judge(halves, lambda module: returned(*module.out_proj.weight.chunk(2)))
    assert verdict.status == "failed" and verdict.misconception is None
    assert note in verdict.example.note and "module.out_proj.weight" in verdict.example.inputs


def test_module_is_a_class(linear: FunctionExercise) -> None:
    """An instance, or a function, in the place of a class is told apart from one that fails."""
    for answer in (Right(3, 2), lambda x: x):
        verdict = judge(linear, answer)
        assert verdict.status == "failed" and "should be a module class" in verdict.message


def test_module_gives_the_same_twice(linear: FunctionExercise) -> None:
    """A module that is right in training alone fails, and is told why."""

    class Louder(Right):
        def forward(self, x):
            return super().forward(x) * (1 if self.training else 2)

    verdict = judge(linear, Louder)
    assert verdict.status == "failed" and "evaluation mode" in verdict.message
    assert dict(verdict.properties)["evaluation mode"] is False


def test_booleans_are_shown_as_such(diagonal: FunctionExercise) -> None:
    """Where a mask is asked for, True and False are shown, not 1 and 0."""
    example = judge(diagonal, lambda n: torch.ones(n, n).triu().bool()).example
    assert example.expected.tolist() == [[True, False], [False, True]] and example.expected.dtype == bool
    assert example.received[example.where] is np.True_


def test_any_order_of_results_is_told() -> None:
    """Three results in another order, reversed or turned by one, are said to be in another order."""
    right = value_of(of_kind("attention_backward", "right")[0])
    for order in ((2, 1, 0), (2, 0, 1), (1, 0, 2)):

        def exchanged(*arguments: object, order=order, **named: object) -> tuple:
            results = right(*arguments, **named)
            return tuple(results[n] for n in order)

        verdict = CATALOGUE["attention_backward"].judge(exchanged)
        assert verdict.idea == "The results come in another order", order
