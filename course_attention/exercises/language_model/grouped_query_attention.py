from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import (
    SCALED,
    Pair,
    attend,
    attention_noise,
    attention_oracle,
)
from course_attention.exercises.common.inputs import nothing_for, of, triple
from course_attention.exercises.common.mistakes import SPLIT_HEADS
from course_attention.exercises.common.ready_made import ATTENTION
from course_attention.exercises.common.variants import each, variants
from course_attention.exercises.common.words import WORDS


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
        found.append(attention_oracle(query[..., head, :, :], key[..., group, :, :], value[..., group, :, :], mask))
    return np.stack([output for output, _ in found], -3), np.stack([weights for _, weights in found], -3)


def in_turn(shared: np.ndarray, n_heads: int) -> np.ndarray:
    """Copy each group for each of its heads: 0, 0, 1, 1."""
    return np.repeat(shared, n_heads // shared.shape[-3], axis=-3)


def grouped(query, key, value, allowed=None, *, share=in_turn, share_values=None, attend=attend) -> Pair:
    """Attention of all heads, the groups shared out; the values in the same way unless another is given."""
    n_heads = query.shape[-3]
    return attend(query, share(key, n_heads), (share_values or share)(value, n_heads), allowed)


def _dealt_out(shared: np.ndarray, n_heads: int) -> np.ndarray:
    return np.concatenate([shared] * (n_heads // shared.shape[-3]), axis=-3)


def _first_for_all(shared: np.ndarray, n_heads: int) -> np.ndarray:
    return np.repeat(shared[..., :1, :, :], n_heads, axis=-3)


def _along(axis: int) -> Callable[[np.ndarray, int], np.ndarray]:
    return lambda shared, n_heads: np.repeat(shared, n_heads // shared.shape[-3], axis=axis)


def _mean_of_group(query, key, value, allowed=None, *, repeated: bool) -> Pair:
    """One query for each group, the mean of its heads' queries; its result is repeated for the heads, or not."""
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    split = query.reshape(*query.shape[:-3], n_groups, n_heads // n_groups, *query.shape[-2:])
    mean = split.mean(axis=-3)
    return grouped(in_turn(mean, n_heads) if repeated else mean, key, value, allowed)


def _grouped_with_axis(query, key, value, allowed=None) -> Pair:
    if allowed is None:
        return grouped(query, key, value)
    allowed = allowed[..., None, :, :]

    def wider(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> np.ndarray:
        scores = SCALED(query, key, value)
        return np.broadcast_to(scores, np.broadcast_shapes(scores.shape, allowed.shape))

    return grouped(query, key, value, allowed, attend=partial(attend, score=wider))


def _mask_not_cut(query, key, value, allowed=None) -> Pair:
    """Cut the heads into two axes, groups and heads of a group, and leave the mask with the axes that it has."""
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    cut = query.reshape(*query.shape[:-3], n_groups, n_heads // n_groups, *query.shape[-2:])
    output, weights = attend(cut, key[..., None, :, :], value[..., None, :, :], allowed)
    return tuple(t.reshape(*query.shape[:-2], *t.shape[-2:]) for t in (output, weights))  # type: ignore[return-value]


def noise(query, key, value, allowed=None) -> tuple[float, float]:
    """Of output and weights."""
    return attention_noise(query, in_turn(key, query.shape[-3]), value)


GROUPED_BY_HAND = "2 heads, 1 group, 2 queries, 3 keys, d_key 2, d_value 1"

FOUR_HEADS = "4 heads, 2 groups, 1 query, 2 keys, d_key 1, d_value 1"


def cases(draw: Draw) -> list[Case]:
    """One group for all, several, and one for each head; masked for all heads alike and head by head."""

    def case(title, name, batch, heads, sizes, allowed=None, by_hand=False, gradient=False, **kind) -> Case:
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
    lowest = np.array([[[False, True, False], [True, False, False]], [[True, False, False], [False, True, False]]])
    full = draw.allowed(2, 6, 3, 5)
    padded = draw.padded(2, 4).values[:, None]
    large_scores, several, mask = properties.LARGE_SCORES, properties.LEADING_DIMENSIONS, properties.MASK
    return [
        case(GROUPED_BY_HAND, properties.VALUES, (), (2, 1), small, by_hand=True, gradient=True),
        case(FOUR_HEADS, properties.VALUES, (), (4, 2), four, by_hand=True),
        case("6 heads, 3 groups, 4 queries, 5 keys", properties.VALUES, (), (6, 3), (4, 5, 2, 7)),
        case("2 heads, 2 groups", properties.VALUES, (), (2, 2), (3, 4, 5, 6), dtype="float32"),
        case("4 heads, 2 groups, every size 4", properties.VALUES, (), (4, 2), cube),
        case("4 heads, 1 group, one token", properties.VALUES, (), (4, 1), (1, 1, 3, 2)),
        case(f"batch 2, {GROUPED_BY_HAND}", several, (2,), (2, 1), small, by_hand=True),
        case("batch 2, 6 heads, 2 groups", several, (2,), (6, 2), (3, 5, 4, 7)),
        case("batch 4, 4 heads, 2 groups, every size 4", several, (4,), (4, 2), cube),
        case("batch 1, 2 heads, 1 group", several, (1,), (2, 1), (3, 4, 5, 2)),
        case("two batch dimensions", several, (2, 3), (4, 2), (2, 5, 3, 1), dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, (2,), (4, 2), (3, 5, 6, 1), strided=True),
        case(
            f"{GROUPED_BY_HAND}, masked",
            mask,
            (),
            (2, 1),
            small,
            draw.allowed(2, 3),
            by_hand=True,
            gradient=True,
        ),
        case("2 heads, 1 group, a mask for each head", mask, (), (2, 1), small, draw.allowed(2, 2, 3)),
        case("2 heads, 2 groups, a mask for each head", mask, (), (2, 2), small, draw.allowed(2, 2, 3)),
        case("batch 2, a mask for each item and head", mask, (2,), (6, 3), (3, 5, 4, 2), full),
        case(
            "batch 2, key padding (batch, 1, 1, n_keys)",
            mask,
            (2,),
            (4, 2),
            (3, 4, 2, 5),
            Array(padded, "bool"),
        ),
        case(
            "batch 3, 3 heads, 4 queries, 4 keys, key padding",
            mask,
            (3,),
            (3, 1),
            cube,
            Array(draw.padded(3, 4).values[:, None], "bool"),
        ),
        case("batch 2, one mask for all", mask, (2,), (4, 2), (4, 4, 3, 2), draw.allowed(4, 4)),
        case(
            "batch 4, 4 heads, every size 4, masked",
            mask,
            (4,),
            (4, 2),
            cube,
            draw.allowed(4, 1, 4, 4),
            dtype="float32",
        ),
        case(
            f"{GROUPED_BY_HAND}, nothing allowed for query 0",
            properties.NOTHING_ALLOWED,
            (),
            (2, 1),
            small,
            nothing_for(0, 2, 3),
            by_hand=True,
            gradient=True,
        ),
        case(
            "batch 2, nothing allowed for query 1",
            properties.NOTHING_ALLOWED,
            (2,),
            (4, 2),
            (3, 4, 5, 6),
            nothing_for(1, 3, 4),
            dtype="float32",
        ),
        Case("scores near ±10,000", large_scores, large),
        Case("scores near ±10,000, masked", large_scores, {**large, "allowed": Array(lowest, "bool")}),
        case(
            "4 heads, 2 groups, masked",
            properties.DTYPES,
            (),
            (4, 2),
            (2, 3, 5, 1),
            draw.allowed(2, 3),
            dtype="bfloat16",
        ),
        case("batch 2, in float32", properties.DTYPES, (2,), (4, 2), (3, 5, 2, 6), dtype="float32"),
    ]


EXERCISE = FunctionExercise(
    name="grouped_query_attention",
    prompt="Attention with fewer keys and values than queries: consecutive heads share a group.",
    points=3,
    difficulty=2,
    minutes=8,
    hints=(
        "The shapes tell how many heads there are and how many groups. How many heads share one group?",
        "If every head had its own copy of its group's keys and values, `attention` would do the rest, mask "
        "included. In which order do the copies stand, if heads 0 and 1 read group 0?",
        "`repeat_interleave` repeats each entry of an axis in its place, `repeat` the whole axis. The heads are "
        "the last axis but two.",
    ),
    ready_made=ATTENTION,
    returns=Returns(
        names=("output", "weights"),
        axes=("..., n_heads, n_queries, d_value", "..., n_heads, n_queries, n_keys"),
    ),
    oracle=oracle,
    cases=cases,
    mutant_inputs={"n_heads": lambda inputs: inputs.multiple("n_groups")},
    noise=noise,
    words=WORDS,
    misconceptions={
        **variants(grouped, "attend", SPLIT_HEADS),
        "groups-tiled": Misconception(
            "The groups are dealt out in turn: 0, 1, 0, 1",
            "Consecutive heads share a group: with 4 heads and 2 groups, heads 0 and 1 read group 0, "
            "heads 2 and 3 group 1. Here heads 0 and 1 read two different groups, as they do where `repeat` copies the "
            "whole row of groups behind itself. Trained weights are stored in the order that is asked for, so a model "
            "that was trained one way is of no use the other way.",
            (
                partial(grouped, share=_dealt_out),
                partial(grouped, share=_dealt_out, share_values=in_turn),
                partial(grouped, share_values=_dealt_out),
            ),
        ),
        "first-group-everywhere": Misconception(
            "Every head reads group 0",
            "With one group for all it is multi-query attention. Here there are several, and each "
            "serves its own heads.",
            (partial(grouped, share=_first_for_all),),
        ),
        "groups-wrong-axis": Misconception(
            "The groups are repeated along an axis counted from the front",
            "The heads are the last axis but two. Counted from the front that axis is the batch, or "
            "the tokens, as soon as the number of leading dimensions changes.",
            tuple(partial(grouped, share=_along(axis)) for axis in (0, 1)),
        ),
        "queries-averaged": Misconception(
            "The queries of a group are averaged",
            "Heads of a group share keys and values, not queries. Each head keeps its own query, and so it has "
            "scores and an output of its own. Queries are not in the cache, so averaging them saves no memory there.",
            each(_mean_of_group, "repeated", False, True),
        ),
        "mask-not-cut": Misconception(
            "The heads are cut into groups, and the mask is not",
            "Cut, the scores have two axes for the heads: the groups, and the heads of a group. Axes are lined up from "
            "the last one on. So the mask's axis of heads meets the heads of a group, and its batch meets the groups. "
            "Cut the mask's heads in the same way; where that axis is 1 long, it becomes two axes of length 1.",
            (_mask_not_cut,),
        ),
        "mask-head-axis-added": Misconception(
            "The mask is given a head axis that it has already, or does not need",
            "`allowed` broadcasts to the scores as it comes. One more axis in it makes one more axis "
            "in the result, or lines the batch of the mask up with something else.",
            (_grouped_with_axis,),
        ),
    },
)
