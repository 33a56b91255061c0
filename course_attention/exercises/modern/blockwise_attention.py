"""The exercise `blockwise_attention`: oracle, cases and misconceptions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.exercises.common.attention import (
    SCALED,
    SCALES,
    attend,
    attention_noise,
    attention_oracle,
)
from course_attention.exercises.modern.common import (
    FIRST_MAXIMUM,
    UNMASKED,
    Wrong,
    attending,
    blocks,
    first_maximum,
    from_zero,
    inverted,
    of,
    of_block,
    running,
    triple,
    unscaled,
)
from course_attention.exercises.modern.words import WORDS
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import FunctionExercise, Returns

# The right computation, one number at a time.


def oracle(query: np.ndarray, key: np.ndarray, value: np.ndarray, block_size: int) -> np.ndarray:
    """Attention; the size of the blocks changes nothing."""
    return attention_oracle(query, key, value)[0]


# The computation in a few lines, each part exchangeable for a wrong one.


def blockwise(
    query, key, value, block_size: int, *, score=SCALED, finish=lambda mixed, total: mixed / total, **parts
):
    """Attention from the running sums."""
    _, total, mixed = running(score(query, key, value), value, block_size, **parts)
    return finish(mixed, total)


def block_outputs(query, key, value, block_size: int, whole_only: bool = False) -> list[np.ndarray]:
    """Attention over each block by itself."""
    return [
        attend(query, key[..., block, :], value[..., block, :])[0]
        for block in blocks(key.shape[-2], block_size, whole_only)
    ]


def _inverted_finite(difference: np.ndarray) -> np.ndarray:
    return np.nan_to_num(np.exp(-difference), posinf=0.0)


def _one_for_each_block(query, key, value, block_size: int, join: Callable) -> np.ndarray:
    return join(block_outputs(query, key, value, block_size))


_RESCALING: tuple[dict[str, Any], ...] = (
    {"rescale_total": unscaled, "rescale_sum": unscaled},
    {"rescale_total": unscaled},
    {"rescale_sum": unscaled},
    {"rescale_total": unscaled, "rescale_sum": unscaled, "grow": of_block},
)
_INVERTED: tuple[tuple[Callable, dict[str, Any]], ...] = (
    (inverted, {}),
    (inverted, {"start": first_maximum}),
    (_inverted_finite, {}),
)


def _by_length(query, key, value, block_size: int) -> np.ndarray:
    lengths = [min(block_size, key.shape[-2] - start) for start in range(0, key.shape[-2], block_size)]
    outputs = block_outputs(query, key, value, block_size)
    return sum(n * output for n, output in zip(lengths, outputs, strict=True)) / key.shape[-2]


def _own_block(query, key, value, block_size: int) -> np.ndarray:
    blocks = [slice(start, start + block_size) for start in range(0, key.shape[-2], block_size)]
    outputs = [attend(query[..., b, :], key[..., b, :], value[..., b, :])[0] for b in blocks]
    return np.concatenate(outputs, axis=-2)


def _whole(query, key, value, block_size: int, attend=attend) -> np.ndarray:
    return attend(query, key, value)[0]


_BLOCKWISE: Wrong = {
    **attending(
        _whole,
        {name: ways for name, ways in UNMASKED.items() if name not in (*SCALES, "softmax-over-batch")},
    ),
    **{name: tuple(partial(blockwise, score=way) for way in ways) for name, ways in SCALES.items()},
    "online-no-rescale": tuple(partial(blockwise, **parts) for parts in _RESCALING),
    "online-rescale-inverted": tuple(
        partial(blockwise, rescale_total=way, rescale_sum=way, **start) for way, start in _INVERTED
    ),
    "online-last-block": (
        partial(blockwise, whole_only=True),
        lambda **case: np.nan_to_num(blockwise(**case, whole_only=True)),
    ),
    "online-only-last-block": (partial(_one_for_each_block, join=lambda outputs: outputs[-1]),),
    "online-not-normalised": (partial(blockwise, finish=lambda mixed, total: mixed),),
    "maximum-from-zero": (partial(blockwise, start=from_zero),),
    "blocks-averaged": (
        partial(_one_for_each_block, join=lambda outputs: sum(outputs) / len(outputs)),
        partial(_one_for_each_block, join=sum),
        _by_length,
    ),
    "blocks-diagonal": (_own_block,),
    "keepdims-forgotten": (
        partial(blockwise, shift=lambda maximum, first: maximum[..., 0]),
        partial(blockwise, rescale_sum=lambda difference: np.exp(difference)[..., 0]),
        partial(blockwise, finish=lambda mixed, total: mixed / total[..., 0]),
    ),
}
_BLOCKWISE["softmax-overflows"] += (partial(blockwise, **FIRST_MAXIMUM),)


# Rounding errors of a right answer, in units of the dtype's epsilon.


def noise(query, key, value, block_size: int) -> tuple[float]:
    """Of the output."""
    return (attention_noise(query, key, value)[0],)


# The cases.


BLOCKS_BY_HAND = "2 queries, 3 keys, d_key 2, d_value 1, blocks of 2"


def cases(draw: Draw) -> list[Case]:
    """Blocks that come out even and that do not; scores that rise from block to block; one long sequence."""

    def case(
        title: str,
        name: str,
        batch: tuple[int, ...],
        sizes: tuple[int, int, int, int],
        block_size: int,
        by_hand: bool = False,
        gradient: bool = False,
        limit: int | None = None,
        **kind,
    ) -> Case:
        n_queries, n_keys, d_key, d_value = sizes
        arguments = triple(
            draw, (*batch, n_queries, d_key), (*batch, n_keys, d_key), d_value, by_hand, **kind
        )
        return Case(title, name, {**arguments, "block_size": block_size}, gradient, limit=limit)

    large = {
        "query": of([[120.0, 0.0], [0.0, -120.0]]),
        "key": of([[-118.0, 108.0], [-115.0, -100.0], [120.0, 120.0], [-120.0, -119.0]]),
        "value": of([[1.0, -2.0, 0.5], [3.0, 1.0, -1.0], [-0.5, 2.0, 4.0], [2.0, -1.0, 1.0]]),
        "block_size": 2,
    }
    # One query has low scores alone, which rise from block to block, the other high ones, which fall.
    apart = {
        **large,
        "query": of([[-120.0, 0.0], [120.0, 0.0]]),
        "key": of([[120.0, 1.0], [110.0, 0.0], [100.0, 2.0], [90.0, 0.0]]),
    }
    # The scores of one query rise from block to block, those of another fall, and those of the last are all low.
    unlike = {
        "query": of([[120.0, 0.0], [-120.0, 0.0], [0.0, -120.0]]),
        "key": of([[-100.0, 120.0], [-98.0, 119.5], [0.0, 121.0], [100.0, 120.5], [-3.0, 120.0]]),
        "value": of([[1.0, -2.0], [3.0, 1.0], [-0.5, 2.0], [2.0, -1.0], [4.0, 0.5]]),
        "block_size": 2,
    }
    rising = {
        "query": Array(np.abs(draw.halves(2, 1).values), "float64"),
        "key": Array(np.sort(draw.halves(4, 1).values, axis=0) * 2, "float64"),
        "value": draw.halves(4, 1),
        "block_size": 2,
    }
    long = (40, 24, 3, 2)
    return [
        case(
            "2 queries, 4 keys, d_key 2, d_value 1, blocks of 2",
            "values",
            (),
            (2, 4, 2, 1),
            2,
            by_hand=True,
            gradient=True,
        ),
        Case("2 queries, 4 keys, rising scores, blocks of 2", "values", rising, gradient=True),
        case("4 queries, 6 keys, blocks of 3", "values", (), (4, 6, 5, 2), 3),
        case("blocks of 1", "values", (), (3, 4, 2, 5), 1),
        case("every size 4, blocks of 2", "values", (), (4, 4, 4, 4), 2),
        case("one query, one key", "values", (), (1, 1, 3, 2), 1, dtype="float32"),
        case(BLOCKS_BY_HAND, "last block", (), (2, 3, 2, 1), 2, by_hand=True, gradient=True),
        case("5 queries, 7 keys, blocks of 3", "last block", (), (5, 7, 4, 6), 3, dtype="float32"),
        case("2 queries, 3 keys, one block of 5", "last block", (), (2, 3, 4, 2), 5),
        case("more queries than keys", "last block", (), (7, 5, 2, 3), 2),
        case(f"batch 2, {BLOCKS_BY_HAND}", "leading dimensions", (2,), (2, 3, 2, 1), 2, by_hand=True),
        case("batch 2, 3 queries, 5 keys", "leading dimensions", (2,), (3, 5, 4, 6), 2),
        case("batch 4, every size 4", "leading dimensions", (4,), (4, 4, 4, 4), 2, dtype="float32"),
        case("two batch dimensions", "leading dimensions", (2, 3), (4, 5, 2, 6), 3, dtype="float32"),
        case("inputs that are not contiguous", "strides", (2,), (3, 4, 5, 6), 2, strided=True),
        Case("scores near ±10,000", "large scores", large),
        Case("scores that rise, that fall, and that are all low", "large scores", unlike),
        Case("scores near −10,000 and near 10,000", "large scores", apart),
        # One maximum for all queries holds here, a maximum that starts from 0 does not.
        Case("scores near −10,000", "large scores", {**apart, "query": of([[-120.0, 0.0]])}),
        case("40 queries, 24 keys, blocks of 4", "memory", (), long, 4, limit=40 * 4),
        case("2 queries, 5 keys", "dtypes", (), (2, 5, 4, 3), 2, dtype="bfloat16"),
        case("batch 2, in float32", "dtypes", (2,), (3, 6, 4, 5), 4, dtype="float32"),
    ]


EXERCISE = FunctionExercise(
    name="blockwise_attention",
    prompt="Exact attention without the n_queries × n_keys matrix: one block of keys at a time.",
    points=4,
    difficulty=3,
    minutes=30,
    hints=(
        "It is `online_logsumexp` with one thing more to carry: the sum of exp(score − largest) · value, a row of "
        "d_value numbers for each query.",
        "For each block of keys and values: scores with all queries, the new maximum, the factor for what was "
        "summed before, and then both sums take the block in. The factor belongs to both of them.",
        "Divide once, at the end: the sum with the values by the sum without. Keep the last axis of the maximum "
        "(`keepdim=True`), so that all shapes fit.",
    ),
    oracle=oracle,
    cases=cases,
    noise=noise,
    returns=Returns(axes=("..., n_queries, d_value",)),
    variants=_BLOCKWISE,
    words=WORDS
    | {
        "online-not-normalised": (
            "The weighted sum is not divided by the sum of the exponentials",
            "Exponentials are not weights yet. The division by their sum can wait until the last "
            "block, and cannot be left out.",
        ),
        "blocks-diagonal": (
            "A block of queries sees its own block of keys alone",
            "That is local attention, another mechanism. Here every query attends to every key; "
            "blocks are an order to work in.",
        ),
    },
)
