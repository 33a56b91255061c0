"""Wrong answers beyond the table to `attention_distribution(scores, allowed=None)` of notebook 01."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def extra__attention_distribution__mask_tiny_fill__20(scores, allowed=None):
    """Filled with -20, which large scores come near."""
    if allowed is None:
        return scores.softmax(-1)
    return scores.masked_fill(~allowed, -20).softmax(-1) * allowed.any(-1, keepdim=True)


def extra__attention_distribution__mask_tiny_fill__1000(scores, allowed=None):
    """Filled with -1000, above the smallest scores."""
    if allowed is None:
        return scores.softmax(-1)
    return scores.masked_fill(~allowed, -1000).softmax(-1) * allowed.any(-1, keepdim=True)


def extra__attention_distribution__mask_fully_ignored(scores, allowed=None):
    """A row with nothing allowed gets the softmax of its unmasked scores."""
    if allowed is None:
        return scores.softmax(-1)
    some = allowed.any(-1, keepdim=True)
    return scores.masked_fill(~allowed & some, -math.inf).softmax(-1)


def extra__attention_distribution__gradient_nan(scores, allowed=None):
    """-inf is added and the NaN cleaned away afterwards: the weights are right, their gradients NaN."""
    if allowed is None:
        return scores.softmax(-1)
    bias = torch.zeros_like(scores).masked_fill(~allowed, -math.inf)
    return torch.nan_to_num((scores + bias).softmax(-1))


def extra__attention_distribution__infinity_times_zero(scores, allowed=None):
    """(1 - mask) * -inf is NaN where the mask is 1, so every weight is NaN."""
    if allowed is not None:
        scores = scores + (~allowed) * -math.inf
    return scores.softmax(-1)


def extra__attention_distribution__maximum_over_blocked(scores, allowed=None):
    """Masked and normalised after the softmax: a large blocked score makes the others underflow."""
    weights = scores.softmax(-1)
    if allowed is None:
        return weights
    weights = weights * allowed
    return weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)


def extra__attention_distribution__not_normalised(scores, allowed=None):
    """The exponentials are never divided by their sum."""
    e = torch.exp(scores - scores.amax(-1, keepdim=True))
    return e if allowed is None else e * allowed


def extra__attention_distribution__log_softmax(scores, allowed=None):
    """The logarithm of the weights."""
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return F.log_softmax(scores, dim=-1)


def extra__attention_distribution__sigmoid(scores, allowed=None):
    """Each score squashed by itself: the weights do not sum to 1."""
    weights = torch.sigmoid(scores)
    return weights if allowed is None else weights * allowed


def extra__attention_distribution__scaled(scores, allowed=None):
    """Scores divided by the root of n_source first."""
    scores = scores / math.sqrt(scores.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return scores.softmax(-1).nan_to_num()


def extra__attention_distribution__mask_required(scores, allowed=None):
    """None is not provided for: an error without a mask."""
    return scores.masked_fill(~allowed, -math.inf).softmax(-1).nan_to_num()


def extra__attention_distribution__blocked_dropped(scores, allowed=None):
    """Blocked scores are taken out of the tensor, which becomes shorter."""
    if allowed is not None:
        scores = scores[allowed]
    return scores.softmax(-1)


def extra__attention_distribution__wrong_dtype__float64(scores, allowed=None):
    """float64 comes back, whatever came in."""
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return scores.double().softmax(-1).nan_to_num()


def extra__attention_distribution__float64_rounded(scores, allowed=None):
    """float32 inside and cast back: half of the digits of float64 are gone."""
    wide = scores.float() if allowed is None else scores.float().masked_fill(~allowed, -math.inf)
    return wide.softmax(-1).nan_to_num().to(scores.dtype)


def extra__attention_distribution__mask_changed(scores, allowed=None):
    """The caller's mask is inverted in place."""
    if allowed is not None:
        scores = scores.masked_fill(allowed.logical_not_(), -math.inf)
    return scores.softmax(-1).nan_to_num()


def extra__attention_distribution__extra_return(scores, allowed=None):
    """The scores come back too."""
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return scores.softmax(-1).nan_to_num(), scores


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
