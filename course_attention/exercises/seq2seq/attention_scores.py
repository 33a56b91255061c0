"""The exercise `attention_scores`: oracle, cases and misconceptions."""

from __future__ import annotations

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.exercises.seq2seq.common import dots, dots_noise, scaled_dots, scores_oracle
from course_attention.exercises.seq2seq.words import WORDS
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import FunctionExercise, Returns

# The computation in a few lines, each part exchangeable for a wrong one.


def _cosines(state: np.ndarray, memory: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(state, axis=-1)[..., None] * np.linalg.norm(memory, axis=-1)
    return dots(state, memory) / lengths


# The cases.


def cases(draw: Draw) -> list[Case]:
    def case(title: str, name: str, batch: tuple[int, ...], n_source: int, d_hidden: int, **dtype) -> Case:
        arguments = {
            "state": draw.normal(*batch, d_hidden, **dtype),
            "memory": draw.normal(*batch, n_source, d_hidden, **dtype),
        }
        return Case(title, name, arguments)

    by_hand = {"state": draw.halves(1, 2), "memory": draw.halves(1, 3, 2)}
    two = {"state": draw.halves(2, 2), "memory": draw.halves(2, 3, 2)}
    large = {"state": draw.normal(2, 4, dtype="float32"), "memory": draw.normal(2, 3, 4, dtype="float32")}
    large["state"] = Array(large["state"].values * 8192, "float32")
    return [
        Case("1 state, 3 encoder states, d_hidden 2", "values", by_hand, gradient=True),
        Case("batch 2, 3 encoder states, d_hidden 2", "values", two),
        case("batch 2, 5 encoder states, d_hidden 4", "values", (2,), 5, 4),
        case("batch 3, 3 encoder states, d_hidden 3", "values", (3,), 3, 3, dtype="float32"),
        case("one encoder state", "values", (2,), 1, 4, dtype="float32"),
        case("inputs that are not contiguous", "strides", (2,), 5, 3, strided=True),
        Case("large states", "large scores", large),
        case("batch 2, 3 encoder states", "dtypes", (2,), 3, 4, dtype="bfloat16"),
    ]


EXERCISE = FunctionExercise(
    name="attention_scores",
    prompt="Score each encoder state against the decoder state by their dot product.",
    points=1,
    difficulty=1,
    minutes=5,
    hints=(
        "There is one score for each encoder state: (batch, n_source). The axis that disappears is d_hidden.",
        "Give the state an axis of its own for n_source, so that it meets every encoder state of its item.",
        "A matrix product of (batch, n_source, d_hidden) with (batch, d_hidden, 1) leaves an axis of length 1 "
        "to be taken away. So does a product followed by a sum over the last axis, without the axis.",
    ),
    returns=Returns(names=("scores",), axes=("batch, n_source",)),
    oracle=scores_oracle,
    cases=cases,
    noise=dots_noise,
    variants={"scale-added": (scaled_dots,), "cosine-scores": (_cosines,)},
    words=WORDS
    | {
        "cosine-scores": (
            "The score is the cosine, not the dot product",
            "The vectors are divided by their lengths. A plain dot product keeps the lengths: a "
            "longer state scores more.",
        ),
    },
)
