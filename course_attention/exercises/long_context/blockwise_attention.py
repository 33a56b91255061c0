from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import (
    SCALED,
    SCALES,
    attend,
    attention_noise,
    attention_oracle,
)
from course_attention.exercises.common.inputs import of, triple
from course_attention.exercises.common.mistakes import UNMASKED
from course_attention.exercises.common.ready_made import ATTENTION
from course_attention.exercises.common.variants import each, variants
from course_attention.exercises.long_context.in_blocks import (
    FIRST_MAXIMUM,
    blocks,
    first_maximum,
    from_zero,
    inverted,
    of_block,
    running,
    unscaled,
)
from course_attention.exercises.long_context.words import WORDS


def oracle(query: np.ndarray, key: np.ndarray, value: np.ndarray, block_size: int) -> np.ndarray:
    """Attention; the size of the blocks changes nothing."""
    return attention_oracle(query, key, value)[0]


def blockwise(query, key, value, block_size: int, *, score=SCALED, finish=lambda mixed, total: mixed / total, **parts):
    """Attention from the running sums."""
    _, total, mixed = running(score(query, key, value), value, block_size, **parts)
    return finish(mixed, total)


def block_outputs(query, key, value, block_size: int, whole_only: bool = False) -> list[np.ndarray]:
    """Attention over each block by itself."""
    return [
        attend(query, key[..., block, :], value[..., block, :])[0]
        for block in blocks(key.shape[-2], block_size, whole_only)
    ]


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
    (lambda difference: np.nan_to_num(np.exp(-difference), posinf=0.0), {}),
)


def _by_length(query, key, value, block_size: int) -> np.ndarray:
    lengths = [min(block_size, key.shape[-2] - start) for start in range(0, key.shape[-2], block_size)]
    outputs = block_outputs(query, key, value, block_size)
    return sum(n * output for n, output in zip(lengths, outputs, strict=True)) / key.shape[-2]


def _divided_in_every_block(query, key, value, block_size: int, *, rescaled: bool) -> np.ndarray:
    """Divide what is carried on by the sum, in each block anew."""
    scores = SCALED(query, key, value)
    maximum, total = np.full((*scores.shape[:-1], 1), -np.inf), np.zeros((*scores.shape[:-1], 1))
    output = np.zeros((*scores.shape[:-1], value.shape[-1]))
    for block in blocks(key.shape[-2], block_size):
        new = np.maximum(maximum, scores[..., block].max(axis=-1, keepdims=True))
        factor, parts = np.exp(maximum - new), np.exp(scores[..., block] - new)
        total = total * factor + parts.sum(axis=-1, keepdims=True)
        output = (output * (factor if rescaled else 1.0) + parts @ value[..., block, :]) / total
        maximum = new
    return output


def _own_block(query, key, value, block_size: int) -> np.ndarray:
    blocks = [slice(start, start + block_size) for start in range(0, key.shape[-2], block_size)]
    outputs = [attend(query[..., b, :], key[..., b, :], value[..., b, :])[0] for b in blocks]
    return np.concatenate(outputs, axis=-2)


def _whole(query, key, value, block_size: int, attend=attend) -> np.ndarray:
    return attend(query, key, value)[0]


def noise(query, key, value, block_size: int) -> tuple[float]:
    """Of the output."""
    return (attention_noise(query, key, value)[0],)


BLOCKS_BY_HAND = "2 queries, 3 keys, d_key 2, d_value 1, blocks of 2"


