"""Wrong answers beyond the table to `softmax(scores, axis=-1)` of notebook 00, in NumPy."""

from __future__ import annotations

import numpy as np

from tests.answers.gather import gather


def extra__softmax__softmax_over_everything(scores, axis=-1):
    """Each matrix of a batch is normalised as a whole, where there is one."""
    axes = (-2, -1) if scores.ndim > 1 else -1
    e = np.exp(scores - scores.max(axis=axes, keepdims=True))
    return e / e.sum(axis=axes, keepdims=True)


def extra__softmax__keepdims_forgotten(scores, axis=-1):
    """Without keepdims the totals broadcast along the wrong axis, or not at all."""
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis)


def extra__softmax__keepdims_forgotten__twice(scores, axis=-1):
    """Without keepdims both the maximum and the totals broadcast along the wrong axis."""
    e = np.exp(scores - np.max(scores, axis))
    return e / np.sum(e, axis)


def extra__softmax__axis_ignored(scores, axis=-1):
    """The last axis whatever axis was asked for."""
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def extra__softmax__axis_ignored__first(scores, axis=-1):
    """The first axis whatever axis was asked for."""
    e = np.exp(scores - scores.max(axis=0))
    return e / e.sum(axis=0)


def extra__softmax__other_axis(scores, axis=-1):
    """Columns are normalised where rows were asked for: axis counted the other way round."""
    other = -1 - axis if axis < 0 else scores.ndim - 1 - axis
    other = other % scores.ndim
    e = np.exp(scores - scores.max(other, keepdims=True))
    return e / e.sum(other, keepdims=True)


def extra__softmax__not_normalised(scores, axis=-1):
    """The exponentials are never divided by their sum."""
    return np.exp(scores - scores.max(axis=axis, keepdims=True))


def extra__softmax__global_maximum(scores, axis=-1):
    """The maximum of everything is subtracted: a row far below it underflows to 0 / 0."""
    e = np.exp(scores - scores.max())
    return e / e.sum(axis=axis, keepdims=True)


def extra__softmax__minimum_subtracted(scores, axis=-1):
    """The minimum is subtracted in place of the maximum, so large scores still overflow."""
    e = np.exp(scores - scores.min(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def extra__softmax__maximum_not_undone(scores, axis=-1):
    """The shift is in the numerator only: the two no longer cancel."""
    return np.exp(scores - scores.max(axis, keepdims=True)) / np.exp(scores).sum(axis, keepdims=True)


def extra__softmax__divided_by_maximum(scores, axis=-1):
    """The scores are divided by their maximum, not shifted by it."""
    e = np.exp(scores / np.abs(scores).max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def extra__softmax__no_exponential(scores, axis=-1):
    """The scores are divided by their own sum: weights may be negative."""
    return scores / scores.sum(axis=axis, keepdims=True)


def extra__softmax__log_softmax(scores, axis=-1):
    """The logarithm of the weights."""
    shifted = scores - scores.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def extra__softmax__sign_flipped(scores, axis=-1):
    """exp(-score): the smallest score wins."""
    e = np.exp(scores.min(axis=axis, keepdims=True) - scores)
    return e / e.sum(axis=axis, keepdims=True)


def extra__softmax__base_two(scores, axis=-1):
    """Powers of two in place of e."""
    e = np.exp2(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def extra__softmax__hard_maximum(scores, axis=-1):
    """1 at the largest score and 0 elsewhere."""
    return (scores == scores.max(axis=axis, keepdims=True)).astype(np.float64)


def extra__softmax__sigmoid(scores, axis=-1):
    """Each score squashed by itself: nothing makes them sum to 1."""
    return 0.5 * (1 + np.tanh(scores / 2))


def extra__softmax__scores_clipped(scores, axis=-1):
    """Overflow is avoided by clipping the scores, which changes the weights of large ones."""
    e = np.exp(np.clip(scores, -80, 80))
    return e / e.sum(axis=axis, keepdims=True)


def extra__softmax__wrong_dtype(scores, axis=-1):
    """float64 comes back for float32."""
    e = np.exp(scores.astype(np.float64) - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def extra__softmax__wrong_dtype__float32(scores, axis=-1):
    """float32 comes back for float64."""
    e = np.exp((scores - scores.max(axis=axis, keepdims=True)).astype(np.float32))
    return e / e.sum(axis=axis, keepdims=True)


def extra__softmax__wrong_type(scores, axis=-1):
    """Nested lists come back, not an array."""
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).tolist()


def extra__softmax__integers_truncated(scores, axis=-1):
    """The weights are stored in an array like the scores: integers cut them to 0."""
    out = np.zeros_like(scores)
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    out[...] = e / e.sum(axis=axis, keepdims=True)
    return out


def extra__softmax__float64_rounded(scores, axis=-1):
    """float32 inside and cast back: half of the digits of float64 are gone."""
    x = scores.astype(np.float32)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).astype(
        scores.dtype if scores.dtype.kind == "f" else np.float64
    )


def extra__softmax__epsilon_in_denominator(scores, axis=-1):
    """1e-2 is added to the sum against division by zero: the weights no longer sum to 1."""
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / (e.sum(axis=axis, keepdims=True) + 1e-2)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
