"""Answers to `softmax(scores, axis=-1)` of notebook 00."""

import functools
import math
import warnings

import numpy as np
import torch
import torch.nn.functional as F

from tests.corpus import change

class SoftmaxObject:
    """A class with `__call__`."""

    def __call__(self, scores, axis=-1):
        e = np.exp(scores - np.max(scores, axis, keepdims=True))
        return e / np.sum(e, axis, keepdims=True)

def right__shift(scores, axis=-1):
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

def right__logsumexp(scores, axis=-1):
    if not np.issubdtype(scores.dtype, np.floating):
        scores = scores.astype(np.float64)
    return np.exp(scores - np.logaddexp.reduce(scores, axis=axis, keepdims=True))

def right__loops(scores, axis=-1):
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

def right__along_axis(scores: np.ndarray, axis: int = -1) -> np.ndarray:
    def one(row):
        e = np.exp(row - np.max(row))
        return e / np.sum(e)

    dtype = scores.dtype if scores.dtype.kind == "f" else np.float64
    return np.apply_along_axis(one, axis, scores.astype(dtype))

def right__float64_inside(scores, axis=-1):
    x = np.array(scores, dtype=np.float64)
    x -= np.amax(x, axis, keepdims=True)
    np.exp(x, out=x)
    x /= np.sum(x, axis, keepdims=True)
    return x.astype(scores.dtype) if np.issubdtype(scores.dtype, np.floating) else x

def right__swapaxes(scores, axis=-1):
    rows = np.swapaxes(scores, axis, -1)
    e = np.exp(rows - np.maximum.reduce(rows, axis=-1)[..., None])
    return np.swapaxes(e / np.add.reduce(e, axis=-1)[..., None], axis, -1)

def right__expand_dims(scores, axis=-1, *, verbose=False):
    top = np.expand_dims(np.max(scores, axis=axis), axis)
    e = np.exp(scores - top)
    return np.divide(e, np.expand_dims(np.sum(e, axis=axis), axis))

def right__line_by_line(scores, axis=-1):
    def of_line(line):
        parts = np.exp(line - np.max(line))
        return parts / np.sum(parts)

    return np.apply_along_axis(of_line, axis, scores)

def odd__torch_inside(scores, axis=-1):
    """Torch does the work, an array comes back."""
    dtype = scores.dtype if scores.dtype.kind == "f" else np.float64
    return F.softmax(torch.tensor(scores.astype(dtype)), dim=axis).numpy()

def odd__prints(scores, axis=-1):
    """Prints what it gets and warns."""
    print("scores", scores.shape)
    warnings.warn("a warning of the student's own", stacklevel=2)
    e = np.exp(scores - np.max(scores, axis, keepdims=True))
    return e / np.sum(e, axis, keepdims=True)

def odd__renamed(x, dim=-1):
    """Arguments with names of its own."""
    e = np.exp(x - x.max(dim, keepdims=True))
    return e / e.sum(dim, keepdims=True)

def odd__keyword_only(scores, *, axis=-1):
    """The axis by name only."""
    e = np.exp(scores - scores.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)

def odd__not_contiguous(scores, axis=-1):
    """The result is a transposed view."""
    x = np.moveaxis(scores, axis, 0)
    e = np.exp(x - x.max(0))
    return np.moveaxis(e / e.sum(0), 0, axis)

# A class with `__call__`.
odd__object = SoftmaxObject()
odd__partial = functools.partial(right__expand_dims, verbose=True)
odd__lambda = lambda scores, axis=-1: right__shift(scores, axis)

def wrong__softmax_over_everything__1(scores, axis=-1):
    e = np.exp(scores - np.max(scores))
    return e / np.sum(e)

def wrong__softmax_over_everything__2(scores, axis=-1):
    flat = scores.reshape(-1)
    exponentials = np.exp(flat - flat.max())
    return (exponentials / exponentials.sum()).reshape(scores.shape)

