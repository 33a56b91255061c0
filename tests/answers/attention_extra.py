"""Wrong answers beyond the table to `attention(query, key, value, allowed=None)` of notebook 02."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def extra__attention__weights_forgotten(query, key, value, allowed=None):
    """The weights are not returned."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value


def extra__attention__return_order_swapped(query, key, value, allowed=None):
    """(weights, output) in place of (output, weights)."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w, w @ value


def extra__attention__third_return(query, key, value, allowed=None):
    """The scores come back as a third thing."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, w, s


def extra__attention__returned_as_dict(query, key, value, allowed=None):
    """A dictionary in place of a pair."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return {"output": w @ value, "weights": w}


def extra__attention__return_forgotten(query, key, value, allowed=None):
    """Computed and not returned."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    _ = w @ value, w


def extra__attention__scores_returned(query, key, value, allowed=None):
    """The scores come back where the weights are asked for."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, s


def extra__attention__scale_after_softmax(query, key, value, allowed=None):
    """The weights are divided by the root, not the scores."""
    s = query @ key.mT
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    w = w / math.sqrt(query.size(-1))
    return w @ value, w


def extra__attention__scale_rounded(query, key, value, allowed=None):
    """The whole-number root: right only where d_key is a square."""
    s = query @ key.mT / math.isqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, w


def extra__attention__scale_by_d__both(query, key, value, allowed=None):
    """Query and key are both divided by the root: scaled twice, which is by d_key."""
    root = math.sqrt(query.size(-1))
    s = (query / root) @ (key / root).mT
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, w


def extra__attention__scale_constant(query, key, value, allowed=None):
    """The paper's 8 = sqrt(64), whatever d_key is."""
    s = query @ key.mT / 8
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, w


def extra__attention__scale_wrong_axis__queries(query, key, value, allowed=None):
    """The root of n_queries."""
    s = query @ key.mT / math.sqrt(query.shape[-2])
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, w


def extra__attention__softmax_overflows(query, key, value, allowed=None):
    """exp without the shift."""
    e = torch.exp(query @ key.mT / math.sqrt(query.size(-1)))
    e = e if allowed is None else e.masked_fill(~allowed, 0)
    total = e.sum(-1, keepdim=True)
    w = e / (total if allowed is None else total.masked_fill(~allowed.any(-1, keepdim=True), 1))
    return w @ value, w


def extra__attention__softmax_over_everything(query, key, value, allowed=None):
    """One softmax over the whole batch at once."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    s = s if allowed is None else s.masked_fill(~allowed, -math.inf)
    w = s.flatten().softmax(0).nan_to_num().reshape(s.shape)
    return w @ value, w


def extra__attention__softmax_twice(query, key, value, allowed=None):
    """The weights go through a softmax again."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num().softmax(-1)
    w = w if allowed is None else w * allowed.any(-1, keepdim=True)
    return w @ value, w


def extra__attention__softmax_of_values(query, key, value, allowed=None):
    """The softmax is taken of the mixed values, not of the scores."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    s = s if allowed is None else s.masked_fill(~allowed, 0)
    return (s @ value).softmax(-1), s


def extra__attention__log_softmax(query, key, value, allowed=None):
    """log_softmax in place of softmax."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = F.log_softmax(s, dim=-1)
    w = w if allowed is None else w.masked_fill(~allowed, 0)
    return w @ value, w


def extra__attention__divided_by_sum(query, key, value, allowed=None):
    """The scores divided by their sum: no exponential."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    s = s if allowed is None else s.masked_fill(~allowed, 0)
    total = s.sum(-1, keepdim=True)
    w = s / torch.where(total == 0, 1, total)
    return w @ value, w


def extra__attention__cosine(query, key, value, allowed=None):
    """Query and key are brought to length 1 first: cosine similarity."""
    s = F.normalize(query, dim=-1) @ F.normalize(key, dim=-1).mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, w


def extra__attention__roles_swapped(query, key, value, allowed=None):
    """K Qᵀ in place of Q Kᵀ: keys ask, queries answer."""
    s = key @ query.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, w


def extra__attention__value_as_key(query, key, value, allowed=None):
    """Key and value are exchanged."""
    s = query @ value.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ key, w


def extra__attention__key_not_transposed(query, key, value, allowed=None):
    """Q K without a transpose: an error unless n_keys equals d_key."""
    s = query @ key / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, w


def extra__attention__all_axes_transposed(query, key, value, allowed=None):
    """`.T`-like: the first two axes are exchanged, which is right only without a batch."""
    s = query @ key.transpose(0, 1) / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, w


def extra__attention__three_axes_only(query, key, value, allowed=None):
    """bmm: an error without a batch axis and with two."""
    s = torch.bmm(query, key.transpose(1, 2)) / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return torch.bmm(w, value), w


def extra__attention__weights_transposed(query, key, value, allowed=None):
    """Wᵀ V: an error unless the numbers of queries and keys agree."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w.mT @ value, w


def extra__attention__output_transposed(query, key, value, allowed=None):
    """The output comes back as (d_value, n_queries)."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return (w @ value).mT, w


def extra__attention__residual_added(query, key, value, allowed=None):
    """The query is added to the output, as in a block."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value + query, w


def extra__attention__hard_maximum(query, key, value, allowed=None):
    """All weight on the best key."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    s = s if allowed is None else s.masked_fill(~allowed, -math.inf)
    w = F.one_hot(s.argmax(-1), s.shape[-1]).to(s.dtype)
    return w @ value, w


def extra__attention__always_causal(query, key, value, allowed=None):
    """A causal mask nobody asked for."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    past = torch.ones_like(s, dtype=torch.bool).tril()
    w = s.masked_fill(~(past if allowed is None else past & allowed), -math.inf).softmax(-1).nan_to_num()
    return w @ value, w


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
