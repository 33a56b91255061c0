"""Attention in parts, each exchangeable for a wrong one: the exercises of several topics are judged with it."""

from collections.abc import Callable
from functools import partial

import numpy as np

from course_attention.exercises.common.masking import (
    AXIS_LOST,
    MASK_MISTAKES,
    MASK_ON_QUERIES,
    MISSING,
    OVERFLOWING,
    Weigh,
    distribution_oracle,
    first_item_for_all,
    softmax_along,
    unnamed_axis,
    weigh,
)
from course_attention.exercises.common.variants import Variants, variants

Pair = tuple[np.ndarray, np.ndarray]


def pairwise(query: np.ndarray, key: np.ndarray, score: Callable[[np.ndarray, np.ndarray], float]) -> np.ndarray:
    """Return the score of every query with every key, leading dimensions broadcast."""
    leading = np.broadcast_shapes(query.shape[:-2], key.shape[:-2])
    query = np.broadcast_to(query, leading + query.shape[-2:])
    key = np.broadcast_to(key, leading + key.shape[-2:])
    scores = np.empty((*leading, query.shape[-2], key.shape[-2]))
    for index in np.ndindex(scores.shape):
        *batch, i, j = index
        scores[index] = score(query[(*batch, i)], key[(*batch, j)])
    return scores


def dot(a: np.ndarray, b: np.ndarray) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def mixed(weights: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Σ_j weights_ij · value_j."""
    value = np.broadcast_to(value, weights.shape[:-2] + value.shape[-2:])
    output = np.zeros((*weights.shape[:-1], value.shape[-1]))
    for index in np.ndindex(weights.shape):
        *batch, i, j = index
        output[(*batch, i)] += weights[index] * value[(*batch, j)]
    return output


def attention_oracle(query: np.ndarray, key: np.ndarray, value: np.ndarray, allowed: np.ndarray | None = None) -> Pair:
    """softmax(Q Kᵀ / √d_key) V, and the weights."""
    scores = pairwise(query, key, lambda q, k: dot(q, k) / len(k) ** 0.5)
    allowed = None if allowed is None else np.broadcast_to(allowed, scores.shape)
    weights = distribution_oracle(scores, allowed)
    return mixed(weights, value), weights


def scaled_by(size: Callable[[np.ndarray, np.ndarray, np.ndarray], float]) -> Callable[..., np.ndarray]:
    """Dot products divided by a size of the arguments."""
    return lambda query, key, value: query @ key.swapaxes(-1, -2) / size(query, key, value)


SCALED = scaled_by(lambda query, key, value: np.sqrt(key.shape[-1]))

SCALES = {
    "no-scale": (scaled_by(lambda query, key, value: 1.0),),
    "scale-by-d": (scaled_by(lambda query, key, value: key.shape[-1]),),
    "scale-multiplied": (scaled_by(lambda query, key, value: key.shape[-1] ** -0.5),),
    "scale-wrong-axis": (
        scaled_by(lambda query, key, value: np.sqrt(key.shape[-2])),
        scaled_by(lambda query, key, value: np.sqrt(value.shape[-1])),
        scaled_by(lambda query, key, value: np.sqrt(query.shape[-2])),
    ),
}


def _reshaped(query: np.ndarray, key: np.ndarray) -> np.ndarray:
    return query @ key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])


def attend(
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    allowed: np.ndarray | None = None,
    score: Callable[..., np.ndarray] = SCALED,
    weigh: Weigh = weigh,
    mix: Callable[..., np.ndarray] = lambda weights, key, value: weights @ value,
) -> Pair:
    """Output and weights of attention."""
    weights = weigh(score(query, key, value), allowed)
    return mix(weights, key, value), weights


def _over_batch(axis: int, swap_back: bool, guarded: bool) -> Callable[..., Pair]:
    """Attention along the first axis: code for (n_tokens, batch, d) that is given (batch, n_tokens, d)."""

    def attend_over_batch(query, key, value, allowed=None):
        if guarded and query.ndim < 3:
            return attend(query, key, value, allowed)
        output, weights = attend(*(t.swapaxes(0, axis) for t in (query, key, value)), allowed)
        return (output.swapaxes(0, axis) if swap_back else output), weights

    return attend_over_batch


def largest(values: np.ndarray) -> float:
    """Return the size of the largest number."""
    return float(np.abs(values).max(initial=0.0))


def product_noise(query: np.ndarray, key: np.ndarray) -> float:
    """Of the dot products."""
    return float((np.abs(query) @ np.abs(key).swapaxes(-1, -2)).max()) * np.sqrt(key.shape[-1])


def attention_noise(query, key, value, allowed=None) -> tuple[float, float]:
    """Of output and weights."""
    weights = product_noise(query, key) / np.sqrt(key.shape[-1]) + key.shape[-2]
    return weights * largest(value), weights


ATTENTION_MISTAKES: dict[str, Variants] = {
    **variants(
        attend,
        "weigh",
        {
            # Axis 1 is the queries of a batch, and something else in any other shape.
            "softmax-over-queries": (*softmax_along(-2), *softmax_along(1)),
            "softmax-over-batch": (*softmax_along(0), *softmax_along(unnamed_axis)),
            "softmax-over-everything": (*softmax_along((-2, -1)), *softmax_along(None)),
            "softmax-overflows": OVERFLOWING,
            "softmax-missing": MISSING,
            "keepdims-forgotten": AXIS_LOST,
        },
    ),
    **variants(attend, "score", SCALES),
    "key-reshaped": (partial(attend, score=lambda query, key, value: _reshaped(query, key) / np.sqrt(key.shape[-1])),),
    "key-not-transposed": (partial(attend, score=lambda query, key, value: query @ key / np.sqrt(key.shape[-1])),),
    "weights-times-keys": (partial(attend, mix=lambda weights, key, value: weights @ key),),
    **variants(attend, "weigh", MASK_MISTAKES),
    **variants(
        attend,
        "weigh",
        {"mask-on-queries": MASK_ON_QUERIES, "mask-first-item-for-all": first_item_for_all(2)},
    ),
    "batch-as-sequence": tuple(
        _over_batch(axis, swap_back, guarded)
        for axis in (1, -2)
        for swap_back in (True, False)
        for guarded in (True, False)
    ),
}
