"""Answers of other forms: a tuple within a tuple, a pair as an argument, one number, and limits on what is made."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import torch

from course_attention.execution.protocol import Array
from course_attention.judging import judge, properties
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import FunctionExercise, Returns


@pytest.fixture(scope="module")
def appended() -> FunctionExercise:
    """Return a pair and a vector: the sum of all three, and the pair with the vector added to its first."""

    def cases(draw: Draw) -> list[Case]:
        pair = (draw.halves(2), draw.halves(2))
        return [
            Case("a pair", properties.VALUES, {"x": draw.halves(2), "pair": pair}, gradient=True),
            Case("no pair", properties.EDGES, {"x": draw.halves(2), "pair": None}, gradient=True),
        ]

    def oracle(x: np.ndarray, pair: tuple[np.ndarray, np.ndarray] | None) -> tuple[np.ndarray, ...]:
        first, second = pair if pair is not None else (np.zeros(2), np.zeros(2))
        return x + first + second, x + first, second

    return FunctionExercise(
        name="appended",
        prompt="Add.",
        points=1,
        difficulty=1,
        minutes=1,
        hints=(),
        oracle=oracle,
        cases=cases,
        noise=lambda x, pair: (9.0, 9.0, 9.0),
        misconceptions={"not-added": (lambda x, pair: (*oracle(x, pair)[:1], *(pair or (np.zeros(2),) * 2)),)},
        words={"not-added": ("The pair is as it was", "x belongs to its first.")},
        returns=Returns(names=("total", "first", "second"), groups=(0, 2)),
    )


def right(x, pair):
    first, second = pair if pair is not None else (torch.zeros_like(x), torch.zeros_like(x))
    return x + first + second, (x + first, second)


def wrote_into_the_pair(x, pair):
    if pair is None:
        return right(x, pair)
    pair[0].add_(x)
    return pair[0] + pair[1], pair


def test_pairs(appended: FunctionExercise) -> None:
    """A pair goes in and comes out; a list in place of a tuple is the same."""
    assert judge(appended, right).status == "passed"
    assert judge(appended, lambda x, pair: [right(x, pair)[0], list(right(x, pair)[1])]).status == "passed"
    old = lambda x, pair: (right(x, pair)[0], pair or (torch.zeros_like(x),) * 2)  # noqa: E731
    assert judge(appended, old).misconception == "not-added"
    cut = lambda x, pair: right(x, pair and (pair[0], pair[1].detach()))  # noqa: E731
    verdict = judge(appended, cut)
    assert verdict.misconception == "detached" and "gradient reaches pair[1]" in verdict.example.note
    verdict = judge(appended, wrote_into_the_pair)
    assert verdict.misconception == "input-changed" and "pair[0]" in verdict.example.inputs


def test_a_result_where_there_is_none(appended: FunctionExercise) -> None:
    """None in the place of a pair counts as an error does: the idea that explains the rest explains the answer."""

    def old(x: np.ndarray, pair: tuple[np.ndarray, np.ndarray] | None) -> tuple[np.ndarray, ...]:
        return x + pair[0] + pair[1], *pair

    exercise = replace(appended, misconceptions={"old": (old,)}, words={"old": ("It is the old pair", "x is missing.")})
    assert judge(exercise, lambda x, pair: (right(x, pair)[0], pair)).misconception == "old"


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        (lambda x, pair: (right(x, pair)[0], *right(x, pair)[1]), "the answer returned a tuple of 3"),
        (lambda x, pair: right(x, pair)[::-1], "a tuple of 2, with tuples or lists of 2 in it"),
        (
            lambda x, pair: (right(x, pair)[0], torch.stack(right(x, pair)[1])),
            "a tuple of 2, with one tensor in the place of (first, second)",
        ),
        (lambda x, pair: right(x, pair)[0], "the answer returned one tensor, by itself"),
    ],
)
def test_pair_of_another_form(appended: FunctionExercise, answer, note: str) -> None:
    """What is asked for is told with its brackets."""
    verdict = judge(appended, answer)
    assert (verdict.status, verdict.misconception) == ("failed", None)
    assert "(total, (first, second)) should be returned" in verdict.example.note
    assert note in verdict.example.note


@pytest.fixture(scope="module")
def area() -> FunctionExercise:
    return FunctionExercise(
        name="area",
        prompt="The area of a rectangle.",
        points=1,
        difficulty=1,
        minutes=1,
        hints=(),
        library="numpy",
        oracle=lambda a, b: a * b,
        noise=lambda a, b: (a * b,),
        cases=lambda draw: [Case(f"{a} by {b}", properties.VALUES, {"a": a, "b": b}) for a, b in ((3, 4), (2**30, 5))],
        misconceptions={"sum": (lambda a, b: a + b,)},
        words={"sum": ("It is a sum", "A product is asked for.")},
        returns=Returns(names=("area",), number=True, from_sizes_only=True),
    )


@pytest.mark.parametrize("number", [int, float, np.float32, np.array, torch.tensor, Fraction])
def test_numbers_of_any_type(area: FunctionExercise, number: type) -> None:
    """A number is a number, whatever its type; a wrong one is named; one thing more than a number is refused."""
    assert judge(area, lambda a, b: number(a * b)).status == "passed"
    assert judge(area, lambda a, b: number(a + b)).misconception == "sum"
    assert judge(area, lambda a, b: number(a * b + 1)).status == "failed"


@pytest.mark.parametrize("answer", [lambda a, b: [a * b], lambda a, b: np.array([a * b]), lambda a, b: f"{a * b}"])
def test_no_number(area: FunctionExercise, answer) -> None:
    """What is no number fails, and is told that one is asked for."""
    verdict = judge(area, answer)
    assert verdict.status == "failed" and "area" in verdict.example.note


def test_precision_of_a_tensor(area: FunctionExercise) -> None:
    """A number in float32 is compared as one, whether NumPy's or torch's."""
    sevenths = replace(area, oracle=lambda a, b: a * b / 7)
    assert judge(sevenths, lambda a, b: torch.tensor(a * b / 7)).status == "passed"
    assert judge(sevenths, lambda a, b: np.float32(a * b / 7)).status == "passed"
    assert judge(sevenths, lambda a, b: round(a * b / 7, 4)).status == "failed"


@pytest.fixture(scope="module")
def total() -> FunctionExercise:
    return FunctionExercise(
        name="total",
        prompt="The sum.",
        points=1,
        difficulty=1,
        minutes=1,
        hints=(),
        oracle=lambda x: x.sum(),
        noise=lambda x: (9.0,),
        cases=lambda draw: [Case("2 numbers", properties.VALUES, {"x": draw.halves(2)}, gradient=True)],
    )


def test_number_in_the_place_of_a_tensor(total: FunctionExercise) -> None:
    """`.item()` gives a number, and cuts the graph: the answer is told that a tensor is asked for."""
    assert judge(total, lambda x: x.sum()).status == "passed"
    verdict = judge(total, lambda x: x.sum().item())
    assert (verdict.status, verdict.misconception) == ("failed", None)
    assert "output should be a tensor; got a float" in verdict.example.note
    assert verdict.idea == "A plain number is returned, not a tensor" and "`.item()`" in verdict.explanation


@pytest.fixture(scope="module")
def frugal() -> FunctionExercise:
    """x (xᵀ x) for a long x: the n × n product is not needed."""
    return FunctionExercise(
        name="frugal",
        prompt="x times the sum of its squares.",
        points=1,
        difficulty=1,
        minutes=1,
        hints=(),
        oracle=lambda x: x * (x * x).sum(),
        noise=lambda x: (1e3,),
        cases=lambda draw: [
            Case("2 numbers", properties.VALUES, {"x": draw.halves(2)}),
            Case("50 numbers", properties.MEMORY, {"x": draw.normal(50)}, limit=50),
        ],
        misconceptions={"once": (lambda x: x,)},
        words={"once": ("It is x itself", "The squares are missing.")},
    )


def test_memory(frugal: FunctionExercise) -> None:
    """Right numbers with too large a tensor on the way are told so; views are none, and a wrong idea comes first."""
    assert judge(frugal, lambda x: x.expand(50, -1)[0] * (x * x).sum() if len(x) > 2 else x * (x * x).sum()).score == 1
    verdict = judge(frugal, lambda x: (x[:, None] * x[None, :]) @ x)  # no idea of the exercise explains this
    assert (verdict.status, verdict.misconception) == ("failed", None)
    assert "large tensor" in verdict.idea and "2500 numbers at `" in verdict.example.note
    assert "(x[:, None] * x[None, :]) @ x" in verdict.example.note and "needs more than 50" in verdict.example.note
    assert dict(verdict.properties)["memory"] is False and dict(verdict.properties)["values"] is True
    assert judge(frugal, lambda x: (x[:, None] * x[None, :])[0] * 0 + x).misconception == "once"


def test_whole_numbers() -> None:
    """Where whole numbers are asked for they are shown as such, and another dtype is told."""
    tokens = lambda draw: [Case("3 tokens", properties.VALUES, {"x": Array(np.array([1, 2, 3]), "int64")})]  # noqa: E731
    exercise = FunctionExercise(
        name="next",
        prompt="Add one.",
        points=1,
        difficulty=1,
        minutes=1,
        hints=(),
        oracle=lambda x: x + 1,
        cases=tokens,
        returns=Returns(dtype="int64"),
    )
    assert judge(exercise, lambda x: x + 1).status == "passed"
    assert judge(exercise, lambda x: x + 1.0).misconception == "wrong-dtype"
    received = judge(exercise, lambda x: x + 2).example.received
    assert received.tolist() == [3, 4, 5] and received.dtype.kind == "i"
