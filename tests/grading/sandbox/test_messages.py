"""Calls and outcomes survive the channel; a forged outcome does not."""

from __future__ import annotations

import copy
import socket
import threading
from dataclasses import replace

import numpy as np
import pytest

from course_attention.execution.protocol import (
    Array,
    Call,
    GivenFunction,
    Outcome,
    Raised,
    Result,
    Step,
    TorchAttention,
)
from course_attention.exercises import CATALOGUE
from course_attention.grading.sandbox.channel import Channel
from course_attention.grading.sandbox.messages import (
    call_from_plain,
    call_to_plain,
    outcome_from_plain,
    outcome_to_plain,
)
from course_attention.grading.sandbox.remote_runner import Clock, RemoteRunner
from course_attention.judging.drawn_cases import drawn_cases

X = Array(np.arange(3.0), "float32", strided=True)
CALL = Call(
    {
        "x": X,
        "bias": Array(np.array([0.0, -np.inf]), "float64", wants_gradient=False),
        "pair": (X, X),
        "module": TorchAttention(4, 2, {"w": X}),
        "step": Step(Array(np.arange(6).reshape(2, 3), "int64"), start_token=1, n_vocabulary=7),
        "function": GivenFunction("def f(x):\n    return x", "f"),
        "n": 3,
        "none": None,
    },
    device="simulated-cuda",
    cotangents=(np.ones(2),),
    settings={"d_model": 4},
    weights={"w.weight": X},
    again=True,
    before={"x": X, "pair": (X, X)},
    measure=True,
)
OUTCOME = Outcome(
    results=(
        Result("tensor", "float32", "cpu", (2,), np.ones(2)),
        Result("tensor", "float32", "cuda", (2,), None),
    ),
    form="tuple",
    error=Raised("ValueError", "no", "x = 1", "load", device_mismatch=True),
    arguments={
        "x": Result("tensor", "bfloat16", "cpu", (2,), np.array([1.0, -0.5])),
        "pair[0]": Result("tensor", "int32", "cpu", (1, 2), np.array([[3, -4]])),
        "mask": Result("tensor", "bool", "cpu", (2,), np.array([True, False])),
    },
    gradients={"x": np.zeros(2), "y": None},
    names=("a", "b"),
    groups=(0, 2),
    largest=12,
    steady=False,
    is_stub=True,
)


def same(a: object, b: object) -> bool:
    """Equality that looks into arrays and dataclasses."""
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and a.dtype == b.dtype and np.array_equal(a, b)
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(same(a[n], b[n]) for n in a)
    if hasattr(a, "__dataclass_fields__"):
        return type(a) is type(b) and all(same(getattr(a, n), getattr(b, n)) for n in a.__dataclass_fields__)
    return a == b


def test_call_survives() -> None:
    """Every kind of argument comes out as it went in."""
    assert same(call_from_plain(call_to_plain(CALL)), CALL)


def test_every_case_survives() -> None:
    """The calls of all exercises do."""
    for exercise in (entry.exercise for entry in CATALOGUE.values()):
        if exercise.kind in ("function", "module"):
            for prepared in drawn_cases(exercise, 0):
                call = prepared.case.call("cpu")
                assert same(call_from_plain(call_to_plain(call)), call)


def test_outcome_survives() -> None:
    """Each field of an outcome comes out as it went in."""
    assert same(outcome_from_plain(outcome_to_plain(OUTCOME)), OUTCOME)
    assert same(outcome_from_plain(outcome_to_plain(replace(OUTCOME, error=None))), replace(OUTCOME, error=None))


def forged(path: str, value: object) -> object:
    plain = copy.deepcopy(outcome_to_plain(OUTCOME))
    *folders, last = path.split("/")
    place = plain
    for name in folders:
        place = place[int(name) if isinstance(place, list) else name]
    place[int(last) if isinstance(place, list) else last] = value
    return plain


