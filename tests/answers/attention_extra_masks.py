"""Wrong answers beyond the table, about masks, gradients and dtypes, to `attention` of notebook 02."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def extra__attention__mask_fully_ignored(query, key, value, allowed=None):
    """A query that may attend to nothing attends to everything, by its scores."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    if allowed is not None:
        s = s.masked_fill(~allowed & allowed.any(-1, keepdim=True), -math.inf)
    w = s.softmax(-1)
    return w @ value, w


def extra__attention__mask_fully_ignored__minus_1e9_added(query, key, value, allowed=None):
    """-1e9 is added to blocked scores: uniform in float32, the unmasked softmax in float64."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s + (~allowed).to(s.dtype) * -1e9).softmax(-1)
    return w @ value, w


def extra__attention__mask_fully_output_only(query, key, value, allowed=None):
    """The output of a query that may attend to nothing is zero, its weights are uniform."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, torch.finfo(s.dtype).min)).softmax(-1)
    out = w @ value
    return (out if allowed is None else out * allowed.any(-1, keepdim=True)), w


def extra__attention__mask_fully_weights_only(query, key, value, allowed=None):
    """NaN is cleaned out of the output only."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1)
    return (w @ value).nan_to_num(), w


def extra__attention__gradient_nan(query, key, value, allowed=None):
    """-inf is added and the NaN cleaned away afterwards: the values are right, the gradients NaN."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    bias = torch.zeros_like(s) if allowed is None else torch.zeros_like(s).masked_fill(~allowed, -math.inf)
    w = (s + bias).softmax(-1).nan_to_num()
    return w @ value, w


def extra__attention__infinity_times_zero(query, key, value, allowed=None):
    """(1 - mask) * -inf is NaN where the mask is 1."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s + (~allowed).to(s.dtype) * -math.inf).softmax(-1)
    return w @ value, w


def extra__attention__mask_plus_infinity(query, key, value, allowed=None):
    """Blocked scores are set to +inf: all the weight goes there, as NaN."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, math.inf)).softmax(-1)
    return w @ value, w


def extra__attention__mask_as_index(query, key, value, allowed=None):
    """`scores[~allowed]`: an error when the mask has fewer axes, or axes of one, than the scores."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    if allowed is not None:
        s = s.clone()
        s[~allowed] = -math.inf
    w = s.softmax(-1).nan_to_num()
    return w @ value, w


def extra__attention__mask_tiny_fill__100(query, key, value, allowed=None):
    """Filled with -100, above the smallest scores."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = s.softmax(-1)
    if allowed is not None:
        w = s.masked_fill(~allowed, -100).softmax(-1) * allowed.any(-1, keepdim=True)
    return w @ value, w


def extra__attention__mask_on_values(query, key, value, allowed=None):
    """Values of keys that no query may see are zeroed; the weights are not masked."""
    w = (query @ key.mT / math.sqrt(query.size(-1))).softmax(-1)
    seen = 1 if allowed is None else allowed.any(-2).unsqueeze(-1)
    return w @ (value * seen), w


def extra__attention__maximum_over_blocked(query, key, value, allowed=None):
    """Masked and normalised after the softmax: a large blocked score makes the others underflow."""
    w = (query @ key.mT / math.sqrt(query.size(-1))).softmax(-1)
    if allowed is not None:
        w = w * allowed
        w = w / w.sum(-1, keepdim=True).clamp(min=1e-30)
    return w @ value, w


def extra__attention__mask_required(query, key, value, allowed=None):
    """None is not provided for: an error without a mask."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = s.masked_fill(~allowed, -math.inf).softmax(-1).nan_to_num()
    return w @ value, w


def extra__attention__gradient_misses_query(query, key, value, allowed=None):
    """The weights are cut from the graph: only the values learn."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num().detach()
    return w @ value, w


def extra__attention__detached__weights(query, key, value, allowed=None):
    """The weights are returned cut from the graph; the output is not."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, w.detach()


def extra__attention__float64_rounded(query, key, value, allowed=None):
    """float32 inside and cast back: half of the digits of float64 are gone."""
    s = query.float() @ key.float().mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return (w @ value.float()).to(query.dtype), w.to(query.dtype)


def extra__attention__wrong_dtype__weights(query, key, value, allowed=None):
    """Only the weights come back in float32."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, w.float()


def extra__attention__returned_on_cpu(query, key, value, allowed=None):
    """Moved to the CPU before it is returned."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return (w @ value).cpu(), w.cpu()


def extra__attention__dropout_left_on(query, key, value, allowed=None):
    """Dropout on the weights, as in some libraries: another result each time."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    w = F.dropout(w, 0.1)
    return w @ value, w


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
