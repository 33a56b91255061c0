from functools import partial
from typing import Any

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import largest
from course_attention.exercises.common.inputs import of
from course_attention.exercises.long_context.in_blocks import (
    FIRST_MAXIMUM,
    blocks,
    first_maximum,
    from_zero,
    inverted,
    of_block,
    running,
    unchanged,
    unscaled,
)
from course_attention.exercises.long_context.words import WORDS


def oracle(scores: np.ndarray, block_size: int) -> np.ndarray:
    """log Σ exp, the largest score taken out of the sum."""
    result = np.empty(scores.shape[:-1])
    for index in np.ndindex(result.shape):
        highest = max(scores[index])
        result[index] = highest + np.log(sum(np.exp(score - highest) for score in scores[index]))
    return result


def online(scores: np.ndarray, block_size: int, **parts) -> np.ndarray:
    """Add the logarithm of the sum to the maximum."""
    maximum, total, _ = running(scores, None, block_size, **parts)
    return (maximum + np.log(total))[..., 0]


def block_sums(scores: np.ndarray, block_size: int) -> np.ndarray:
    """Return the log-sum-exp of each block by itself, on a new last axis."""
    return np.stack([oracle(scores[..., block], block_size) for block in blocks(scores.shape[-1], block_size)], axis=-1)


def _each_by_its_own(scores: np.ndarray, block_size: int) -> np.ndarray:
    """Each block by its own maximum, the sums added as they are."""
    tops = [scores[..., block].max(axis=-1) for block in blocks(scores.shape[-1], block_size)]
    sums = np.exp(block_sums(scores, block_size) - np.stack(tops, axis=-1))
    return scores.max(axis=-1) + np.log(sums.sum(axis=-1))


def _axis_of_highest_lost(scores: np.ndarray, block_size: int) -> np.ndarray:
    """Take the maximum of all scores off blocks that have one axis more."""
    highest = scores.max(axis=-1)
    parts = [scores[..., block] for block in blocks(scores.shape[-1], block_size)]
    return highest + np.log(sum(np.exp(part - highest).sum(axis=-1) for part in parts))


def _of_whole_array(maximum: np.ndarray, of_block: np.ndarray) -> np.ndarray:
    return np.maximum(maximum, of_block.max())


def _rows_in_blocks(scores: np.ndarray, block_size: int) -> np.ndarray:
    """As `split` does it that is not told an axis: the blocks are cut along the first one."""
    maximum, total = np.full(scores.shape[:-1], -np.inf), np.zeros(scores.shape[:-1])
    for rows in blocks(len(scores), block_size):
        new = np.maximum(maximum, scores[rows].max(axis=-1))
        total = total * np.exp(maximum - new) + np.exp(scores[rows] - new[..., None]).sum(axis=-1)
        maximum = new
    return maximum + np.log(total)


def _rescaled_with_block(scores: np.ndarray, block_size: int) -> np.ndarray:
    """Add the block to the sum, and rescale both."""
    maximum, total = np.full(scores.shape[:-1], -np.inf), np.zeros(scores.shape[:-1])
    for block in blocks(scores.shape[-1], block_size):
        new = np.maximum(maximum, scores[..., block].max(axis=-1))
        total = (total + np.exp(scores[..., block] - new[..., None]).sum(axis=-1)) * np.exp(maximum - new)
        maximum = new
    return maximum + np.log(total)


_NO_MAXIMUM: dict[str, Any] = {"start": from_zero, "grow": unchanged}


def noise(scores: np.ndarray, block_size: int) -> tuple[float]:
    """Of the largest score, and of the sum's logarithm."""
    return (largest(scores) + scores.shape[-1],)