@pytest.mark.parametrize(
    "plain",
    [
        None,
        [],
        {},
        "text",
        forged("results", 3),
        forged("results/0", [1, 2]),
        forged("results/0/4", [1.0, 2.0]),
        forged("results/0/4", np.ones(2)),
        forged("results/0/1", "float64"),
        forged("results/0/1", "bfloat16"),
        forged("arguments", 3),
        forged("arguments", [["x"], []]),
        forged("arguments/0", ["x", 1, "mask"]),
        forged("arguments/1/0/4", np.zeros(3, np.uint8)),
        forged("results/0/3", [3]),
        forged("results/0/3", "2"),
        forged("form", "all right"),
        {**outcome_to_plain(Outcome()), "form": "single"},
        {**outcome_to_plain(OUTCOME), "form": "nothing"},
        forged("error", "no"),
        forged("error/type", None),
        forged("error/device_mismatch", 1),
        forged("gradients/x", [0.0]),
        forged("gradients/x", np.array([True])),
        forged("gradients", [1]),
        forged("groups", [-1]),
        forged("largest", -1),
        forged("largest", 1.5),
        forged("largest", True),
        forged("largest_line", 1),
        forged("steady", 1),
        forged("is_stub", None),
        forged("milliseconds", -1),
    ],
)
def test_forged_outcome(plain: object) -> None:
    """What has another form than an outcome is refused, with one kind of error."""
    with pytest.raises(ValueError, match=r"no|a |was expected|one of"):
        outcome_from_plain(plain)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_a_dtype_is_what_the_bytes_say(dtype: str) -> None:
    """Numbers finer than the dtype that they are said to have arrive as coarse as that dtype is."""
    finer = np.array([1.0 + 2.0**-40, -np.inf, np.nan, 0.0])
    outcome = Outcome((Result("tensor", dtype, "cpu", (4,), finer),), "single")
    (came,) = outcome_from_plain(outcome_to_plain(outcome)).results
    assert came.values.dtype == np.float64 and came.values[0] == (finer[0] if dtype == "float64" else 1.0)
    np.testing.assert_array_equal(came.values[1:], finer[1:])


@pytest.mark.parametrize("shape", [(), (0,), (2, 0), (2, 3)])
@pytest.mark.parametrize(
    "dtype", ["float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8", "bool"]
)
def test_every_dtype_and_shape(dtype: str, shape: tuple[int, ...]) -> None:
    """Numbers that a dtype holds arrive as they were, whatever their shape."""
    n = int(np.prod(shape))
    values = np.arange(n).reshape(shape).astype(np.float64 if "float" in dtype else np.int64)
    values = np.asarray(values > 1) if dtype == "bool" else values
    outcome = Outcome((Result("tensor", dtype, "cpu", shape, values),), "single")
    assert same(outcome_from_plain(outcome_to_plain(outcome)), outcome)


@pytest.mark.parametrize("dtype", ["float128", "uint16", "float8_e4m3fn", "no dtype"])
def test_other_dtypes_keep_their_numbers(dtype: str) -> None:
    """They arrive in float64, under the name that they came with."""
    outcome = Outcome((Result("array", dtype, "cpu", (1,), np.array([0.25])),), "single")
    assert same(outcome_from_plain(outcome_to_plain(outcome)), outcome)


class _Told:
    """A session whose process tells this outcome, whatever happened there."""

    def __init__(self, outcome: Outcome) -> None:
        self._outcome = outcome

    def ask(self, message: dict, seconds: float) -> dict:
        return {"outcome": outcome_to_plain(self._outcome), "used": []}

    def close(self) -> None:
        pass


