"""What several exercises of this topic share: oracles, variants and inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.exercises.common.attention import ATTENTION_MISTAKES, SCALES, attend, scaled_by
from course_attention.exercises.common.masking import (
    MASK_MISTAKES,
    Weigh,
    first_item_for_all,
    missing,
    overflowing,
    overflowing_logarithm,
    softmax_along,
)
from course_attention.judging.drawing import Draw


def blocks(n_keys: int, block_size: int, whole_only: bool = False) -> Iterator[slice]:
    """Slices of the keys, the last one shorter where it has to be."""
    for start in range(0, n_keys, block_size):
        if start + block_size <= n_keys or not whole_only:
            yield slice(start, start + block_size)


def running(
    scores: np.ndarray,
    value: np.ndarray | None,
    block_size: int,
    *,
    rescale_total: Callable[[np.ndarray], np.ndarray] = np.exp,
    rescale_sum: Callable[[np.ndarray], np.ndarray] = np.exp,
    whole_only: bool = False,
    start: Callable[[np.ndarray], np.ndarray] = lambda first: np.full_like(first, -np.inf),
    grow: Callable[[np.ndarray, np.ndarray], np.ndarray] = np.maximum,
    shift: Callable[[np.ndarray, bool], np.ndarray] = lambda maximum, first: maximum,
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Running maximum, sum of exponentials, and sum of exponentials times values, where there are any.

    Args:
        rescale_total, rescale_sum: what the two sums are multiplied with, given the old maximum minus the new one.
        whole_only: leave a shorter last block out.
        start: the first maximum, given the first block's.
        grow: the next maximum, given the last one and the block's.
        shift: what is taken off the scores of a block, given the maximum, and whether the block is the first one.
    """
    maximum = start(scores[..., :block_size].max(axis=-1, keepdims=True))
    total = np.zeros(maximum.shape)
    mixed = None if value is None else np.zeros((*maximum.shape[:-1], value.shape[-1]))
    for block in blocks(scores.shape[-1], block_size, whole_only):
        new = grow(maximum, scores[..., block].max(axis=-1, keepdims=True))
        exponentials = np.exp(scores[..., block] - shift(new, block.start == 0))
        total = total * rescale_total(maximum - new) + exponentials.sum(axis=-1, keepdims=True)
        if value is not None:
            mixed = mixed * rescale_sum(maximum - new) + exponentials @ value[..., block, :]
        maximum = new
    return maximum, total, mixed


def triple(
    draw: Draw, query: tuple[int, ...], key: tuple[int, ...], d_value: int, by_hand: bool = False, **kind
) -> dict[str, Array]:
    make = draw.halves if by_hand else draw.normal
    shapes = {"query": query, "key": key, "value": (*key[:-1], d_value)}
    return {name: make(*shape, **kind) for name, shape in shapes.items()}


def of(numbers: list, dtype: str = "float32") -> Array:
    return Array(np.array(numbers), dtype)


Wrong = dict[str, tuple[Callable, ...]]


def attending(compute: Callable, ways: Wrong) -> Wrong:
    """A computation with its attention done in each of these ways."""
    return {name: tuple(partial(compute, attend=way) for way in options) for name, options in ways.items()}


def weighed(*ways: Weigh) -> tuple[Callable, ...]:
    return tuple(partial(attend, weigh=way) for way in ways)


def cleaned(scores: np.ndarray, allowed: np.ndarray | None = None) -> np.ndarray:
    """exp without the shift, and every NaN set to 0."""
    return np.nan_to_num(overflowing(scores, allowed))


def scored(*ways: Callable) -> tuple[Callable, ...]:
    return tuple(partial(attend, score=way) for way in ways)


# Without a mask, most of the forms that a mistake takes are one.
UNMASKED: Wrong = {
    "softmax-over-queries": weighed(softmax_along(-2)[0], softmax_along(1)[0]),
    "softmax-over-batch": weighed(softmax_along(0)[0]),
    "softmax-overflows": weighed(overflowing, overflowing_logarithm, cleaned),
    "softmax-missing": weighed(missing),
    **{name: scored(*ways) for name, ways in SCALES.items()},
    "weights-times-keys": ATTENTION_MISTAKES["weights-times-keys"],
}


def _scaled_by_all_heads(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> float:
    return np.sqrt(key.shape[-1] * query.shape[-3])


# Where the query comes split into heads: with a batch, axis 1 is the heads and axis 2 the queries.
SPLIT_HEADS: Wrong = {
    **UNMASKED,
    "softmax-over-queries": weighed(*softmax_along(-2), *softmax_along(2)),
    "softmax-over-heads": weighed(*softmax_along(-3), *softmax_along(1)),
    "softmax-over-batch": weighed(*softmax_along(0)),
    "softmax-overflows": (*ATTENTION_MISTAKES["softmax-overflows"], *weighed(cleaned)),
    "softmax-missing": ATTENTION_MISTAKES["softmax-missing"],
    "scale-by-d-model": scored(scaled_by(_scaled_by_all_heads)),
    **{name: ATTENTION_MISTAKES[name] for name in (*MASK_MISTAKES, "mask-on-queries")},
    "mask-first-item-for-all": weighed(*first_item_for_all(3)),
}


def unscaled(difference: np.ndarray) -> np.ndarray:
    return np.ones_like(difference)


def inverted(difference: np.ndarray) -> np.ndarray:
    return np.exp(-difference)


def from_zero(first: np.ndarray) -> np.ndarray:
    return np.zeros_like(first)


def first_maximum(first: np.ndarray) -> np.ndarray:
    return first


def of_block(maximum: np.ndarray, of_block: np.ndarray) -> np.ndarray:
    return of_block


def unchanged(maximum: np.ndarray, of_block: np.ndarray) -> np.ndarray:
    return maximum


FIRST_MAXIMUM: dict[str, Any] = {"start": first_maximum, "grow": unchanged}
