"""An answer run in this process: whatever it does is reported, and nothing gets out."""

from __future__ import annotations

import sys
import time
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import nn

from course_attention.execution.local import LocalRunner
from course_attention.execution.protocol import Array, Call, Step


def _x(*shape: int, dtype: str = "float32", strided: bool = False) -> Array:
    return Array(np.arange(1.0, 1.0 + np.prod(shape)).reshape(shape), dtype, strided)


def _run(answer, **kind):
    return LocalRunner(answer).observe(Call({"x": _x(2, 3)}, **kind))


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
@pytest.mark.parametrize("strided", [False, True])
def test_arrives_as_asked(dtype: str, strided: bool) -> None:
    """The tensor has the dtype, values and layout asked for."""
    seen = []
    outcome = LocalRunner(lambda x: seen.append(x) or x * 1).observe(
        Call({"x": _x(2, 3, dtype=dtype, strided=strided)})
    )
    assert str(seen[0].dtype) == f"torch.{dtype}" and seen[0].is_contiguous() is not strided
    assert outcome.results[0].dtype == dtype and (outcome.results[0].values == _x(2, 3).values).all()


def test_a_model_arrives_as_a_function() -> None:
    """It finds the next token of each row the most probable, and another one after any wrong token."""
    writes = np.array([[3, 0, 4], [2, 2, 1]])
    right = np.concatenate([[[1], [1]], writes[:, :-1]], axis=1)
    call = {"step": Step(Array(writes, "int64"), start_token=1, n_vocabulary=5)}

    def best(tokens: np.ndarray) -> np.ndarray:
        answer = LocalRunner(lambda step: step(torch.from_numpy(tokens)).argmax(dim=-1))
        return answer.observe(Call(call)).results[0].values

    assert (best(right) == writes).all() and (best(right[:, :2]) == writes[:, :2]).all()
    for place in range(3):
        wrong = right.copy()
        wrong[:, place] = (wrong[:, place] + 1) % 5
        assert (best(wrong)[:, :place] == writes[:, :place]).all()
        assert (best(wrong)[:, place:] != writes[:, place:]).all()


@pytest.mark.parametrize(
    ("tokens", "said"),
    [
        (torch.ones(3, 1).long(), "batch=2, n"),
        (torch.ones(2, 1), "got float32"),
        (torch.ones(2, 0).long(), "n at least 1"),
        (torch.full((2, 1), 5), "tokens 0 to 4; got 5 to 5"),
        (torch.ones(2, 4).long(), "token 4 of each row, which is beyond max_length"),
    ],
)
def test_a_model_says_what_it_takes(tokens: torch.Tensor, said: str) -> None:
    """The error of a wrong call names the rule, and what came."""
    step = Step(Array(np.zeros((2, 3), dtype=int), "int64"), start_token=1, n_vocabulary=5)
    raised = LocalRunner(lambda step: step(tokens)).observe(Call({"step": step})).error
    assert raised.type == "ValueError" and said in raised.message


@pytest.mark.parametrize(
    "error", [ValueError("no"), SystemExit(0), RecursionError("deep"), NotImplementedError(), StopIteration()]
)
def test_errors_are_reported(error: BaseException) -> None:
    """Whatever an answer raises is reported with the line it came from."""

    def answer(x):
        raise error

    raised = _run(answer).error
    assert (raised.type, raised.line) == (type(error).__name__, "raise error")
    assert raised.unwritten is isinstance(error, NotImplementedError)


def test_torch_says_not_implemented() -> None:
    """Only the answer's own NotImplementedError makes a stub, not one from a library it calls."""
    raised = _run(lambda x: nn.Module()(x)).error
    assert raised.type == "NotImplementedError" and not raised.unwritten


