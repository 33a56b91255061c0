"""What notebook 09 is judged with: the oracles, the same computations with exchangeable parts, and their noise."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from course_attention.exercises.attention_parts import (
    Pair,
    attend,
    attention_noise,
    attention_oracle,
    dot,
    largest,
)

Cache = tuple[np.ndarray, np.ndarray] | None
Step = tuple[np.ndarray, np.ndarray, np.ndarray]


# The oracles: one query, one head, one score at a time.


def cached_oracle(query: np.ndarray, key: np.ndarray, value: np.ndarray, cache: Cache = None) -> Step:
    """Attention of the newest token over the longer cache."""
    keys, values = joined(cache, key, value)
    return attention_oracle(query, keys, values)[0], keys, values


def grouped_oracle(query: np.ndarray, key: np.ndarray, value: np.ndarray, allowed=None) -> Pair:
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


def logsumexp_oracle(scores: np.ndarray, block_size: int) -> np.ndarray:
    """log Σ exp, the largest score taken out of the sum."""
    result = np.empty(scores.shape[:-1])
    for index in np.ndindex(result.shape):
        highest = max(scores[index])
        result[index] = highest + np.log(sum(np.exp(score - highest) for score in scores[index]))
    return result


def blockwise_oracle(query: np.ndarray, key: np.ndarray, value: np.ndarray, block_size: int) -> np.ndarray:
    """Attention; the size of the blocks changes nothing."""
    return attention_oracle(query, key, value)[0]


def linear_oracle(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Σ_j φ(q)·φ(k_j) v_j / Σ_j φ(q)·φ(k_j), query by query."""
    query, key = elu(query) + 1, elu(key) + 1
    leading = np.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    query, key, value = (np.broadcast_to(x, leading + x.shape[-2:]) for x in (query, key, value))
    output = np.empty((*leading, query.shape[-2], value.shape[-1]))
    for index in np.ndindex(output.shape[:-1]):
        *batch, _ = index
        keys, values = key[tuple(batch)], value[tuple(batch)]
        likenesses = [dot(query[index], k) for k in keys]
        output[index] = sum(a * v for a, v in zip(likenesses, values, strict=True)) / sum(likenesses)
    return output


# The same in a few lines, with each part exchangeable for a wrong one.


def joined(cache: Cache, key: np.ndarray, value: np.ndarray, axis: int = -2) -> tuple[np.ndarray, np.ndarray]:
    """The cache with the newest token behind it."""
    if cache is None:
        return key, value
    return np.concatenate([cache[0], key], axis), np.concatenate([cache[1], value], axis)


def cached(
    query,
    key,
    value,
    cache: Cache = None,
    *,
    seen: Callable[..., tuple[np.ndarray, np.ndarray]] = joined,
    kept: Callable[..., tuple[np.ndarray, np.ndarray]] = joined,
    attend: Callable[..., Pair] = attend,
) -> Step:
    """One step: what is attended to, and what is handed on."""
    return attend(query, *seen(cache, key, value))[0], *kept(cache, key, value)