def cases(draw: Draw) -> list[Case]:
    """Blocks that come out even and that do not, of one score and of more than there are; scores that rise."""

    def case(title, name, shape, block_size, **kind) -> Case:
        return Case(title, name, {"scores": draw.normal(*shape, **kind), "block_size": block_size})

    def given(title, name, scores, block_size, **kind) -> Case:
        return Case(title, name, {"scores": of(scores, **kind), "block_size": block_size})

    by_hand = {"scores": draw.halves(2, 4), "block_size": 2}
    uneven = {"scores": draw.halves(5), "block_size": 2}
    rising = {"scores": Array(np.sort(draw.halves(2, 6).values, axis=-1) * 2, "float64"), "block_size": 2}
    large_scores = properties.LARGE_SCORES
    return [
        Case("2 queries, 4 keys, blocks of 2", properties.VALUES, by_hand, gradient=True),
        Case("2 queries, 6 keys, rising scores, blocks of 2", properties.VALUES, rising, gradient=True),
        case("12 keys, blocks of 3", properties.VALUES, (12,), 3),
        Case("5 keys, blocks of 2", properties.LAST_BLOCK, uneven, gradient=True),
        case("3 queries, 7 keys, blocks of 3", properties.LAST_BLOCK, (3, 7), 3, dtype="float32"),
        case("2 keys, one block of 5", properties.LAST_BLOCK, (2, 2), 5),
        case("blocks of 1", properties.VALUES, (3, 4), 1),
        case("one key", properties.VALUES, (2, 1), 1),
        case("batch 2, 3 queries, 5 keys", properties.LEADING_DIMENSIONS, (2, 3, 5), 2),
        case("every size 4", properties.LEADING_DIMENSIONS, (4, 4, 4), 4, dtype="float32"),
        case("two batch dimensions", properties.LEADING_DIMENSIONS, (2, 3, 4, 6), 3, dtype="float32"),
        case("inputs that are not contiguous", properties.STRIDES, (3, 5), 2, strided=True),
        given("scores near ±10,000", large_scores, [[-1e4, -9e3, 1e4, 9990.0], [1e4, 5.0, -1e4, 0.0]], 2),
        given(
            "one query's scores near 10,000, another's near −10,000",
            large_scores,
            [[1e4, 9990.0, 9995.0, 9999.0], [-1e4, -9995.0, -9990.0, -9999.0]],
            2,
        ),
        given(
            "scores that rise, that fall, and that are all low",
            large_scores,
            [
                [-9000.0, -8999.0, -3000.0, 4000.0, -50.0],
                [9000.0, 8990.0, 100.0, 90.0, -8000.0],
                [-10009.0, -10007.0, -10004.0, -10005.0, -10008.0],
            ],
            2,
        ),
        given("scores near −10,000", large_scores, [[-1e4, -9995.0, -9990.0, -9999.0]], 2, dtype="float64"),
        case("7 keys", properties.DTYPES, (2, 7), 3, dtype="bfloat16"),
        case("8 keys, in float32", properties.DTYPES, (2, 8), 4, dtype="float32"),
    ]


