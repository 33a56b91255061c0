import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Returns, properties
from course_attention.exercises.common.attention import largest
from course_attention.exercises.common.masking import (
    MASK_MISTAKES,
    MISSING,
    OVERFLOWING,
    WITHOUT_EXP,
    distribution_oracle,
    first_item_for_all,
    softmax_along,
)
from course_attention.exercises.seq2seq.decoder_state import low_allowed, nothing_allowed
from course_attention.exercises.seq2seq.words import WORDS


def noise(scores: np.ndarray, allowed: np.ndarray | None = None) -> tuple[float]:
    return (largest(scores) + scores.shape[-1],)


def cases(draw: Draw) -> list[Case]:
    masked = "2 rows, 3 positions, padding"
    large = np.array([[1e4, -1e4, 9.99e3, 1e4 - 2], [-1e4, -1e4 - 1, -1e4, -1.01e4]])
    low = np.array([[1e4, -1.01e4, 9.9e3], [-9.9e3, -9.9e3 - 1, -1.02e4]])
    mask = properties.MASK
    return [
        Case("2 rows, 3 positions", properties.VALUES, {"scores": draw.halves(2, 3)}, gradient=True),
        Case("batch 2, 5 positions", properties.VALUES, {"scores": draw.normal(2, 5)}),
        Case(
            "batch 3, 3 positions",
            properties.VALUES,
            {"scores": draw.normal(3, 3, dtype="float32"), "allowed": None},
        ),
        Case("one position", properties.VALUES, {"scores": draw.normal(2, 1, dtype="float32")}),
        Case("inputs that are not contiguous", properties.STRIDES, {"scores": draw.normal(2, 5, strided=True)}),
        Case(masked, mask, {"scores": draw.halves(2, 3), "allowed": draw.allowed(2, 3)}, True),
        Case("batch 4, 6 positions", mask, {"scores": draw.normal(4, 6), "allowed": draw.allowed(4, 6)}),
        Case("batch 4, 4 positions", mask, {"scores": draw.normal(4, 4), "allowed": draw.allowed(4, 4)}),
        Case(
            "2 rows, 3 positions, nothing allowed in the first row",
            properties.NOTHING_ALLOWED,
            {"scores": draw.halves(2, 3), "allowed": nothing_allowed(2, 3)},
            gradient=True,
        ),
        Case(
            "batch 3, 5 positions, nothing allowed in the first row",
            properties.NOTHING_ALLOWED,
            {"scores": draw.normal(3, 5, dtype="float32"), "allowed": nothing_allowed(3, 5)},
        ),
        Case("scores near ±10,000", properties.LARGE_SCORES, {"scores": Array(large, "float32")}),
        Case(
            "scores near ±10,000, padding",
            properties.LARGE_SCORES,
            {"scores": Array(low, "float32"), "allowed": low_allowed()},
        ),
        Case(
            "2 rows, 3 positions, padding",
            properties.DTYPES,
            {"scores": draw.normal(2, 3, dtype="bfloat16"), "allowed": draw.allowed(2, 3)},
        ),
        Case("float64", properties.DTYPES, {"scores": draw.normal(2, 4), "allowed": None}),
    ]


EXERCISE = FunctionExercise(
    name="attention_distribution",
    prompt="Turn the scores into a distribution over the source positions, padding left out.",
    points=3,
    difficulty=2,
    minutes=10,
    hints=(
        "Without a mask this is a softmax over the last axis; torch has one.",
        "A blocked position needs a weight of exactly 0, before the weights are divided by their sum. Which score "
        "gives exp(score) = 0?",
        "A row in which nothing is allowed has no softmax. Find such rows first, and make sure that no NaN arises "
        "on the way: it would come back in the gradient.",
    ),
    returns=Returns(names=("distribution",), axes=("batch, n_source",)),
    oracle=distribution_oracle,
    cases=cases,
    mutant_inputs={"scores": lambda inputs: inputs.scores("... n_source")},
    noise=noise,
    words=WORDS,
    misconceptions={
        "softmax-over-batch": softmax_along(0),
        "softmax-overflows": OVERFLOWING,
        "softmax-missing": MISSING,
        "weights-without-exp": WITHOUT_EXP,
        **MASK_MISTAKES,
        "mask-first-item-for-all": first_item_for_all(1),
    },
)
