"""Answers to `softmax(scores, axis=-1)` of notebook 00, in NumPy."""

from __future__ import annotations

import functools
import math
import warnings

import numpy as np
import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__softmax__shift(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def right__softmax__logsumexp(scores, axis=-1):
    if not np.issubdtype(scores.dtype, np.floating):
        scores = scores.astype(np.float64)
    return np.exp(scores - np.logaddexp.reduce(scores, axis=axis, keepdims=True))


def right__softmax__loops(scores, axis=-1):
    moved = np.moveaxis(np.asarray(scores), axis, -1)
    result = np.zeros(moved.shape)
    for index in np.ndindex(moved.shape[:-1]):
        row = [float(s) for s in moved[index]]
        top = max(row)
        parts = [math.exp(s - top) for s in row]
        total = sum(parts)
        result[index] = [p / total for p in parts]
    result = np.moveaxis(result, -1, axis)
    return result.astype(scores.dtype) if scores.dtype.kind == "f" else result


def right__softmax__along_axis(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    def one(row):
        e = np.exp(row - np.max(row))
        return e / np.sum(e)

    dtype = scores.dtype if scores.dtype.kind == "f" else np.float64
    return np.apply_along_axis(one, axis, scores.astype(dtype))


def right__softmax__float64_inside(scores, axis=-1):
    x = np.array(scores, dtype=np.float64)
    x -= np.amax(x, axis, keepdims=True)
    np.exp(x, out=x)
    x /= np.sum(x, axis, keepdims=True)
    return x.astype(scores.dtype) if np.issubdtype(scores.dtype, np.floating) else x


def right__softmax__swapaxes(scores, axis=-1):
    rows = np.swapaxes(scores, axis, -1)
    e = np.exp(rows - np.maximum.reduce(rows, axis=-1)[..., None])
    return np.swapaxes(e / np.add.reduce(e, axis=-1)[..., None], axis, -1)


def right__softmax__expand_dims(scores, axis=-1, *, verbose=False):
    top = np.expand_dims(np.max(scores, axis=axis), axis)
    e = np.exp(scores - top)
    return np.divide(e, np.expand_dims(np.sum(e, axis=axis), axis))


def odd__softmax__torch_inside(scores, axis=-1):
    """Torch does the work, an array comes back."""
    dtype = scores.dtype if scores.dtype.kind == "f" else np.float64
    return F.softmax(torch.tensor(scores.astype(dtype)), dim=axis).numpy()


def odd__softmax__prints(scores, axis=-1):
    """Prints what it gets and warns."""
    print("scores", scores.shape)
    warnings.warn("a warning of the student's own", stacklevel=2)
    e = np.exp(scores - np.max(scores, axis, keepdims=True))
    return e / np.sum(e, axis, keepdims=True)


def odd__softmax__renamed(x, dim=-1):
    """Arguments with names of its own."""
    e = np.exp(x - x.max(dim, keepdims=True))
    return e / e.sum(dim, keepdims=True)


def odd__softmax__keyword_only(scores, *, axis=-1):
    """The axis by name only."""
    e = np.exp(scores - scores.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def odd__softmax__not_contiguous(scores, axis=-1):
    """The result is a transposed view."""
    x = np.moveaxis(scores, axis, 0)
    e = np.exp(x - x.max(0))
    return np.moveaxis(e / e.sum(0), 0, axis)


class SoftmaxObject:
    """A class with `__call__`."""

    def __call__(self, scores, axis=-1):
        e = np.exp(scores - np.max(scores, axis, keepdims=True))
        return e / np.sum(e, axis, keepdims=True)


odd__softmax__object = SoftmaxObject()

odd__softmax__partial = functools.partial(right__softmax__expand_dims, verbose=True)

odd__softmax__lambda = lambda scores, axis=-1: right__softmax__shift(scores, axis)  # noqa: E731 - a lambda is the case


def wrong__softmax__softmax_over_everything__1(scores, axis=-1):
    e = np.exp(scores - np.max(scores))
    return e / np.sum(e)


def wrong__softmax__softmax_over_everything__2(scores, axis=-1):
    flat = scores.reshape(-1)
    exponentials = np.exp(flat - flat.max())
    return (exponentials / exponentials.sum()).reshape(scores.shape)


def wrong__softmax__softmax_overflows__1(scores, axis=-1):
    return np.exp(scores) / np.exp(scores).sum(axis=axis, keepdims=True)


def wrong__softmax__softmax_overflows__2(scores, axis=-1):
    moved = np.moveaxis(scores, axis, 0)
    e = np.exp(moved)
    return np.moveaxis(e / np.sum(e, axis=0), 0, axis)


def wrong__softmax__softmax_overflows__3(scores, axis=-1):
    return np.exp(scores - np.log(np.sum(np.exp(scores), axis=axis, keepdims=True)))


def wrong__softmax__input_changed__1(scores, axis=-1):
    scores -= scores.max(axis=axis, keepdims=True)
    e = np.exp(scores)
    return e / e.sum(axis=axis, keepdims=True)


def wrong__softmax__input_changed__2(scores, axis=-1):
    shifted = np.subtract(scores, np.max(scores, axis, keepdims=True), out=scores)
    return np.exp(shifted) / np.exp(shifted).sum(axis, keepdims=True)


def natural__softmax__softmax_over_everything__1(scores, axis=-1):
    return np.exp(scores) / np.sum(np.exp(scores))


def natural__softmax__input_changed__1(scores, axis=-1):
    # Integers cannot hold the exponentials: an error there, a changed input elsewhere.
    np.exp(scores - scores.max(axis, keepdims=True), out=scores)
    scores /= scores.sum(axis, keepdims=True)
    return scores


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
