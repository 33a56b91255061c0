"""Where a usual slip explains a wrong shape, the card says which, with the axes by the names of the docstring."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from course_attention.judging import judge, properties
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import FunctionExercise, Returns
from course_attention.judging.properties import Property
from course_attention.judging.shapes import Misshapen, explained_shape


@pytest.fixture(scope="module")
def mixed() -> FunctionExercise:
    """Return a weighted sum of tokens for each query, and the weights."""

    def cases(draw: Draw) -> list[Case]:
        def case(title: str, name: Property, *sizes: int, batch: tuple[int, ...] = ()) -> Case:
            n_queries, n_keys, d_value = sizes
            weights, value = draw.normal(*batch, n_queries, n_keys), draw.normal(*batch, n_keys, d_value)
            return Case(title, name, {"weights": weights, "value": value})

        return [
            case("2 queries, 3 keys, d_value 4", properties.VALUES, 2, 3, 4),
            case("5 queries, 2 keys, d_value 3", properties.VALUES, 5, 2, 3),
            case("one query", properties.VALUES, 1, 2, 4),
            case("a batch", properties.LEADING_DIMENSIONS, 4, 3, 5, batch=(2,)),
            case("two leading axes", properties.LEADING_DIMENSIONS, 4, 3, 2, batch=(2, 6)),
        ]

    return FunctionExercise(
        name="mixed",
        prompt="Mix.",
        points=1,
        difficulty=1,
        minutes=1,
        hints=(),
        oracle=lambda weights, value: weights @ value,
        cases=cases,
        noise=lambda weights, value: (50.0,),
        returns=Returns(axes=("..., n_queries, d_value",)),
    )


ANSWERS = {
    "exchanged": (
        lambda weights, value: (weights @ value).mT,
        "Two axes are exchanged: `n_queries` and `d_value`.",
    ),
    "summed": (lambda weights, value: (weights @ value).sum(-2), "One axis is missing: `n_queries`."),
    "kept": (lambda weights, value: (weights @ value)[..., None], "There is an axis of length 1 too many."),
    "not summed": (
        lambda weights, value: weights[..., None] * value[..., None, :, :],
        "as the last axis of `weights` is. Is a sum over it missing?",
    ),
    "wrong sum": (
        lambda weights, value: (weights[..., None] * value[..., None, :, :]).sum(-1),
        "One axis has the wrong length, `d_value`: it is 2 long, as the last axis of `weights` is, and not 4.",
    ),
    "joined": (
        lambda weights, value: (weights @ value).flatten(-2),
        "What should be two axes, `n_queries` and `d_value`, has come as one.",
    ),
    "first item": (
        lambda weights, value: (weights @ value)[(0,) * (weights.ndim - 2)],
        "Axes in front are missing: axis −3.",
    ),
}


@pytest.mark.parametrize(("answer", "said"), ANSWERS.values(), ids=ANSWERS)
def test_what_it_says(mixed: FunctionExercise, answer, said: str) -> None:
    """A slip is told in words, and above the case stands which shape was asked for and which came."""
    verdict = judge(mixed, answer)
    assert (verdict.status, verdict.idea) == ("failed", "The shape is wrong") and said in verdict.explanation
    example = verdict.example
    assert f"(..., n_queries, d_value), which is {example.expected.shape} here" in example.note
    assert f"got {example.received.shape}" in example.note


def test_axes_without_names(mixed: FunctionExercise) -> None:
    """Where an author gives the axes no names, they are told by their numbers."""
    verdict = judge(replace(mixed, returns=Returns()), ANSWERS["exchanged"][0])
    assert "exchanged: axis −2 and axis −1" in verdict.explanation
    assert "output should have shape (1, 4); got (4, 1)" in verdict.example.note


def _no_inputs(*shapes: tuple[tuple[int, ...], tuple[int, ...]]) -> list[Misshapen]:
    return [Misshapen(expected, received, {}) for expected, received in shapes]


@pytest.mark.parametrize(
    ("shapes", "said"),
    [
        ([((2, 3, 4), (3, 4, 2))], "another order: `n_queries`, `n_keys`, `n_heads`"),
        ([((2, 3, 4), (2, 12))], "two axes, `n_queries` and `n_keys`, has come as one"),
        ([((2, 3, 4), (2, 3, 2, 2))], "one axis, `n_keys`, has come as two"),
        ([((2, 3, 4), (2, 3, 4, 1))], "of length 1 too many"),
        ([((2, 1, 4), (2, 4)), ((3, 1, 2), (3, 2))], "1 long is missing: `n_queries`. `squeeze()` takes away every"),
        ([((1, 3, 4), (3, 4)), ((2, 1, 4), (2, 4))], "1 long is missing: `n_heads`. `squeeze()` takes away every"),
        ([((2, 1, 4), (2, 3, 4)), ((2, 1, 5), (2, 7, 5))], "Broadcasting does that where something longer is added"),
        ([((1, 4, 4), (4, 4, 4)), ((1, 5, 5), (5, 5, 5))], "together give (n, n)"),
        ([((2, 1, 4), (2, 3, 4)), ((1, 2, 5), (3, 2, 5))], "of length 1 has grown: `n_queries` is 3 long"),
        ([((2, 1, 4), (2, 3, 4)), ((2, 2, 5), (2, 3, 5))], "One axis has the wrong length, `n_queries`"),
        ([((2, 1, 4), (2, 0, 4))], "One axis has the wrong length, `n_queries`"),
        ([((2, 3, 4), (5, 6, 7))], ""),
        # Each case by itself could be another slip; only one is the same in all of them.
        ([((2, 3, 3), (3, 2, 3)), ((2, 3, 4), (3, 2, 4))], "exchanged: `n_heads` and `n_queries`"),
        ([((2, 3, 4), (2, 4, 3)), ((2, 3, 4), (2, 3))], ""),
        ([((2, 3, 4), (2, 6, 2))], "in another way than asked for"),
        ([((2, 3, 4), (3,)), ((2, 3, 4), (2,))], "has 2 axes too few"),
        ([((2, 3, 4), (2, 3, 5, 6))], "has 1 axis too many. `torch.stack` makes"),
        ([((2, 3, 4), (3, 2, 4)), ((2, 3, 4), (4, 2, 3))], "has to be moved back in the end"),
        ([((2, 3, 4), (2, 12)), ((2, 2, 3, 4), (2, 24))], "`flatten(1)` joins all axes from axis 1 on"),
        ([((2, 3, 4), (2, 3, 5)), ((2, 3, 6), (2, 3, 7))], "one longer than asked for in every case"),
        ([((2, 3, 4), (2, 2, 4)), ((2, 5, 4), (2, 4, 4))], "one shorter than asked for in every case"),
        ([((2, 3, 4), (2, 1, 4)), ((2, 5, 4), (2, 1, 4))], "with `keepdim=True` leaves an axis of length 1"),
    ],
)
def test_shapes_alone(shapes: list, said: str) -> None:
    """A slip has to explain every case; what none explains is left without words."""
    found = explained_shape("n_heads, n_queries, n_keys", _no_inputs(*shapes))
    assert said in found and bool(said) == bool(found)


def test_shapes_of_inputs() -> None:
    """The shapes of the inputs say where a length comes from."""
    axes = "n_queries, n_keys"
    joined = [
        Misshapen((2, 3), (2, 5), {"x": (2, 4), "context": (3, 4)}),
        Misshapen((4, 1), (4, 5), {"x": (4, 2), "context": (1, 2)}),
    ]
    assert "as long as axis −2 of `x` and axis −2 of `context` together" in explained_shape(axes, joined)
    square = [
        Misshapen((4, 2), (2, 2), {}, {"n_queries": 4, "n_keys": 2}),
        Misshapen((5, 3), (3, 3), {}, {"n_keys": 3}),
    ]
    assert "it is 2 long, which is `n_keys`, and not 4" in explained_shape(axes, square)
    compared = [Misshapen((3, 3), (3,), {"documents": (3,)})]
    assert "has to be a column" in explained_shape(axes, compared)
    assert "has to be a column" not in explained_shape(axes, [Misshapen((3, 3), (3,), {"x": (3, 3)})])
    added = [Misshapen((2, 1), (2, 2), {"x": (2, 2)})]
    assert "`x` has just this shape. Is it added" in explained_shape(axes, added)


def test_every_item_with_every_other() -> None:
    """A batch that is there twice comes of a product of vectors and matrices; a batch of 1 alone tells nothing."""
    axes = "batch, n_source"
    for received in ((2, 2, 3), (2, 3, 2)):
        found = explained_shape(axes, _no_inputs(((1, 4), (1, 1, 4)), ((2, 3), received)))
        assert ("as long as `batch`, which is there already" in found) is (received == (2, 2, 3))
    assert "already" in explained_shape(axes, _no_inputs(((2, 3), (2, 3, 2)), ((4, 5), (4, 5, 4))))
    assert "already" not in explained_shape(axes, _no_inputs(((1, 4), (1, 1, 4))))
    assert "already" not in explained_shape("..., n_source", _no_inputs(((2, 3), (2, 3, 2))))


def test_one_number() -> None:
    """Where one number is asked for, that is said, whatever came."""
    assert explained_shape("", _no_inputs(((), (2,)), ((), (3, 1)))).startswith("One number is asked for")


def test_values_of_another_result_are_not_shown(mixed: FunctionExercise) -> None:
    """Below a headline about a shape stands the result whose shape is wrong, and no other that is wrong as well."""

    def both(weights: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return weights @ value, weights

    exercise = replace(
        mixed,
        oracle=both,
        noise=lambda weights, value: (50.0, 1.0),
        returns=Returns(names=("output", "weights"), axes=("..., n_queries, d_value", "..., n_queries, n_keys")),
    )
    verdict = judge(exercise, lambda weights, value: ((weights @ value).mT, weights + 1))
    assert verdict.example.part == "output" and "`n_queries` and `d_value`" in verdict.explanation


def test_not_contiguous(mixed: FunctionExercise) -> None:
    """An answer that only a tensor which is not contiguous defeats is told what that is, and what to do."""

    def cases(draw: Draw) -> list[Case]:
        turned = {"weights": draw.normal(2, 3, strided=True), "value": draw.normal(3, 4)}
        return [*mixed.cases(draw), Case("inputs that are not contiguous", properties.STRIDES, turned)]

    def answer(weights: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        return weights.view(-1).view(weights.shape) @ value

    verdict = judge(replace(mixed, cases=cases), answer)
    assert verdict.status == "errored" and verdict.example.title == "inputs that are not contiguous"
    assert "`.reshape`" in verdict.explanation and "`.contiguous()`" in verdict.explanation
    assert [name for name, holds in verdict.properties if holds is False] == ["strides"]