def in_turn(shared: np.ndarray, n_heads: int) -> np.ndarray:
    """A copy of each group for each of its heads: 0, 0, 1, 1."""
    return np.repeat(shared, n_heads // shared.shape[-3], axis=-3)


def grouped(query, key, value, allowed=None, *, share=in_turn, attend=attend) -> Pair:
    """Attention of all heads, the groups shared out."""
    n_heads = query.shape[-3]
    return attend(query, share(key, n_heads), share(value, n_heads), allowed)


def blocks(n_keys: int, block_size: int, whole_only: bool = False) -> Iterator[slice]:
    """Slices of the keys, the last one shorter where it has to be."""
    for start in range(0, n_keys, block_size):
        if start + block_size <= n_keys or not whole_only:
            yield slice(start, start + block_size)


def running(
    scores: np.ndarray,
    value: np.ndarray,
    block_size: int,
    *,
    rescale_total: Callable[[np.ndarray], np.ndarray] = np.exp,
    rescale_sum: Callable[[np.ndarray], np.ndarray] = np.exp,
    whole_only: bool = False,
    start: Callable[[np.ndarray], np.ndarray] = lambda first: np.full_like(first, -np.inf),
    grow: Callable[[np.ndarray, np.ndarray], np.ndarray] = np.maximum,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Running maximum, sum of exponentials, and sum of exponentials times values.

    Args:
        rescale_total, rescale_sum: what the two sums are multiplied with, given the old maximum minus the new one.
        whole_only: leave a shorter last block out.
        start: the first maximum, given the first block's.
        grow: the next maximum, given the last one and the block's.
    """
    maximum = start(scores[..., :block_size].max(axis=-1, keepdims=True))
    total, mixed = np.zeros(maximum.shape), np.zeros((*maximum.shape[:-1], value.shape[-1]))
    for block in blocks(scores.shape[-1], block_size, whole_only):
        new = grow(maximum, scores[..., block].max(axis=-1, keepdims=True))
        exponentials = np.exp(scores[..., block] - new)
        total = total * rescale_total(maximum - new) + exponentials.sum(axis=-1, keepdims=True)
        mixed = mixed * rescale_sum(maximum - new) + exponentials @ value[..., block, :]
        maximum = new
    return maximum, total, mixed


def online(scores: np.ndarray, block_size: int, **parts) -> np.ndarray:
    """The maximum, plus the logarithm of the sum."""
    maximum, total, _ = running(scores, np.zeros((scores.shape[-1], 0)), block_size, **parts)
    return (maximum + np.log(total))[..., 0]


def block_sums(scores: np.ndarray, block_size: int) -> np.ndarray:
    """The log-sum-exp of each block by itself, on a new last axis."""
    return np.stack(
        [logsumexp_oracle(scores[..., block], block_size) for block in blocks(scores.shape[-1], block_size)],
        axis=-1,
    )


def blockwise(query, key, value, block_size: int, *, finish=lambda mixed, total: mixed / total, **parts):
    """Attention from the running sums."""
    scores = query @ key.swapaxes(-1, -2) / np.sqrt(key.shape[-1])
    _, total, mixed = running(scores, value, block_size, **parts)
    return finish(mixed, total)


def block_outputs(query, key, value, block_size: int, whole_only: bool = False) -> list[np.ndarray]:
    """Attention over each block by itself."""
    return [
        attend(query, key[..., block, :], value[..., block, :])[0]
        for block in blocks(key.shape[-2], block_size, whole_only)
    ]


def elu(x: np.ndarray) -> np.ndarray:
    """x above 0, exp(x) − 1 below."""
    return np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1)


def linear(query, key, value, *, of_query=lambda q: elu(q) + 1, of_key=lambda k: elu(k) + 1, norm=None):
    """φ(Q) (φ(K)ᵀ V), divided by φ(Q) Σ φ(K) or by what `norm` makes of φ(Q) and φ(K)."""
    query, key = of_query(query), of_key(key)
    total = query @ key.sum(axis=-2)[..., None] if norm is None else norm(query, key)
    return query @ (key.swapaxes(-1, -2) @ value) / total


# Noise, in units of epsilon.


def cached_noise(query, key, value, cache: Cache = None) -> tuple[float, float, float]:
    """Of the output; keys and values are copied."""
    keys, values = joined(cache, key, value)
    return attention_noise(query, keys, values)[0], largest(keys), largest(values)


def grouped_noise(query, key, value, allowed=None) -> tuple[float, float]:
    """Of output and weights."""
    return attention_noise(query, in_turn(key, query.shape[-3]), value)


def logsumexp_noise(scores: np.ndarray, block_size: int) -> tuple[float]:
    """Of the largest score, and of the sum's logarithm."""
    return (largest(scores) + scores.shape[-1],)


def blockwise_noise(query, key, value, block_size: int) -> tuple[float]:
    """Of the output."""
    return (attention_noise(query, key, value)[0],)


def linear_noise(query, key, value) -> tuple[float]:
    """elu(x) + 1 is exact to 1, however small it is, so that the error grows as φ(q)·Σ φ(k) shrinks."""
    query, key = elu(query) + 1, (elu(key) + 1).sum(axis=-2)[..., None]
    lost = (key.sum(axis=-2, keepdims=True) + key.shape[-2]) / (query @ key)
    return ((float(lost.max()) + query.shape[-1] + value.shape[-2]) * largest(value),)