EXERCISE = FunctionExercise(
    name="online_logsumexp",
    prompt="Compute log Σ exp over the last axis, looking at one block of scores at a time.",
    points=2,
    difficulty=2,
    minutes=15,
    hints=(
        "Two numbers for each row are carried from block to block: the largest score so far, and the sum of "
        "exp(score − largest) so far.",
        "When a block brings a larger maximum, the sum so far has been taken with the old one. Which factor turns "
        "exp(score − old) into exp(score − new)?",
        "`scores.split(block_size, dim=-1)` gives the blocks, the last one shorter. If the maximum starts from −∞ "
        "and the sum from 0, the first block is like any other. At the end: maximum + log of the sum.",
    ),
    returns=Returns(names=("logsumexp",)),
    oracle=oracle,
    cases=cases,
    mutant_inputs={"scores": lambda inputs: inputs.scores("... n_keys")},
    noise=noise,
    words=WORDS,
    misconceptions={
        "online-no-rescale": (
            partial(online, rescale_total=unscaled),
            partial(online, rescale_total=unscaled, grow=of_block),
            _each_by_its_own,
        ),
        "online-rescale-inverted": (
            partial(online, rescale_total=inverted),
            partial(online, rescale_total=inverted, start=first_maximum),
        ),
        "online-last-block": (partial(online, whole_only=True),),
        "online-only-last-block": (
            partial(online, rescale_total=lambda difference: np.zeros_like(difference)),
            lambda scores, block_size: block_sums(scores, block_size)[..., -1],
        ),
        "logsumexp-overflows": Misconception(
            "exp overflows",
            "exp of a large score is infinite, and exp of a very negative one 0, whose logarithm is −∞. "
            "The largest score so far is taken from all of them, and added to the logarithm at the end; "
            "the largest of the first block is not large enough for those after it.",
            (partial(online, **_NO_MAXIMUM), partial(online, **FIRST_MAXIMUM)),
        ),
        "maximum-from-zero": (partial(online, start=from_zero),),
        "maximum-of-block": Misconception(
            "The maximum of the block takes the place of the largest score so far",
            "A block of low scores has a low maximum. Rescaled to that, the sum of a block before it may become "
            "infinite. What is carried on is the largest score of all blocks so far.",
            (partial(online, grow=of_block),),
        ),
        "one-maximum-for-all": Misconception(
            "All rows share one maximum",
            "Where the scores of one row lie far below those of another, all their exponentials become 0, and the "
            "logarithm of 0 is −∞. Each row has a largest score of its own.",
            (partial(online, grow=_of_whole_array),),
        ),
        "first-counted-twice": Misconception(
            "The sum begins with 1, and the first score is counted twice",
            "A sum that begins with 1 holds one score already, whose exponential less the maximum is 1. The first "
            "block brings this score once more. The sum begins with 0.",
            (
                lambda scores, block_size: np.logaddexp(oracle(scores, block_size), scores[..., 0]),
                lambda scores, block_size: np.logaddexp(
                    oracle(scores, block_size), scores[..., :block_size].max(axis=-1)
                ),
            ),
        ),
        "blocks-of-rows": Misconception(
            "The blocks are cut along the first axis",
            "`split` and `chunk` cut the first axis unless they are told another one. The scores of a row lie along "
            "the last axis.",
            (_rows_in_blocks,),
        ),
        "rescaled-with-the-block": Misconception(
            "The new block is rescaled as well",
            "The factor exp(old − new) belongs to what was summed before, with the old maximum. The block's own "
            "exponentials are taken with the new one already. Where the first maximum is −∞, the factor is 0.",
            (_rescaled_with_block,),
        ),
        "maximum-not-added": Misconception(
            "The maximum is not added at the end",
            "The running sum holds exponentials of score − maximum. Its logarithm is short by the maximum.",
            (lambda scores, block_size: oracle(scores, block_size) - scores.max(axis=-1),),
        ),
        "log-missing": Misconception(
            "The logarithm is missing",
            "The result is the logarithm of the sum of the exponentials, in the scores' own unit.",
            (
                lambda scores, block_size: np.exp(oracle(scores, block_size)),
                lambda scores, block_size: np.exp(oracle(scores, block_size) - scores.max(axis=-1)),
                lambda scores, block_size: (
                    scores.max(axis=-1) + np.exp(oracle(scores, block_size) - scores.max(axis=-1))
                ),
            ),
        ),
        "keepdims-forgotten": (
            partial(online, shift=lambda maximum, first: maximum[..., 0]),
            partial(online, shift=lambda maximum, first: maximum[..., 0] if first else maximum),
            partial(online, shift=lambda maximum, first: maximum if first else maximum[..., 0]),
            _axis_of_highest_lost,
        ),
        "blocks-added": Misconception(
            "The blocks' results are added up",
            "Each block's log-sum-exp is a logarithm. Sums of exponentials may be added; their logarithms may not.",
            (lambda scores, block_size: block_sums(scores, block_size).sum(axis=-1),),
        ),
        "blocks-averaged": (lambda scores, block_size: block_sums(scores, block_size).mean(axis=-1),),
    },
)