def wrong__softmax_overflows__1(scores, axis=-1):
    return np.exp(scores) / np.exp(scores).sum(axis=axis, keepdims=True)

def wrong__softmax_overflows__3(scores, axis=-1):
    return np.exp(scores - np.log(np.sum(np.exp(scores), axis=axis, keepdims=True)))

def wrong__input_changed__2(scores, axis=-1):
    shifted = np.subtract(scores, np.max(scores, axis, keepdims=True), out=scores)
    return np.exp(shifted) / np.exp(shifted).sum(axis, keepdims=True)

def wrong__axis_ignored__1(scores, axis=-1):
    """The last axis whatever axis was asked for."""
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)

wrong__softmax_overflows__2 = change(
    odd__not_contiguous, ("x =", "moved ="), ("(x - x.max(0))", "(moved)"), ("e.sum(0)", "np.sum(e, axis=0)"),
)
wrong__input_changed__1 = change(
    right__shift, ("e = np.exp(scores -", "scores -="), ("))", ")", "e = np.exp(scores)"),
)
# The exponentials are never divided by their sum.
wrong__softmax_not_normalised__1 = change(
    right__shift, ("e = np.exp", "return np.exp"), ("return e / e.sum(axis=axis, keepdims=True)", ""),
)

def natural__input_changed__1(scores, axis=-1):
    # Integers cannot hold the exponentials: an error there, a changed input elsewhere.
    np.exp(scores - scores.max(axis, keepdims=True), out=scores)
    scores /= scores.sum(axis, keepdims=True)
    return scores

natural__softmax_over_everything__1 = change(
    wrong__softmax_overflows__1, ("np.exp(scores).sum(axis=axis, keepdims=True)", "np.sum(np.exp(scores))"),
)

def extra__softmax_over_everything(scores, axis=-1):
    """Each matrix of a batch is normalised as a whole, where there is one."""
    axes = (-2, -1) if scores.ndim > 1 else -1
    e = np.exp(scores - scores.max(axis=axes, keepdims=True))
    return e / e.sum(axis=axes, keepdims=True)

def extra__other_axis(scores, axis=-1):
    """Columns are normalised where rows were asked for: axis counted the other way round."""
    other = -1 - axis if axis < 0 else scores.ndim - 1 - axis
    other = other % scores.ndim
    e = np.exp(scores - scores.max(other, keepdims=True))
    return e / e.sum(other, keepdims=True)

def extra__maximum_not_undone(scores, axis=-1):
    """The shift is in the numerator only: the two no longer cancel."""
    return np.exp(scores - scores.max(axis, keepdims=True)) / np.exp(scores).sum(axis, keepdims=True)

def extra__log_softmax(scores, axis=-1):
    """The logarithm of the weights."""
    shifted = scores - scores.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))

def extra__sigmoid(scores, axis=-1):
    """Each score squashed by itself: nothing makes them sum to 1."""
    return 0.5 * (1 + np.tanh(scores / 2))

