"""Grouped-query attention in parts, each exchangeable for a wrong one: the variants of `grouped_query_attention`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.exercises.common.attention import SCALED, Pair, attend
from course_attention.exercises.modern.common import SPLIT_HEADS, Wrong, attending


def in_turn(shared: np.ndarray, n_heads: int) -> np.ndarray:
    """A copy of each group for each of its heads: 0, 0, 1, 1."""
    return np.repeat(shared, n_heads // shared.shape[-3], axis=-3)


def grouped(query, key, value, allowed=None, *, share=in_turn, attend=attend) -> Pair:
    """Attention of all heads, the groups shared out."""
    n_heads = query.shape[-3]
    return attend(query, share(key, n_heads), share(value, n_heads), allowed)


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


GROUPED_MISTAKES: Wrong = attending(grouped, SPLIT_HEADS) | {
    "groups-tiled": (partial(grouped, share=_dealt_out),),
    "first-group-everywhere": (partial(grouped, share=_first_for_all),),
    "groups-wrong-axis": tuple(partial(grouped, share=_along(axis)) for axis in (0, 1)),
    "queries-averaged": tuple(partial(_mean_of_group, repeated=repeated) for repeated in (False, True)),
    "mask-head-axis-added": (_grouped_with_axis,),
}
