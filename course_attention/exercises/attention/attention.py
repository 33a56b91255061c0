"""The exercise `attention`: oracle, cases and misconceptions."""

from __future__ import annotations

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.exercises.attention.common import (
    BATCH_BY_HAND,
    BY_HAND,
    inputs_by_hand,
    large_inputs,
    triple,
)
from course_attention.exercises.attention.words import WORDS
from course_attention.exercises.common.attention import ATTENTION_MISTAKES, attention_noise, attention_oracle
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import FunctionExercise, Returns

# The cases.


def _nothing_for_query(n_queries: int, n_keys: int, query: int) -> Array:
    mask = np.ones((n_queries, n_keys), dtype=bool)
    mask[np.arange(n_queries), np.arange(n_queries) % n_keys] = False
    mask[query] = False
    return Array(mask, "bool")


# Allows only the lowest score of each query: a fill that is not low enough shows.
_LOWEST = Array(np.array([[False, True, False], [True, False, False]]), "bool")


def cases(draw: Draw) -> list[Case]:
    """Plain, batched, square, masked, with nothing allowed, large, not contiguous, in three dtypes."""
    by_hand = inputs_by_hand(draw)
    masked = {**inputs_by_hand(draw), "allowed": draw.allowed(2, 3)}
    full = {**triple(draw, (2,), 3, 5, 4, 6), "allowed": draw.allowed(2, 3, 5)}
    padded = {**inputs_by_hand(draw, 2), "allowed": draw.padded(2, 3)}
    shared = {**triple(draw, (3, 2), 3, 4, 5, 2), "allowed": draw.allowed(3, 4)}
    square = {**triple(draw, (3,), 3, 3, 3, 3), "allowed": draw.allowed(3, 3, 3)}
    square_padded = {**triple(draw, (3,), 4, 4, 4, 4), "allowed": draw.padded(3, 4)}
    blind = {**inputs_by_hand(draw), "allowed": _nothing_for_query(2, 3, query=0)}
    blind_batch = {
        **triple(draw, (2,), 3, 4, 5, 6, dtype="float32"),
        "allowed": _nothing_for_query(3, 4, query=1),
    }
    lone = {**triple(draw, (), 2, 1, 3, 2), "allowed": Array(np.array([[False], [True]]), "bool")}
    more_queries = {**triple(draw, (), 5, 3, 2, 4), "allowed": None}
    each = {**triple(draw, (3, 2), 2, 4, 3, 5), "allowed": draw.allowed(3, 2, 2, 4)}
    halved = {**triple(draw, (), 2, 3, 4, 5, dtype="bfloat16"), "allowed": draw.allowed(2, 3)}
    return [
        Case(BY_HAND, "values", by_hand, gradient=True),
        Case("more queries than keys", "values", more_queries),
        Case("one query, one key", "values", triple(draw, (), 1, 1, 3, 4, dtype="float32")),
        Case(BATCH_BY_HAND, "leading dimensions", inputs_by_hand(draw, 2)),
        Case("batch 2, 3 queries, 5 keys", "leading dimensions", triple(draw, (2,), 3, 5, 4, 6)),
        Case("3 queries, 3 keys, d_key 3, batch 3", "leading dimensions", triple(draw, (3,), 3, 3, 3, 3)),
        Case("two batch dimensions", "leading dimensions", triple(draw, (2, 3), 4, 5, 2, 6, dtype="float32")),
        Case("inputs that are not contiguous", "strides", triple(draw, (2,), 3, 4, 5, 6, strided=True)),
        Case(f"{BY_HAND}, masked", "mask", masked, gradient=True),
        Case("batch 2, a mask for each item", "mask", full),
        Case(f"{BATCH_BY_HAND}, key padding (batch, 1, n_keys)", "mask", padded),
        Case("two batch dimensions, one mask for all", "mask", shared),
        Case("two batch dimensions, a mask for each item", "mask", each),
        Case("3 queries, 3 keys, batch 3, masked", "mask", square),
        Case("4 queries, 4 keys, key padding", "mask", square_padded),
        Case(f"{BY_HAND}, nothing allowed for query 0", "nothing allowed", blind, gradient=True),
        Case("batch 2, nothing allowed for query 1", "nothing allowed", blind_batch),
        Case("2 queries, one key, nothing allowed for query 0", "nothing allowed", lone),
        Case("scores near ±10,000", "large scores", large_inputs()),
        Case("scores near ±10,000, masked", "large scores", {**large_inputs(), "allowed": _LOWEST}),
        Case("2 queries, 3 keys, masked", "dtypes", halved),
        Case("batch 2, in float32", "dtypes", triple(draw, (2,), 3, 5, 4, 6, dtype="float32")),
    ]


EXERCISE = FunctionExercise(
    name="attention",
    prompt="Compute softmax(Q Kᵀ / √d_key) V, with an optional mask, and give the output and the weights.",
    points=4,
    difficulty=2,
    minutes=25,
    hints=(
        "Four steps: scores, scale, softmax, average. Write down the shape after each.",
        "The scores are (…, n_queries, n_keys): a product of the query with the key, its last two axes exchanged. "
        "`.mT` exchanges them whatever comes before.",
        "The softmax runs over the keys, the last axis. A blocked score is −∞ before it. A query that may attend "
        "to nothing would have only −∞: find such rows with `allowed.any`, and give them weights of 0.",
    ),
    returns=Returns(names=("output", "weights"), axes=("..., n_queries, d_value", "..., n_queries, n_keys")),
    oracle=attention_oracle,
    cases=cases,
    noise=attention_noise,
    variants=ATTENTION_MISTAKES,
    words=WORDS,
)