# Without keepdims the totals broadcast along the wrong axis, or not at all.
extra__keepdims_forgotten = change(right__shift, ("e.sum(axis=axis, keepdims=True)", "e.sum(axis=axis)"))
# Without keepdims both the maximum and the totals broadcast along the wrong axis.
extra__keepdims_forgotten__twice = change(
    wrong__softmax_over_everything__1, ("(scores)", "(scores, axis)"), ("np.sum(e)", "np.sum(e, axis)"),
)
# The first axis whatever axis was asked for.
extra__axis_ignored__first = change(
    right__shift, ("axis, keepdims=True))", "0))"), ("e.sum(axis=axis, keepdims=True)", "e.sum(axis=0)"),
)
# The maximum of everything is subtracted: a row far below it underflows to 0 / 0.
wrong__softmax_overflows__4 = change(right__shift, (".max(axis=axis, keepdims=True)", ".max()"))
# The mean is subtracted: large scores may still lie far above it.
wrong__softmax_overflows__5 = change(right__shift, ("scores.max", "scores.mean"))
# The minimum is subtracted in place of the maximum, so large scores still overflow.
extra__minimum_subtracted = change(right__shift, ("scores.max", "scores.min"))
# The scores are divided by their maximum, not shifted by it.
extra__divided_by_maximum = change(right__shift, ("- scores", "/ np.abs(scores)"))
# The scores are divided by their own sum: weights may be negative.
extra__no_exponential = change(wrong__softmax_overflows__1, ("np.exp(scores) / np.exp(scores)", "scores / scores"))
# exp(-score): the smallest score wins.
extra__sign_flipped = change(right__shift, ("scores - scores.max", "scores.min"), ("))", ") - scores)"))
# Powers of two in place of e.
extra__base_two = change(right__shift, ("e = np.exp", "e = np.exp2"))
# 1 at the largest score and 0 elsewhere.
extra__hard_maximum = change(
    wrong__softmax_not_normalised__1, ("np.exp(scores -", "(scores =="), ("))", ")).astype(np.float64)"),
)
# Overflow is avoided by clipping the scores, which changes the weights of large ones.
extra__scores_clipped = change(
    right__shift, ("scores - scores.max(axis=axis, keepdims=True)", "np.clip(scores, -80, 80)"),
)
# float64 comes back for float32.
extra__wrong_dtype = change(right__shift, ("scores -", "scores.astype(np.float64) -"))
# float32 comes back for float64.
extra__wrong_dtype__float32 = change(right__shift, ("e = np.exp", "e = np.exp("), ("))", ")).astype(np.float32))"))
# Nested lists come back, not an array.
extra__wrong_type = change(
    right__shift, ("e / e.sum(axis=axis, keepdims=True)", "(e / e.sum(axis=axis, keepdims=True)).tolist()"),
)
# The weights are stored in an array like the scores: integers cut them to 0.
extra__integers_truncated = change(
    right__shift, ("e =", "out = np.zeros_like(scores)", "e ="),
    (
        "return e / e.sum(axis=axis, keepdims=True)",
        "out[...] = e / e.sum(axis=axis, keepdims=True)",
        "return out",
    ),
)
# float32 inside and cast back: half of the digits of float64 are gone.
extra__float64_rounded = change(
    right__shift, ("e =", "x = scores.astype(np.float32)", "e ="), ("scores - scores.max", "x - x.max"),
    (
        "return e / e.sum(axis=axis, keepdims=True)",
        "return (e / e.sum(axis=axis, keepdims=True)).astype(",
        '    scores.dtype if scores.dtype.kind == "f" else np.float64',
        ")",
    ),
)
# 1e-2 is added to the sum against division by zero: the weights no longer sum to 1.
extra__epsilon_in_denominator = change(
    right__shift, ("e.sum(axis=axis, keepdims=True)", "(e.sum(axis=axis, keepdims=True) + 1e-2)"),
)

def forbidden__softmax(scores, axis=-1):
    return torch.softmax(torch.from_numpy(scores), dim=axis).numpy()
# The axis is moved back from the wrong place: with three axes, 0 to 2 is not 2 to 0.
extra__moved_back_wrongly = change(right__loops, ("np.moveaxis(result, -1, axis)", "np.moveaxis(result, axis, -1)"))
# The scores are divided by their sum.
wrong__weights_without_exp__1 = change(
    right__shift, ("np.exp(scores - scores.max(axis=axis, keepdims=True))", "scores"),
)
# What is below 0 counts as 0.
wrong__weights_without_exp__2 = change(
    right__shift, ("np.exp(scores - scores.max(axis=axis, keepdims=True))", "np.where(scores > 0, scores, 0.0)")
)
# How far each score is above the smallest.
wrong__weights_without_exp__3 = change(
    right__shift, ("np.exp(scores - scores.max(axis=axis, keepdims=True))", "scores - scores.min(axis, keepdims=True)")
)
# The shift is the largest score, whatever its sign.
wrong__softmax_overflows__largest_size = change(right__shift, ("scores.max(", "np.abs(scores).max("))