def cases(draw: Draw) -> list[Case]:
    """Blocks that come out even and that do not; scores that rise from block to block; one long sequence."""

    def case(title, name, batch, sizes, block_size, by_hand=False, gradient=False, limit=None, **kind) -> Case:
        n_queries, n_keys, d_key, d_value = sizes
        arguments = triple(draw, (*batch, n_queries, d_key), (*batch, n_keys, d_key), d_value, by_hand, **kind)
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
            properties.VALUES,
            (),
            (2, 4, 2, 1),
            2,
            by_hand=True,
            gradient=True,
        ),
        Case("2 queries, 4 keys, rising scores, blocks of 2", properties.VALUES, rising, gradient=True),
        case("4 queries, 6 keys, blocks of 3", properties.VALUES, (), (4, 6, 5, 2), 3),
        case("blocks of 1", properties.VALUES, (), (3, 4, 2, 5), 1),
        case("every size 4, blocks of 2", properties.VALUES, (), (4, 4, 4, 4), 2),
        case("one query, one key", properties.VALUES, (), (1, 1, 3, 2), 1, dtype="float32"),
        case(BLOCKS_BY_HAND, properties.LAST_BLOCK, (), (2, 3, 2, 1), 2, by_hand=True, gradient=True),
        case("5 queries, 7 keys, blocks of 3", properties.LAST_BLOCK, (), (5, 7, 4, 6), 3, dtype="float32"),
        case("2 queries, 3 keys, one block of 5", properties.LAST_BLOCK, (), (2, 3, 4, 2), 5),
        case("more queries than keys", properties.LAST_BLOCK, (), (7, 5, 2, 3), 2),
        case(f"batch 2, {BLOCKS_BY_HAND}", properties.LEADING_DIMENSIONS, (2,), (2, 3, 2, 1), 2, by_hand=True),
        case("batch 2, 3 queries, 5 keys", properties.LEADING_DIMENSIONS, (2,), (3, 5, 4, 6), 2),
        case("batch 4, every size 4", properties.LEADING_DIMENSIONS, (4,), (4, 4, 4, 4), 2, dtype="float32"),
        case("two batch dimensions", properties.LEADING_DIMENSIONS, (2, 3), (4, 5, 2, 6), 3, dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, (2,), (3, 4, 5, 6), 2, strided=True),
        Case("scores near ±10,000", properties.LARGE_SCORES, large),
        Case("scores that rise, that fall, and that are all low", properties.LARGE_SCORES, unlike),
        Case("scores near −10,000 and near 10,000", properties.LARGE_SCORES, apart),
        # One maximum for all queries holds here, a maximum that starts from 0 does not.
        Case("scores near −10,000", properties.LARGE_SCORES, {**apart, "query": of([[-120.0, 0.0]])}),
        case("40 queries, 24 keys, blocks of 4", properties.MEMORY, (), long, 4, limit=40 * 4),
        # A block of queries with all keys at once is too much here; a copy of all keys is not.
        case("24 queries, 40 keys, blocks of 4", properties.MEMORY, (), (24, 40, 2, 2), 4, limit=24 * 4),
        # One row of all keys is too much here, and so is a copy of all keys.
        case("2 queries, 40 keys, blocks of 8", properties.MEMORY, (), (2, 40, 2, 1), 8, limit=2 * 8),
        case("2 queries, 5 keys", properties.DTYPES, (), (2, 5, 4, 3), 2, dtype="bfloat16"),
        case("batch 2, in float32", properties.DTYPES, (2,), (3, 6, 4, 5), 4, dtype="float32"),
    ]


EXERCISE = FunctionExercise(
    name="blockwise_attention",
    prompt="Exact attention without the n_queries × n_keys matrix: one block of keys at a time.",
    points=4,
    difficulty=3,
    minutes=25,
    hints=(
        "It is `online_logsumexp` with one thing more to carry: the sum of exp(score − largest) · value, a row of "
        "d_value numbers for each query.",
        "For each block of keys and values: scores with all queries, the new maximum, the factor for what was "
        "summed before, and then both sums take the block in. The factor belongs to both of them.",
        "Divide once, at the end: the sum with the values by the sum without. Keep the last axis of the maximum "
        "(`keepdim=True`), so that all shapes fit.",
    ),
    ready_made=ATTENTION,
    oracle=oracle,
    cases=cases,
    noise=noise,
    returns=Returns(axes=("..., n_queries, d_value",)),
    words=WORDS,
    misconceptions={
        **variants(
            _whole,
            "attend",
            {idea: UNMASKED[idea] for idea in UNMASKED if idea not in (*SCALES, "softmax-over-batch")},
        ),
        **variants(blockwise, "score", SCALES),
        "softmax-overflows": (
            *each(_whole, "attend", *UNMASKED["softmax-overflows"]),
            partial(blockwise, **FIRST_MAXIMUM),
        ),
        "online-no-rescale": tuple(partial(blockwise, **parts) for parts in _RESCALING),
        "online-rescale-inverted": tuple(
            partial(blockwise, rescale_total=way, rescale_sum=way, **start) for way, start in _INVERTED
        ),
        "online-last-block": (
            partial(blockwise, whole_only=True),
            lambda **case: np.nan_to_num(blockwise(**case, whole_only=True)),
        ),
        "online-only-last-block": (partial(_one_for_each_block, join=lambda outputs: outputs[-1]),),
        "online-not-normalised": Misconception(
            "The weighted sum is not divided by the sum of the exponentials",
            "Exponentials are not weights yet. The division by their sum can wait until the last "
            "block, and cannot be left out.",
            (partial(blockwise, finish=lambda mixed, total: mixed),),
        ),
        "divided-in-every-block": Misconception(
            "What is carried on is divided in every block",
            "Both sums run on from block to block, and are divided once, at the end. What was divided already would "
            "have to be multiplied by the old sum before the next block is added.",
            each(_divided_in_every_block, "rescaled", True, False),
        ),
        "maximum-from-zero": (partial(blockwise, start=from_zero),),
        "blocks-averaged": (
            partial(_one_for_each_block, join=lambda outputs: sum(outputs) / len(outputs)),
            partial(_one_for_each_block, join=sum),
            _by_length,
        ),
        "blocks-diagonal": Misconception(
            "A block of queries sees its own block of keys alone",
            "That is local attention, another mechanism. Here every query attends to every key; "
            "blocks are an order to work in.",
            (_own_block,),
        ),
        "keepdims-forgotten": (
            partial(blockwise, shift=lambda maximum, first: maximum[..., 0]),
            partial(blockwise, rescale_sum=lambda difference: np.exp(difference)[..., 0]),
            partial(blockwise, finish=lambda mixed, total: mixed / total[..., 0]),
        ),
    },
)