def test_exception_that_cannot_be_shown() -> None:
    """An exception whose text raises is reported all the same."""

    class Hostile(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    def answer(x):
        raise Hostile

    assert _run(answer).error.type == "Hostile"


def test_long_message() -> None:
    """An exception with a text of a megabyte is reported at once, and shortened."""

    def answer(x):
        raise ValueError("word " * 200_000)

    began = time.process_time()
    assert len(_run(answer).error.message) <= 400
    assert time.process_time() - began < 5


def test_changes_are_seen() -> None:
    """An argument written to is named; one that is only read is not."""
    assert _run(lambda x: x.mul_(2)).changed == ("x",)
    assert _run(lambda x: x.unsqueeze_(0)).changed == ("x",)
    assert _run(lambda x: x * 2).changed == ()
    assert LocalRunner(lambda x: np.sort(x), "numpy").observe(Call({"x": _x(3)})).changed == ()


def test_nan_input_is_not_a_change() -> None:
    """NumPy arguments are compared as they are before and after."""
    outcome = LocalRunner(lambda x: x.fill(0), "numpy").observe(Call({"x": _x(3)}))
    assert outcome.changed == ("x",)


def test_by_name_or_position() -> None:
    """Keyword-only names are met by name, other names by position."""

    def keyword_only(*, x):
        return x

    def renamed(scores):
        return scores

    assert _run(keyword_only).form == _run(renamed).form == "single"


def test_prints_go_nowhere(capsys: pytest.CaptureFixture[str]) -> None:
    """What an answer prints, and what it warns of, is not shown once for every case."""
    _run(lambda x: print("hello") or print("err", file=sys.stderr) or x)
    assert capsys.readouterr() == ("", "")


def test_gradients() -> None:
    """Gradients of Σ direction · result, for each floating argument; None where none arrives."""
    direction = (np.array([[1.0, 0, 0], [0, 0, 2]]),)
    assert (_run(lambda x: x**2, cotangents=direction).gradients["x"] == [[2, 0, 0], [0, 0, 24]]).all()
    assert _run(lambda x: (x**2).detach(), cotangents=direction).gradients == {"x": None}
    with torch.no_grad():
        assert _run(lambda x: x**2, cotangents=direction).gradients["x"] is not None
    bias = Array(np.zeros((2, 3)), "float32", wants_gradient=False)
    both = Call({"x": _x(2, 3), "bias": bias}, cotangents=direction)
    assert list(LocalRunner(lambda x, bias: x + bias).observe(both).gradients) == ["x"]


def test_results_of_any_kind() -> None:
    """A list, a dictionary, nothing, complex numbers: each is described."""
    assert _run(lambda x: [x, x]).form == "list"
    assert _run(lambda x: [{"x": x}]).results[0].kind == "dict"
    named = _run(lambda x: {"a": x, "b": 2.0})
    assert (named.form, named.names, named.results[1].values) == ("mapping", ("a", "b"), 2.0)
    assert _run(lambda x: None).form == "nothing"
    assert _run(lambda x: x.to(torch.complex64)).results[0].values is None
    assert _run(lambda x: x > 1).results[0].values.dtype == bool


def test_stub_and_forgotten_return() -> None:
    """A function that does nothing is a stub; one that computes and returns nothing is not."""

    def stub(x):
        """Not written yet."""

    def forgot(x):
        y = x + 1  # noqa: F841 - the mistake under test

    assert _run(stub).is_stub and not _run(forgot).is_stub


def test_endless_loop_is_no_stub() -> None:
    """A loop that never ends reads nothing and returns nothing; it is an attempt all the same."""

    def endless(x):
        while True:
            pass

    assert not LocalRunner(endless)._stub


class Affine(nn.Module):
    """x W + b, with a buffer."""

    def __init__(self, d_in: int) -> None:
        super().__init__()
        self.linear = nn.Linear(d_in, 2, bias=False)
        self.register_buffer("shift", torch.ones(2))

    def forward(self, x):
        return self.linear(x) + self.shift


MODULE = {"settings": {"d_in": 3}, "weights": {"linear.weight": _x(2, 3), "shift": _x(2)}}


def test_module() -> None:
    """A module class is constructed, given its weights, called, and differentiated by them."""
    outcome = LocalRunner(Affine).observe(Call({"x": _x(1, 3)}, cotangents=(np.ones((1, 2)),), **MODULE))
    assert (outcome.results[0].values == [[1 + 4 + 9 + 1, 4 + 10 + 18 + 2]]).all()
    assert (outcome.gradients["linear.weight"] == [[1, 2, 3], [1, 2, 3]]).all()
    assert (outcome.gradients["x"] == [[5, 7, 9]]).all()


def test_module_stages() -> None:
    """An error says whether it came from the constructor, the weights or the call."""
    wrong = {**MODULE, "weights": {"w": _x(2, 3)}}
    loading = LocalRunner(Affine).observe(Call({"x": _x(1, 3)}, **wrong)).error
    assert loading.stage == "load" and "Missing key(s)" in loading.message and '"w"' in loading.message
    two = LocalRunner(Affine).observe(Call({"x": _x(1, 3)}, settings={"d_in": 3, "d_out": 3}))
    assert two.error.stage == "construct"
    assert LocalRunner(Affine).observe(Call({"x": _x(1, 7)}, **MODULE)).error.stage == "call"


def test_module_on_simulated_cuda() -> None:
    """Parameters and buffers are there too; a tensor made in forward on the CPU is found."""

    class Forgets(Affine):
        def forward(self, x):
            return super().forward(x) + torch.ones(2)

    call = Call({"x": _x(1, 3)}, device="simulated-cuda", **MODULE)
    assert LocalRunner(Affine).observe(call).results[0].device == "cuda"
    assert LocalRunner(Forgets).observe(call).error.device_mismatch


def test_names_and_order() -> None:
    """Names of one's own are called by position; so are the names asked for, in another order, as the notebook does."""
    call = Call({"x": _x(1, 3), "y": None})
    assert (LocalRunner(lambda a, b: a).observe(call).results[0].values == [[1, 2, 3]]).all()
    assert LocalRunner(lambda y, x: x).observe(call).form == "nothing"
    assert LocalRunner(lambda x, *, y: x).observe(call).form == "single"

    class Renamed(nn.Module):
        def __init__(self, size):
            super().__init__()
            self.linear = nn.Linear(size, 2, bias=False)

        def forward(self, tokens, *, y=None):
            return self.linear(tokens)

    module = {"settings": {"d_in": 3}, "weights": {"linear.weight": _x(2, 3)}}
    assert LocalRunner(Renamed).observe(Call({"tokens": _x(1, 3), "y": None}, **module)).error is None


def test_module_once_more() -> None:
    """A module that gives something else in evaluation mode, or at the second call, is not steady."""

    class Louder(Affine):
        def forward(self, x):
            return super().forward(x) * (1 if self.training else 2)

    class Drifts(Affine):
        def forward(self, x):
            result = super().forward(x)
            self.shift.data += 1
            return result

    call = Call({"x": _x(1, 3)}, **MODULE, again=True)
    steady = [LocalRunner(answer).observe(call).steady for answer in (Affine, Louder, Drifts)]
    assert steady == [True, False, False]


def test_module_after_another_call() -> None:
    """Where a call with other arguments comes before, what the module kept of it shows in the outcome."""

    class Keeps(Affine):
        kept = None

        def forward(self, x):
            self.kept = super().forward(x) if self.kept is None else self.kept
            return self.kept

    alone = Call({"x": _x(1, 3)}, **MODULE)
    after = replace(alone, before={"x": _x(2, 3)})
    for answer, shape in ((Affine, (1, 2)), (Keeps, (2, 2))):
        assert LocalRunner(answer).observe(alone).results[0].shape == (1, 2)
        assert LocalRunner(answer).observe(after).results[0].shape == shape


def test_module_stub() -> None:
    """A class whose forward does nothing is a stub, whatever it builds."""

    class Empty(Affine):
        def forward(self, x): ...

    assert LocalRunner(Empty).observe(Call({"x": _x(1, 3)}, **MODULE)).is_stub


def test_gradients_on_simulated_cuda() -> None:
    """An answer that takes gradients itself gets them on the simulated GPU."""

    def differentiates(x):
        with torch.enable_grad():
            y = x.detach().clone().requires_grad_()
            z = (y * y).sum(-1)
        return z

    outcome = LocalRunner(differentiates).observe(Call({"x": _x(1, 3)}, device="simulated-cuda"))
    assert outcome.results[0].device == "cuda"
