"""The exercise `online_logsumexp`: oracle, cases and misconceptions."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.exercises.common.attention import largest
from course_attention.exercises.modern.common import (
    FIRST_MAXIMUM,
    Wrong,
    blocks,
    first_maximum,
    from_zero,
    inverted,
    of,
    of_block,
    running,
    unchanged,
    unscaled,
)
from course_attention.exercises.modern.words import WORDS
from course_attention.judging.case import Case
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import FunctionExercise, Returns

# The right computation, one number at a time.


def oracle(scores: np.ndarray, block_size: int) -> np.ndarray:
    """log Σ exp, the largest score taken out of the sum."""
    result = np.empty(scores.shape[:-1])
    for index in np.ndindex(result.shape):
        highest = max(scores[index])
        result[index] = highest + np.log(sum(np.exp(score - highest) for score in scores[index]))
    return result


# The computation in a few lines, each part exchangeable for a wrong one.


def online(scores: np.ndarray, block_size: int, **parts) -> np.ndarray:
    """The maximum, plus the logarithm of the sum."""
    maximum, total, _ = running(scores, None, block_size, **parts)
    return (maximum + np.log(total))[..., 0]


def block_sums(scores: np.ndarray, block_size: int) -> np.ndarray:
    """The log-sum-exp of each block by itself, on a new last axis."""
    return np.stack(
        [oracle(scores[..., block], block_size) for block in blocks(scores.shape[-1], block_size)],
        axis=-1,
    )


def _nothing_kept(difference: np.ndarray) -> np.ndarray:
    return np.zeros_like(difference)


def _each_by_its_own(scores: np.ndarray, block_size: int) -> np.ndarray:
    """Each block by its own maximum, the sums added as they are."""
    tops = [scores[..., block].max(axis=-1) for block in blocks(scores.shape[-1], block_size)]
    sums = np.exp(block_sums(scores, block_size) - np.stack(tops, axis=-1))
    return scores.max(axis=-1) + np.log(sums.sum(axis=-1))


def _axis_of_highest_lost(scores: np.ndarray, block_size: int) -> np.ndarray:
    """The maximum of all scores, found first, has one axis less than the blocks that it is taken off."""
    highest = scores.max(axis=-1)
    parts = [scores[..., block] for block in blocks(scores.shape[-1], block_size)]
    return highest + np.log(sum(np.exp(part - highest).sum(axis=-1) for part in parts))


_NO_MAXIMUM: dict[str, Any] = {"start": from_zero, "grow": unchanged}


_ONLINE: Wrong = {
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
        partial(online, rescale_total=_nothing_kept),
        lambda scores, block_size: block_sums(scores, block_size)[..., -1],
    ),
    "logsumexp-overflows": (partial(online, **_NO_MAXIMUM), partial(online, **FIRST_MAXIMUM)),
    "maximum-from-zero": (partial(online, start=from_zero),),
    "maximum-not-added": (lambda scores, block_size: oracle(scores, block_size) - scores.max(axis=-1),),
    "log-missing": (
        lambda scores, block_size: np.exp(oracle(scores, block_size)),
        lambda scores, block_size: np.exp(oracle(scores, block_size) - scores.max(axis=-1)),
        lambda scores, block_size: (
            scores.max(axis=-1) + np.exp(oracle(scores, block_size) - scores.max(axis=-1))
        ),
    ),
    "keepdims-forgotten": (
        partial(online, shift=lambda maximum, first: maximum[..., 0]),
        partial(online, shift=lambda maximum, first: maximum[..., 0] if first else maximum),
        partial(online, shift=lambda maximum, first: maximum if first else maximum[..., 0]),
        _axis_of_highest_lost,
    ),
    "blocks-added": (lambda scores, block_size: block_sums(scores, block_size).sum(axis=-1),),
    "blocks-averaged": (lambda scores, block_size: block_sums(scores, block_size).mean(axis=-1),),
}


# Rounding errors of a right answer, in units of the dtype's epsilon.


def noise(scores: np.ndarray, block_size: int) -> tuple[float]:
    """Of the largest score, and of the sum's logarithm."""
    return (largest(scores) + scores.shape[-1],)


