"""Multi-head attention: its oracle, the computation in parts with ways to cut and merge heads, and its noise."""

from collections.abc import Callable

import numpy as np

from course_attention.exercises.common.attention import (
    Pair,
    attend,
    attention_noise,
    attention_oracle,
    dot,
    largest,
)

NAMES = ("w_query.weight", "w_key.weight", "w_value.weight", "w_out.weight")


def times(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    product = np.empty((*x.shape[:-1], weight.shape[1]))
    for index in np.ndindex(product.shape):
        product[index] = dot(x[index[:-1]], weight[:, index[-1]])
    return product


def heads_oracle(
    query: np.ndarray, key: np.ndarray, value: np.ndarray, weights: tuple, n_heads: int, allowed=None
) -> Pair:
    """Each head by itself, then all side by side through w_out."""
    queries, keys, values = (
        np.split(times(x, w), n_heads, axis=-1) for x, w in zip((query, key, value), weights[:3], strict=True)
    )
    found = [attention_oracle(*head, allowed) for head in zip(queries, keys, values, strict=True)]
    output = times(np.concatenate([output for output, _ in found], axis=-1), weights[3])
    return output, np.stack([weights for _, weights in found], axis=-3)


def split(x: np.ndarray, n_heads: int) -> np.ndarray:
    return x.reshape(*x.shape[:-1], n_heads, x.shape[-1] // n_heads).swapaxes(-2, -3)


def merge(x: np.ndarray) -> np.ndarray:
    moved = x.swapaxes(-2, -3)
    return moved.reshape(*moved.shape[:-2], moved.shape[-2] * moved.shape[-1])


def split_by_view(x: np.ndarray, n_heads: int) -> np.ndarray:
    return x.reshape(*x.shape[:-2], n_heads, x.shape[-2], x.shape[-1] // n_heads)


def merge_by_view(x: np.ndarray) -> np.ndarray:
    return x.reshape(*x.shape[:-3], x.shape[-2], x.shape[-3] * x.shape[-1])


def first_columns(x: np.ndarray, n_heads: int) -> np.ndarray:
    """Give every head the columns of head 0."""
    return np.repeat(split(x, n_heads)[..., :1, :, :], n_heads, axis=-3)


def split_interleaved(x: np.ndarray, n_heads: int) -> np.ndarray:
    return np.moveaxis(x.reshape(*x.shape[:-1], x.shape[-1] // n_heads, n_heads), -1, -3)


def merge_interleaved(x: np.ndarray) -> np.ndarray:
    moved = np.moveaxis(x, -3, -1)
    return moved.reshape(*moved.shape[:-2], moved.shape[-2] * moved.shape[-1])


def project(query, key, value, w_query, w_key, w_value) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return query @ w_query, key @ w_key, value @ w_value


def for_all_heads(allowed: np.ndarray) -> np.ndarray:
    return allowed[..., None, :, :]


def multi_head_in_parts(
    query,
    key,
    value,
    weights,
    n_heads,
    allowed=None,
    *,
    project: Callable = project,
    split: Callable | tuple[Callable, Callable, Callable] = split,
    share: Callable = for_all_heads,
    attend: Callable = attend,
    merge: Callable = merge,
    finish: Callable = np.matmul,
    give: Callable = lambda weights: weights,
) -> Pair:
    splits = split if isinstance(split, tuple) else (split, split, split)
    inputs = project(query, key, value, *weights[:3])
    queries, keys, values = (cut(x, n_heads) for cut, x in zip(splits, inputs, strict=True))
    output, found = attend(queries, keys, values, None if allowed is None else share(allowed))
    return finish(merge(output), weights[3]), give(found)


def multi_head_noise(query, key, value, weights, n_heads) -> tuple[float, float]:
    root = query.shape[-1] ** 0.5
    queries, keys, values = (
        split(np.abs(x) @ np.abs(w), n_heads) for x, w in zip((query, key, value), weights[:3], strict=True)
    )
    _, in_weights = attention_noise(queries * root, keys, values)
    in_heads = in_weights + root + weights[3].shape[0] ** 0.5
    return in_heads * largest(merge(values).max(axis=-2, keepdims=True) @ np.abs(weights[3])), in_weights
