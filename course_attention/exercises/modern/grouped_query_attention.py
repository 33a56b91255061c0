"""The exercise `grouped_query_attention`: oracle, cases and misconceptions."""

from __future__ import annotations

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.exercises.common.attention import (
    Pair,
    attention_noise,
    attention_oracle,
)
from course_attention.exercises.modern.common import (
    of,
    triple,
)
from course_attention.exercises.modern.grouped_in_parts import GROUPED_MISTAKES, in_turn
from course_attention.exercises.modern.words import WORDS
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import FunctionExercise, Returns

# The right computation, one number at a time.


def oracle(query: np.ndarray, key: np.ndarray, value: np.ndarray, allowed=None) -> Pair:
    """Head by head: head h reads group h // (n_heads / n_groups)."""
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    if allowed is not None:
        leading = np.broadcast_shapes(query.shape[:-3], key.shape[:-3])
        allowed = np.broadcast_to(allowed, (*leading, n_heads, query.shape[-2], key.shape[-2]))
    found = []
    for head in range(n_heads):
        group = head // (n_heads // n_groups)
        mask = None if allowed is None else allowed[..., head, :, :]
        found.append(
            attention_oracle(query[..., head, :, :], key[..., group, :, :], value[..., group, :, :], mask)
        )
    return np.stack([output for output, _ in found], -3), np.stack([weights for _, weights in found], -3)


# Rounding errors of a right answer, in units of the dtype's epsilon.


def noise(query, key, value, allowed=None) -> tuple[float, float]:
    """Of output and weights."""
    return attention_noise(query, in_turn(key, query.shape[-3]), value)


# The cases.


GROUPED_BY_HAND = "2 heads, 1 group, 2 queries, 3 keys, d_key 2, d_value 1"


FOUR_HEADS = "4 heads, 2 groups, 1 query, 2 keys, d_key 1, d_value 1"


def _nothing_for(n_queries: int, n_keys: int, query: int) -> Array:
    mask = np.ones((n_queries, n_keys), dtype=bool)
    mask[np.arange(n_queries), np.arange(n_queries) % n_keys] = False
    mask[query] = False
    return Array(mask, "bool")


def cases(draw: Draw) -> list[Case]:
    """One group for all, several, and one for each head; masked for all heads alike and head by head."""

    def case(
        title: str,
        name: str,
        batch: tuple[int, ...],
        heads: tuple[int, int],
        sizes: tuple[int, int, int, int],
        allowed: Array | None = None,
        by_hand: bool = False,
        gradient: bool = False,
        **kind,
    ) -> Case:
        (n_heads, n_groups), (n_queries, n_keys, d_key, d_value) = heads, sizes
        query, key = (*batch, n_heads, n_queries, d_key), (*batch, n_groups, n_keys, d_key)
        arguments = triple(draw, query, key, d_value, by_hand, **kind)
        if allowed is not None:
            arguments["allowed"] = allowed
        return Case(title, name, arguments, gradient)

    small, four, cube = (2, 3, 2, 1), (1, 2, 1, 1), (4, 4, 4, 4)
    # Head 1 looks the other way, so that its lowest score is another key's.
    large = {
        "query": of([[[120.0, 0.0], [0.0, -120.0]], [[-120.0, 0.0], [0.0, 120.0]]]),
        "key": of([[[120.0, 108.0], [-118.0, -120.0], [115.0, -116.0]]]),
        "value": of([[[1.0, -2.0, 0.5], [3.0, 1.0, -1.0], [-0.5, 2.0, 4.0]]]),
    }
    lowest = np.array(
        [[[False, True, False], [True, False, False]], [[True, False, False], [False, True, False]]]
    )
    full = draw.allowed(2, 6, 3, 5)
    padded = draw.padded(2, 4).values[:, None]
    return [
        case(GROUPED_BY_HAND, "values", (), (2, 1), small, by_hand=True, gradient=True),
        case(FOUR_HEADS, "values", (), (4, 2), four, by_hand=True),
        case("6 heads, 3 groups, 4 queries, 5 keys", "values", (), (6, 3), (4, 5, 2, 7)),
        case("2 heads, 2 groups", "values", (), (2, 2), (3, 4, 5, 6), dtype="float32"),
        case("4 heads, 2 groups, every size 4", "values", (), (4, 2), cube),
        case("4 heads, 1 group, one token", "values", (), (4, 1), (1, 1, 3, 2)),
        case(f"batch 2, {GROUPED_BY_HAND}", "leading dimensions", (2,), (2, 1), small, by_hand=True),
        case("batch 2, 6 heads, 2 groups", "leading dimensions", (2,), (6, 2), (3, 5, 4, 7)),
        case("batch 4, 4 heads, 2 groups, every size 4", "leading dimensions", (4,), (4, 2), cube),
        case("batch 1, 2 heads, 1 group", "leading dimensions", (1,), (2, 1), (3, 4, 5, 2)),
        case("two batch dimensions", "leading dimensions", (2, 3), (4, 2), (2, 5, 3, 1), dtype="float32"),
        case("inputs that are not contiguous", "strides", (2,), (4, 2), (3, 5, 6, 1), strided=True),
        case(
            f"{GROUPED_BY_HAND}, masked",
            "mask",
            (),
            (2, 1),
            small,
            draw.allowed(2, 3),
            by_hand=True,
            gradient=True,
        ),
        case("2 heads, 1 group, a mask for each head", "mask", (), (2, 1), small, draw.allowed(2, 2, 3)),
        case("batch 2, a mask for each item and head", "mask", (2,), (6, 3), (3, 5, 4, 2), full),
        case(
            "batch 2, key padding (batch, 1, 1, n_keys)",
            "mask",
            (2,),
            (4, 2),
            (3, 4, 2, 5),
            Array(padded, "bool"),
        ),
        case(
            "batch 3, 3 heads, 4 queries, 4 keys, key padding",
            "mask",
            (3,),
            (3, 1),
            cube,
            Array(draw.padded(3, 4).values[:, None], "bool"),
        ),
        case("batch 2, one mask for all", "mask", (2,), (4, 2), (4, 4, 3, 2), draw.allowed(4, 4)),
        case(
            "batch 4, 4 heads, every size 4, masked",
            "mask",
            (4,),
            (4, 2),
            cube,
            draw.allowed(4, 1, 4, 4),
            dtype="float32",
        ),
        case(
            f"{GROUPED_BY_HAND}, nothing allowed for query 0",
            "nothing allowed",
            (),
            (2, 1),
            small,
            _nothing_for(2, 3, 0),
            by_hand=True,
            gradient=True,
        ),
        case(
            "batch 2, nothing allowed for query 1",
            "nothing allowed",
            (2,),
            (4, 2),
            (3, 4, 5, 6),
            _nothing_for(3, 4, 1),
            dtype="float32",
        ),
        Case("scores near ±10,000", "large scores", large),
        Case("scores near ±10,000, masked", "large scores", {**large, "allowed": Array(lowest, "bool")}),
        case(
            "4 heads, 2 groups, masked",
            "dtypes",
            (),
            (4, 2),
            (2, 3, 5, 1),
            draw.allowed(2, 3),
            dtype="bfloat16",
        ),
        case("batch 2, in float32", "dtypes", (2,), (4, 2), (3, 5, 2, 6), dtype="float32"),
    ]


