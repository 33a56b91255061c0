import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.masking import KEEPDIMS_FORGOTTEN, WITHOUT_EXP_OR_MASK, soften
from course_attention.exercises.common.words import WORDS


def oracle(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    """exp(score − largest) / Σ, one line of scores at a time."""
    lines = np.moveaxis(np.asarray(scores, dtype=np.float64), axis, -1)
    weights = np.empty_like(lines)
    for index in np.ndindex(lines.shape[:-1]):
        exponentials = [np.exp(score - max(lines[index])) for score in lines[index]]
        weights[index] = np.array(exponentials) / sum(exponentials)
    return np.moveaxis(weights, -1, axis)


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


def _shifted_by_largest_size(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    exponentials = np.exp(scores - np.abs(scores).max(axis=axis, keepdims=True))  # too far, where all are negative
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


def noise(scores: np.ndarray, axis: int = -1) -> tuple[float]:
    return (float(np.abs(scores).max()) + scores.shape[axis],)


def cases(draw: Draw) -> list[Case]:
    whole = Array(draw.rng.integers(-3, 4, size=(3, 4)).astype(np.int64), "int64")
    large = Array(np.array([[1e4, -1e4, 9.99e3], [-1e4, -1e4 - 1, -1e4]]), "float64")
    low = Array(np.array([-1e4, -1e4 + 2, -1e4 + 1]), "float32")
    return [
        Case("one row of three scores", properties.VALUES, {"scores": draw.halves(3)}),
        Case("two rows of three scores", properties.VALUES, {"scores": draw.halves(2, 3)}),
        Case("one score", properties.VALUES, {"scores": draw.halves(1, 1)}),
        Case("three rows of three scores", properties.VALUES, {"scores": draw.normal(3, 3)}),
        Case("three axes", properties.LEADING_DIMENSIONS, {"scores": draw.normal(2, 3, 4)}),
        Case("inputs that are not contiguous", properties.STRIDES, {"scores": draw.normal(4, 5, strided=True)}),
        Case("two rows of three scores, axis 0", properties.AXIS, {"scores": draw.halves(2, 3), "axis": 0}),
        Case("three rows of three scores, axis 0", properties.AXIS, {"scores": draw.normal(3, 3), "axis": 0}),
        Case("three axes, axis 0", properties.AXIS, {"scores": draw.normal(2, 3, 4), "axis": 0}),
        Case("three axes, axis 1", properties.AXIS, {"scores": draw.normal(2, 3, 4), "axis": 1}),
        Case("scores near ±10,000", properties.LARGE_SCORES, {"scores": large}),
        Case("scores near −10,000", properties.LARGE_SCORES, {"scores": low}),
        Case("whole numbers", properties.WHOLE_SCORES, {"scores": whole}),
        Case("float16", properties.DTYPES, {"scores": draw.normal(2, 5, dtype="float16")}),
        Case("float32", properties.DTYPES, {"scores": draw.normal(2, 3, dtype="float32")}),
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
    ready_made=(
        "torch.softmax",
        "torch.nn.functional.softmax",
        "torch.special.softmax",
        "torch.Tensor.softmax",
        "torch.log_softmax",
        "torch.special.log_softmax",
        "torch.Tensor.log_softmax",
        "torch.nn.functional.log_softmax",
        "torch.nn.functional.softmin",
        "torch.nn.Softmax",
        "torch.nn.LogSoftmax",
        "torch.nn.Softmin",
        "torch.masked.softmax",
        "torch.masked.log_softmax",
        "torch.masked.softmin",
        "scipy.special.softmax",
        "scipy.special.log_softmax",
        "sklearn.utils.extmath.softmax",
    ),
    library="numpy",
    returns=Returns(names=("weights",)),
    oracle=oracle,
    cases=cases,
    mutant_inputs={
        "scores": lambda inputs: inputs.scores("... n_scores"),
        "axis": lambda inputs: inputs.whole(-(n_axes := inputs.of("scores").values.ndim), n_axes - 1),
    },
    noise=noise,
    words=WORDS,
    misconceptions={
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
            _shifted_by_largest_size,
            lambda scores, axis=-1: np.nan_to_num(_overflowing(scores, axis)),
        ),
        "weights-without-exp": WITHOUT_EXP_OR_MASK,
        "softmax-not-normalised": (_not_normalised,),
        "axis-ignored": Misconception(
            "axis is ignored",
            "The softmax always runs along the last axis. The caller may ask for another.",
            (lambda scores, axis=-1: soften(scores),),
        ),
        "keepdims-forgotten": (*KEEPDIMS_FORGOTTEN, _keepdims_forgotten_in_sum_alone),
    },
)
