"""The exercise `softmax`: oracle, cases and misconceptions."""

from __future__ import annotations

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.exercises.common.masking import KEEPDIMS_FORGOTTEN, soften
from course_attention.exercises.common.words import WORDS
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import FunctionExercise, Returns

# The right computation, one number at a time.


def oracle(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    """exp(score − largest) / Σ, one line of scores at a time."""
    lines = np.moveaxis(np.asarray(scores, dtype=np.float64), axis, -1)
    weights = np.empty_like(lines)
    for index in np.ndindex(lines.shape[:-1]):
        exponentials = [np.exp(score - max(lines[index])) for score in lines[index]]
        weights[index] = np.array(exponentials) / sum(exponentials)
    return np.moveaxis(weights, -1, axis)


# The computation in a few lines, each part exchangeable for a wrong one.


def _overflowing(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    exponentials = np.exp(scores.astype(np.float64))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def _overflowing_logarithm(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    return np.exp(scores - np.log(np.exp(scores).sum(axis=axis, keepdims=True)))


def _shifted_by_one_maximum(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    exponentials = np.exp(scores - scores.max())  # a line far below the largest score underflows
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def _shifted_by_mean(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    exponentials = np.exp(scores - scores.mean(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def _over_everything(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def _over_everything_overflowing(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    return np.exp(scores) / np.exp(scores).sum()


def _not_normalised(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    return np.exp(scores - scores.max(axis=axis, keepdims=True))


def _keepdims_forgotten_in_sum_alone(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum(axis=axis)


# Rounding errors of a right answer, in units of the dtype's epsilon.


def noise(scores: np.ndarray, axis: int = -1) -> tuple[float]:
    return (float(np.abs(scores).max()) + scores.shape[axis],)


# The cases.


def cases(draw: Draw) -> list[Case]:
    whole = Array(draw.rng.integers(-3, 4, size=(3, 4)).astype(np.int64), "int64")
    large = Array(np.array([[1e4, -1e4, 9.99e3], [-1e4, -1e4 - 1, -1e4]]), "float64")
    low = Array(np.array([-1e4, -1e4 + 2, -1e4 + 1]), "float32")
    return [
        Case("one row of three scores", "values", {"scores": draw.halves(3)}),
        Case("two rows of three scores", "values", {"scores": draw.halves(2, 3)}),
        Case("one score", "values", {"scores": draw.halves(1, 1)}),
        Case("three rows of three scores", "values", {"scores": draw.normal(3, 3)}),
        Case("three axes", "leading dimensions", {"scores": draw.normal(2, 3, 4)}),
        Case("inputs that are not contiguous", "strides", {"scores": draw.normal(4, 5, strided=True)}),
        Case("two rows of three scores, axis 0", "axis", {"scores": draw.halves(2, 3), "axis": 0}),
        Case("three rows of three scores, axis 0", "axis", {"scores": draw.normal(3, 3), "axis": 0}),
        Case("three axes, axis 0", "axis", {"scores": draw.normal(2, 3, 4), "axis": 0}),
        Case("three axes, axis 1", "axis", {"scores": draw.normal(2, 3, 4), "axis": 1}),
        Case("scores near ±10,000", "large scores", {"scores": large}),
        Case("scores near −10,000", "large scores", {"scores": low}),
        Case("whole numbers", "dtypes", {"scores": whole}),
        Case("float16", "dtypes", {"scores": draw.normal(2, 5, dtype="float16")}),
        Case("float32", "dtypes", {"scores": draw.normal(2, 3, dtype="float32")}),
    ]


EXERCISE = FunctionExercise(
    name="softmax",
    prompt="Turn scores into weights that are positive and sum to 1 along an axis.",
    points=2,
    difficulty=1,
    minutes=10,
    hints=(
        "Write the formula for one row first: each exponential, divided by the sum of all of them.",
        "Taking the same number off every score leaves the weights as they are. Which number keeps exp from "
        "growing too large?",
        "Both the maximum and the sum are taken along `axis`. `keepdims=True` keeps that axis, with length 1, so "
        "that it lines up with the scores.",
    ),
    library="numpy",
    returns=Returns(names=("weights",)),
    oracle=oracle,
    cases=cases,
    noise=noise,
    variants={
        "softmax-over-everything": (
            _over_everything,
            _over_everything_overflowing,
            lambda scores, axis=-1: soften(scores, (-2, -1)) if scores.ndim > 1 else soften(scores),
        ),
        "softmax-overflows": (
            _overflowing,
            _overflowing_logarithm,
            _shifted_by_one_maximum,
            _shifted_by_mean,
        ),
        "softmax-not-normalised": (_not_normalised,),
        "axis-ignored": (lambda scores, axis=-1: soften(scores),),
        "keepdims-forgotten": (
            *KEEPDIMS_FORGOTTEN,
            _keepdims_forgotten_in_sum_alone,
        ),
    },
    words=WORDS
    | {
        "axis-ignored": (
            "axis is ignored",
            "The softmax always runs along the last axis. The caller may ask for another.",
        ),
    },
)