# The cases.


def cases(draw: Draw) -> list[Case]:
    """Blocks that come out even and that do not, of one score and of more than there are; scores that rise."""

    def case(title: str, name: str, shape: tuple[int, ...], block_size: int, **kind) -> Case:
        return Case(title, name, {"scores": draw.normal(*shape, **kind), "block_size": block_size})

    def given(title: str, name: str, scores: list, block_size: int, **kind) -> Case:
        return Case(title, name, {"scores": of(scores, **kind), "block_size": block_size})

    by_hand = {"scores": draw.halves(2, 4), "block_size": 2}
    uneven = {"scores": draw.halves(5), "block_size": 2}
    rising = {"scores": Array(np.sort(draw.halves(2, 6).values, axis=-1) * 2, "float64"), "block_size": 2}
    return [
        Case("2 queries, 4 keys, blocks of 2", "values", by_hand, gradient=True),
        Case("2 queries, 6 keys, rising scores, blocks of 2", "values", rising, gradient=True),
        case("12 keys, blocks of 3", "values", (12,), 3),
        Case("5 keys, blocks of 2", "last block", uneven, gradient=True),
        case("3 queries, 7 keys, blocks of 3", "last block", (3, 7), 3, dtype="float32"),
        case("2 keys, one block of 5", "last block", (2, 2), 5),
        case("blocks of 1", "values", (3, 4), 1),
        case("one key", "values", (2, 1), 1),
        case("batch 2, 3 queries, 5 keys", "leading dimensions", (2, 3, 5), 2),
        case("every size 4", "leading dimensions", (4, 4, 4), 4, dtype="float32"),
        case("two batch dimensions", "leading dimensions", (2, 3, 4, 6), 3, dtype="float32"),
        case("inputs that are not contiguous", "strides", (3, 5), 2, strided=True),
        given("scores near ±10,000", "large scores", [[-1e4, -9e3, 1e4, 9990.0], [1e4, 5.0, -1e4, 0.0]], 2),
        given(
            "one query's scores near 10,000, another's near −10,000",
            "large scores",
            [[1e4, 9990.0, 9995.0, 9999.0], [-1e4, -9995.0, -9990.0, -9999.0]],
            2,
        ),
        given(
            "scores that rise, that fall, and that are all low",
            "large scores",
            [
                [-9000.0, -8999.0, -3000.0, 4000.0, -50.0],
                [9000.0, 8990.0, 100.0, 90.0, -8000.0],
                [-10009.0, -10007.0, -10004.0, -10005.0, -10008.0],
            ],
            2,
        ),
        given("scores near −10,000", "large scores", [[-1e4, -9995.0, -9990.0, -9999.0]], 2, dtype="float64"),
        case("7 keys", "dtypes", (2, 7), 3, dtype="bfloat16"),
        case("8 keys, in float32", "dtypes", (2, 8), 4, dtype="float32"),
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
    noise=noise,
    variants=_ONLINE,
    words=WORDS
    | {
        "logsumexp-overflows": (
            "exp overflows",
            "exp of a large score is infinite, and exp of a very negative one 0, whose logarithm is "
            "−∞. The largest score so far is taken from all of them, and added to the logarithm at "
            "the end; the largest of the first block is not large enough for those after it.",
        ),
        "maximum-not-added": (
            "The maximum is not added at the end",
            "The running sum holds exponentials of score − maximum. Its logarithm is short by the maximum.",
        ),
        "log-missing": (
            "The logarithm is missing",
            "The result is the logarithm of the sum of the exponentials, in the scores' own unit.",
        ),
        "blocks-added": (
            "The blocks' results are added up",
            "Each block's log-sum-exp is a logarithm. Sums of exponentials may be added; their "
            "logarithms may not.",
        ),
    },
)
