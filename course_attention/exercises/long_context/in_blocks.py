"""Blocks of keys with a running maximum: what the exercises that go through the keys in blocks share."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


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
    """Return running maximum, sum of exponentials, and sum of exponentials times values, where there are any.

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