EXERCISE = FunctionExercise(
    name="grouped_query_attention",
    prompt="Attention with fewer keys and values than queries: consecutive heads share a group.",
    points=3,
    difficulty=2,
    minutes=15,
    hints=(
        "The shapes tell how many heads there are and how many groups. How many heads share one group?",
        "If every head had its own copy of its group's keys and values, `attention` would do the rest, mask "
        "included. In which order do the copies stand, if heads 0 and 1 read group 0?",
        "`repeat_interleave` repeats each entry of an axis in its place, `repeat` the whole axis. The heads are "
        "the last axis but two.",
    ),
    returns=Returns(
        names=("output", "weights"),
        axes=("..., n_heads, n_queries, d_value", "..., n_heads, n_queries, n_keys"),
    ),
    oracle=oracle,
    cases=cases,
    noise=noise,
    variants=GROUPED_MISTAKES,
    words=WORDS
    | {
        "groups-tiled": (
            "The groups are dealt out in turn: 0, 1, 0, 1",
            "Consecutive heads share a group: with 4 heads and 2 groups, heads 0 and 1 read group 0, "
            "heads 2 and 3 group 1. Each group is repeated in its place. Here the whole row of groups was repeated "
            "instead. Trained weights are stored in that order, so a model that was "
            "trained one way is of no use the other way.",
        ),
        "first-group-everywhere": (
            "Every head reads group 0",
            "With one group for all it is multi-query attention. Here there are several, and each "
            "serves its own heads.",
        ),
        "groups-wrong-axis": (
            "The groups are repeated along an axis counted from the front",
            "The heads are the last axis but two. Counted from the front that axis is the batch, or "
            "the tokens, as soon as the number of leading dimensions changes.",
        ),
        "queries-averaged": (
            "The queries of a group are averaged",
            "Heads of a group share keys and values, not queries. Each head keeps its own query, and so it has "
            "scores and an output of its own. Queries are not in the cache, so averaging them saves no memory there.",
        ),
        "mask-head-axis-added": (
            "The mask is given a head axis that it has already, or does not need",
            "`allowed` broadcasts to the scores as it comes. One more axis in it makes one more axis "
            "in the result, or lines the batch of the mask up with something else.",
        ),
    },
)