def test_changed_inputs_are_found_outside() -> None:
    """The judge looks at the inputs as they are after the call: what the process says of them counts for nothing."""
    given = np.arange(3.0)
    call = Call({"x": Array(given, "float32"), "pair": (Array(given, "bfloat16"), Array(given, "float64")), "n": 3})
    kept = {
        "x": Result("tensor", "float32", "cpu", (3,), given),
        "pair[0]": Result("tensor", "bfloat16", "cpu", (3,), given),
        "pair[1]": Result("tensor", "float64", "cpu", (3,), given),
    }

    def changed(call: Call = call, **after: Result | None) -> tuple[str, ...]:
        found = {name: one for name, one in {**kept, **after}.items() if one is not None}
        told = Outcome((Result("number", "float", "cpu", (), np.array(1.0)),), "single", None, found, ("n",))
        runner = RemoteRunner(_Told(told), "f", "torch", Clock(9.0))  # type: ignore[arg-type]
        return runner.observe(call).changed

    assert changed() == ()
    assert changed(x=Result("tensor", "float32", "cpu", (3,), given + 1)) == ("x",)
    assert changed(x=Result("tensor", "float64", "cpu", (3,), given)) == ("x",)
    assert changed(x=Result("tensor", "float32", "cpu", (3, 1), given[:, None])) == ("x",)
    assert changed(x=Result("tensor", "float32", "cpu", (3,), None)) == ("x",)
    assert changed(x=None) == ("x",)
    assert changed(**{"pair[1]": Result("tensor", "float64", "cpu", (3,), -given)}) == ("pair",)
    assert changed(replace(call, device="simulated-cuda"), x=None) == ()
    assert changed(replace(call, cotangents=(given,)), x=None) == ()


def test_long_texts_are_cut() -> None:
    """A message of megabytes does not reach a result file."""
    assert len(outcome_from_plain(forged("error/message", "x" * 10**6)).error.message) <= 2000


MANY = Result("array", "float64", "cpu", (2,), np.ones(2))


@pytest.mark.parametrize(
    "returned",
    [
        replace(OUTCOME, form="list", results=(MANY,) * 60_000, groups=(1,) * 60_000),
        replace(
            OUTCOME,
            form="mapping",
            results=(MANY,) * 60_000,
            names=tuple(f"name {i}" * 99 for i in range(60_000)),
        ),
        replace(OUTCOME, results=(replace(MANY, shape=(4_000_000, 0), values=np.zeros((4_000_000, 0))),)),
        replace(OUTCOME, results=(replace(MANY, shape=(1,) * 30, values=np.zeros((1,) * 30)),)),
        replace(OUTCOME, results=(replace(MANY, shape=(10**6,), values=np.zeros(10**6, bool)),)),
        replace(OUTCOME, error=Raised("E" * 10**6, "m" * 10**6)),
    ],
    ids=["many results", "many names", "empty rows", "many axes", "many numbers", "long error"],
)
def test_large_outcome(returned: Outcome) -> None:
    """Of an outcome of any size the worker sends what the judge takes: a wrong answer, not a broken channel."""
    here, there = socket.socketpair()
    with here, there:
        thread = threading.Thread(target=Channel(here).send, args=(outcome_to_plain(returned),))
        thread.start()
        came = outcome_from_plain(Channel(there).receive(10.0))
        thread.join()
    assert came.form == returned.form
    assert len(came.results) == min(len(returned.results), 1000)
    assert all(result.values is None or result.values.size <= 100_000 for result in came.results)


@pytest.mark.parametrize(
    "change",
    [
        {"results": [["array", "float64", "cpu", [4_000_000, 0], np.zeros((4_000_000, 0))]]},
        {"results": [["array", "bool", "cpu", [1000, 2000], np.zeros((1000, 2000), bool)]]},
        {"results": [["array", "bool", "cpu", [], None]] * 1001},
        {"gradients": {f"{i}": None for i in range(1001)}},
        {"gradients": {"x": np.zeros(1_500_000)}},
        {"groups": [0] * 1001},
        {"names": ["n"] * 1001},
        {"form": "mapping", "names": []},
    ],
)
def test_too_large_outcome(change: dict) -> None:
    """A worker that sends more than an honest one ever does is refused."""
    with pytest.raises(ValueError, match=r"\w"):
        outcome_from_plain({**outcome_to_plain(OUTCOME), **change})
