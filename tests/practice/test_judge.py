"""The judge of practice: what stands in the way of an answer, and what a card says of it."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.judge import judge
from course_attention.practice.leaves import differences
from course_attention.presentation.card import verdict_card


def doubled(x):
    """Return the double."""
    return 2 * x


def trials(generator, *, scale=None):
    """Yield one trial."""
    yield Trial("one number", {"x": torch.tensor([1.5])}, torch.tensor([3.0]), says="Twice 1.5 is 3.")
    yield Trial("drawn numbers", {"x": torch.randn(3, generator=generator)})


TASK = Practice(
    name="doubled",
    prompt="The double.",
    minutes=1,
    hints=("Twice.", "Times 2."),
    given=doubled,
    trials=trials,
    returns=("double",),
    misconceptions={"squared": Misconception("Squared, not doubled", "2x is not x².", (lambda x: x**2,))},
)


def of(answer, task=TASK):
    return judge(task, answer, 0, "cpu", {"scale": 1})


@pytest.mark.parametrize("answer", [None, ..., lambda x: None])
def test_not_attempted(answer):
    """A stub is no attempt, and its card says what is asked."""
    verdict = of(answer)
    assert verdict.status == "not_attempted"
    assert "The double." in verdict_card(verdict, TASK.prompt).text


def test_passed():
    """A right answer passes; it is worth no points, and its card says so."""
    verdict = of(lambda x: x + x)
    assert (verdict.status, verdict.points) == ("passed", 0.0)
    assert "✓ passed   doubled   practice" in verdict_card(verdict).text


def test_named():
    """A misconception is named where one variant gives the same in every trial."""
    verdict = of(lambda x: x * x)
    assert verdict.misconception == "squared"
    assert verdict.example.title == "one number"


def test_unnamed():
    """Another wrong answer gets the smallest trial, with the numbers and the sentence of the trial."""
    card = verdict_card(of(lambda x: x + 1)).text
    assert "Twice 1.5 is 3." in card and "Smallest case: one number" in card and "expected 3.0" in card


def test_shape_comes_first():
    """Where the shape is wrong, the numbers are not looked at."""
    verdict = of(lambda x: 2 * x[:, None])
    assert verdict.example.note == "double should have shape (1,); got (1, 1)"


def test_nothing_returned():
    """A forgotten return is told as such, in an answer that is no stub."""

    def forgotten(x):
        x * 2

    assert of(forgotten).idea == "Nothing is returned"


def test_error():
    """An error is shown with the answer's own line."""

    def wrong(x):
        return x @ torch.ones(7)

    verdict = of(wrong)
    assert verdict.status == "errored"
    assert "return x @ torch.ones(7)" in verdict.explanation


def test_error_of_a_misconception():
    """An answer that raises is named where a variant raises the same error, and not where it raises another."""

    def same_trials(generator):
        yield Trial("three numbers", {"x": torch.ones(3)}, torch.ones(3))

    def flat(x):
        return x @ torch.ones(7)

    idea = Misconception("Seven numbers are expected", "There are three.", (flat,))
    task = Practice(
        name="same",
        prompt="",
        minutes=1,
        hints=(),
        given=lambda x: x,
        trials=same_trials,
        misconceptions={"seven": idea},
    )
    assert of(lambda x: x @ torch.ones(7), task).misconception == "seven"
    assert of(lambda x: x.nonsense, task).misconception is None


def test_input_changed():
    """A right result that overwrites its input is refused, but for an argument that is to be changed."""

    def in_place(x):
        return x.mul_(2)

    assert of(in_place).misconception == "input-changed"

    def allowed(generator):
        yield Trial("one", {"x": torch.ones(1)}, torch.full((1,), 2.0), changes=("x",))

    task = Practice(name="doubled", prompt="", minutes=1, hints=(), given=doubled, trials=allowed)
    assert of(in_place, task).status == "passed"


def test_fresh_arguments():
    """A model that one call has changed is as it was in the next."""
    model = nn.Linear(1, 1, bias=False)
    nn.init.ones_(model.weight)

    def step(model):
        model.weight.data += 1
        return model.weight.item()

    def of_model(generator):
        for _ in range(2):
            yield Trial("a model", {"model": model}, 2.0, changes=("model",))

    task = Practice(name="step", prompt="", minutes=1, hints=(), given=step, trials=of_model)
    assert of(step, task).status == "passed" and model.weight.item() == 1.0


def test_not_callable():
    """A number in place of a function is told."""
    assert "should be a function" in of(3.0).idea


def test_trial_cannot_go_on():
    """Where the trial's own code meets what it cannot use, the answer's line is not made up."""

    def made(generator):
        yield Trial("made", {}, 3, run=lambda answer: answer() + 1)

    task = Practice(name="two", prompt="", minutes=1, hints=(), given=lambda: 2, trials=made)
    answer = eval(compile("lambda: 'two'", "<cell>", "eval"))
    assert of(answer, task).idea.startswith("What `two` gives cannot be used")


def test_needs():
    """Keyword-only parameters of the trials are what they need of the notebook."""
    assert TASK.needs == ("scale",)


@pytest.mark.parametrize(
    ("expected", "received", "note"),
    [
        ({"a": 1}, {"b": 1}, "the keys of result should be a; got b"),
        ([1, 2], torch.ones(2), "result should be [1, 2]; got a Tensor of shape (2,)"),
        (
            torch.ones(2, dtype=torch.int64),
            torch.ones(2),
            "result should hold whole numbers; got torch.float32",
        ),
        ("yes", "no", "result should be 'yes'; got 'no'"),
        (1.0, "one", "result should be a number; got a str"),
        ((1, 2), 1, "result should be (1, 2); got an int"),
    ],
)
def test_differences(expected, received, note):
    """What is of another kind is told in words."""
    assert [one.note for one in differences(expected, received)] == [note]


def test_same():
    """Nested results are compared leaf by leaf, to a few roundings; NaN is met by NaN."""
    one = ([torch.tensor([1.0, float("nan")]), np.ones(2)], {"a": True, "b": None}, "text")
    other = ((torch.tensor([1.0 + 1e-6, float("nan")]), np.ones(2)), {"a": True, "b": None}, "text")
    assert differences(one, other) == []
    assert differences(torch.tensor(1.0), 1.0) == []
    assert len(differences(torch.ones(2), torch.ones(2) + 1e-3)) == 1
