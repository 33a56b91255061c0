"""Answers to `top_k_attention(query, key, value, index_scores, k, allowed=None)` of notebook 12."""

import heapq
import math

import torch
import torch.nn.functional as F

from tests.corpus import change

def right__stable_sort(query, key, value, index_scores, k, allowed=None):
    if allowed is None:
        allowed = torch.ones_like(index_scores, dtype=torch.bool)
    allowed = allowed.expand(index_scores.shape)
    order = torch.sort(index_scores.masked_fill(~allowed, -torch.inf), dim=-1, descending=True, stable=True).indices
    chosen = torch.zeros_like(allowed).scatter(-1, order[..., :k], True) & allowed
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~chosen, -torch.inf).softmax(-1).nan_to_num()
    return weights @ value, weights

def right__rank(query, key, value, index_scores, k, allowed=None):
    index = index_scores if allowed is None else torch.where(allowed, index_scores, float("-inf"))
    rank = (-index).argsort(dim=-1, stable=True).argsort(dim=-1)
    chosen = rank < k
    if allowed is not None:
        chosen = chosen & allowed
    scores = torch.matmul(query, key.transpose(-1, -2)) * query.shape[-1] ** -0.5
    scores = torch.where(chosen, scores, torch.finfo(scores.dtype).min)
    weights = torch.where(chosen, F.softmax(scores, dim=-1), 0.0)
    return torch.matmul(weights, value), weights

def right__counted(query, key, value, index_scores, k, allowed=None):
    """How many keys come before each one."""
    n_keys = key.shape[-2]
    may = torch.ones_like(index_scores, dtype=torch.bool) if allowed is None else allowed.expand_as(index_scores)
    mine, other = index_scores.unsqueeze(-1), index_scores.unsqueeze(-2)
    earlier = torch.ones(n_keys, n_keys, dtype=torch.bool, device=query.device).tril(-1)
    before = ((other > mine) | ((other == mine) & earlier)) & may.unsqueeze(-2)
    chosen = may & (before.sum(-1) < k)
    scores = query @ key.mT / query.shape[-1] ** 0.5
    weights = scores.masked_fill(~chosen, float("-inf")).softmax(-1).masked_fill(~chosen, 0)
    return weights @ value, weights

def right__one_at_a_time(query, key, value, index_scores, k, allowed=None):
    left = index_scores.detach().clone()
    if allowed is not None:
        left[~allowed.expand(left.shape)] = -math.inf
    chosen = torch.zeros_like(left, dtype=torch.bool)
    places = torch.arange(left.shape[-1], device=left.device)
    for _ in range(min(k, left.shape[-1])):
        largest = left.max(dim=-1, keepdim=True).values
        first = torch.where(left == largest, places, left.shape[-1]).min(dim=-1, keepdim=True).values
        here = (places == first) & (largest > -math.inf)
        chosen |= here
        left = left.masked_fill(here, -math.inf)
    scores = query @ key.mT / query.shape[-1] ** 0.5
    weights = scores.masked_fill(~chosen, -math.inf).softmax(-1).nan_to_num()
    return weights @ value, weights

def right__gathered(query, key, value, index_scores, k, allowed=None):
    k = min(k, index_scores.shape[-1])
    blocked = torch.zeros_like(index_scores, dtype=torch.bool)
    if allowed is not None:
        blocked = ~allowed.expand(index_scores.shape)
    places = index_scores.masked_fill(blocked, -math.inf).sort(descending=True, stable=True)[1][..., :k]
    scores = (query @ key.mT / math.sqrt(key.shape[-1])).gather(-1, places)
    scores = scores.masked_fill(blocked.gather(-1, places), -math.inf)
    weights = torch.zeros_like(index_scores).scatter(-1, places, scores.softmax(-1).nan_to_num())
    return weights @ value, weights

def right__row_by_row(query, key, value, index_scores, k, allowed=None):
    chosen = torch.zeros(index_scores.shape, dtype=torch.bool, device=query.device)
    may = chosen.logical_not() if allowed is None else allowed.expand(chosen.shape)
    rows = index_scores.detach().reshape(-1, index_scores.shape[-1])
    flat, flags = may.reshape(rows.shape), chosen.view(rows.shape)
    for row in range(len(rows)):
        places = [j for j in range(rows.shape[1]) if flat[row, j]]
        for j in sorted(places, key=lambda j: -rows[row, j].item())[:k]:
            flags[row, j] = True
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    weights = scores.masked_fill(~chosen, -math.inf).softmax(-1).nan_to_num()
    return weights @ value, weights

right__bias_added = change(
    right__stable_sort,
    (
        "weights = scores.masked_fill(~chosen, -torch.inf).softmax(-1).nan_to_num()",
        "bias = torch.zeros_like(scores).masked_fill(~chosen, torch.finfo(scores.dtype).min / 2)",
        "weights = (scores + bias).softmax(-1) * chosen",
    ),
)
right__argsort = change(
    right__stable_sort,
    (
        "torch.sort(index_scores.masked_fill(~allowed, -torch.inf), dim=-1, descending=True, stable=True).indices",
        "index_scores.masked_fill(~allowed, -torch.inf).argsort(dim=-1, descending=True, stable=True)",
    ),
)
right__one_hot = change(
    right__stable_sort,
    ("torch.zeros_like(allowed).scatter(-1, order[..., :k], True)", "F.one_hot(order[..., :k], key.shape[-2]).any(-2)"),
)
right__detached_index = change(
    right__stable_sort,
    ("if allowed is None:", "index_scores = index_scores.detach()", "if allowed is None:"),
)
right__query_scaled = change(
    right__rank,
    (
        "scores = torch.matmul(query, key.transpose(-1, -2)) * query.shape[-1] ** -0.5",
        "scores = torch.einsum('...id,...jd->...ij', query / math.sqrt(query.shape[-1]), key)",
    ),
)
right__heap = change(
    right__row_by_row,
    (
        "sorted(places, key=lambda j: -rows[row, j].item())[:k]",
        "heapq.nsmallest(k, places, key=lambda j: (-rows[row, j].item(), j))",
    ),
)
right__exp_and_sum = change(
    right__rank,
    (
        "weights = torch.where(chosen, F.softmax(scores, dim=-1), 0.0)",
        "parts = (scores - scores.amax(-1, keepdim=True)).exp() * chosen",
        "weights = parts / parts.sum(-1, keepdim=True).clamp(min=1e-4)",
    ),
)

wrong__top_k_of_attention_scores__1 = change(
    right__stable_sort,
    ("index_scores.masked_fill(~allowed, -torch.inf)", "(query @ key.mT).masked_fill(~allowed, -torch.inf)"),
)
wrong__top_k_blocked_kept__1 = change(
    right__stable_sort, ("index_scores.masked_fill(~allowed, -torch.inf)", "index_scores")
)
# `topk` takes whichever it likes of equal ones, too.
wrong__top_k_blocked_kept__2 = change(
    right__stable_sort,
    (
        "torch.sort(index_scores.masked_fill(~allowed, -torch.inf), dim=-1, descending=True, stable=True).indices",
        "index_scores.topk(min(k, key.shape[-2])).indices",
    ),
)
wrong__top_k_blocked_as_zero__1 = change(
    right__stable_sort, ("index_scores.masked_fill(~allowed, -torch.inf)", "index_scores * allowed")
)
wrong__top_k_blocked_as_zero__2 = change(
    right__stable_sort,
    ("index_scores.masked_fill(~allowed, -torch.inf)", "index_scores.masked_fill(~allowed, 0)"),
    ("order[..., :k], True) & allowed", "order[..., :k], True)"),
)
wrong__top_k_threshold__1 = change(
    right__rank,
    (
        "rank = (-index).argsort(dim=-1, stable=True).argsort(dim=-1)",
        "lowest = index.topk(min(k, index.shape[-1]), dim=-1).values[..., -1:]",
    ),
    ("chosen = rank < k", "chosen = index >= lowest"),
)
wrong__top_k_threshold__2 = change(
    right__rank,
    (
        "rank = (-index).argsort(dim=-1, stable=True).argsort(dim=-1)",
        "lowest = index.kthvalue(max(index.shape[-1] - k + 1, 1), dim=-1, keepdim=True).values",
    ),
    ("chosen = rank < k", "chosen = index >= lowest"),
)
wrong__top_k_above_threshold__1 = change(
    right__rank,
    (
        "rank = (-index).argsort(dim=-1, stable=True).argsort(dim=-1)",
        "lowest = index.topk(min(k, index.shape[-1]), dim=-1).values[..., -1:]",
    ),
    ("chosen = rank < k", "chosen = index > lowest"),
)
# An ascending sort, read from its end.
wrong__top_k_last_of_equal__1 = change(
    right__stable_sort,
    (", dim=-1, descending=True, stable=True).indices", ", dim=-1, stable=True).indices.flip(-1)"),
)
wrong__top_k_not_renormalised__1 = change(
    right__stable_sort,
    ("scores.masked_fill(~chosen, -torch.inf)", "scores.masked_fill(~allowed, -torch.inf)"),
    (".nan_to_num()", ".nan_to_num() * chosen"),
)
wrong__top_k_not_renormalised__2 = change(
    right__stable_sort,
    ("scores.masked_fill(~chosen, -torch.inf).softmax(-1).nan_to_num()", "scores.softmax(-1) * chosen"),
)
wrong__top_k_smallest__1 = change(
    right__stable_sort,
    ("index_scores.masked_fill(~allowed, -torch.inf)", "index_scores.masked_fill(~allowed, torch.inf)"),
    ("descending=True", "descending=False"),
)
wrong__top_k_by_size__1 = change(
    right__stable_sort,
    ("index_scores.masked_fill(~allowed, -torch.inf)", "index_scores.abs().masked_fill(~allowed, -torch.inf)"),
)
wrong__top_k_rest__1 = change(
    right__stable_sort,
    ("order[..., :k], True) & allowed", "order[..., :k], True)"),
    ("scores.masked_fill(~chosen, -torch.inf)", "scores.masked_fill(chosen | ~allowed, -torch.inf)"),
)
wrong__top_k_off_by_one__1 = change(right__rank, ("rank < k", "rank <= k"))
wrong__top_k_off_by_one__2 = change(right__rank, ("rank < k", "rank < k - 1"))
wrong__top_k_over_queries__1 = change(
    right__stable_sort,
    ("dim=-1, descending=True", "dim=-2, descending=True"),
    (".scatter(-1, order[..., :k], True)", ".scatter(-2, order[..., :k, :], True)"),
)
wrong__top_k_one_choice__1 = change(
    right__stable_sort,
    (
        "if allowed is None:",
        "index_scores = index_scores.mean(-2, keepdim=True).expand_as(index_scores)",
        "if allowed is None:",
    ),
)
wrong__top_k_index_as_scores__1 = change(
    right__stable_sort, ("query @ key.mT / math.sqrt(query.shape[-1])", "index_scores")
)
wrong__top_k_index_added__1 = change(
    right__stable_sort, ("math.sqrt(query.shape[-1])", "math.sqrt(query.shape[-1]) + index_scores")
)

def wrong__top_k_ignored__1(query, key, value, index_scores, k, allowed=None):
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights

wrong__mask_inverted__1 = change(
    right__stable_sort,
    ("torch.ones_like(index_scores, dtype=torch.bool)", "torch.zeros_like(index_scores, dtype=torch.bool)"),
    ("allowed = allowed.expand(index_scores.shape)", "allowed = ~allowed.expand(index_scores.shape)"),
)
wrong__mask_after_softmax__1 = change(
    right__stable_sort,
    ("index_scores.masked_fill(~allowed, -torch.inf)", "index_scores"),
    ("order[..., :k], True) & allowed", "order[..., :k], True)"),
    (".softmax(-1).nan_to_num()", ".softmax(-1) * allowed"),
)
wrong__top_k_others_kept__1 = change(
    right__stable_sort, ("scores.masked_fill(~chosen, -torch.inf)", "scores.masked_fill(~chosen, 0.0)")
)
wrong__top_k_others_kept__2 = change(
    right__stable_sort, ("scores.masked_fill(~chosen, -torch.inf)", "scores.masked_fill(~chosen, -10.0)")
)
wrong__top_k_others_kept__3 = change(
    right__stable_sort, ("scores.masked_fill(~chosen, -torch.inf)", "(scores + chosen.to(scores.dtype))")
)
wrong__mask_ignored__1 = change(right__stable_sort, ("if allowed is None:", "if True:"))
wrong__mask_fully_nan__1 = change(right__stable_sort, (".softmax(-1).nan_to_num()", ".softmax(-1)"))
wrong__mask_fully_uniform__1 = change(
    right__stable_sort,
    ("-torch.inf).softmax(-1).nan_to_num()", "torch.finfo(scores.dtype).min).softmax(-1)"),
)
wrong__mask_fully_uniform__2 = change(
    right__gathered,
    ("blocked.gather(-1, places), -math.inf", "blocked.gather(-1, places), -1e30"),
    (".nan_to_num()", ""),
)
wrong__no_scale__1 = change(right__stable_sort, (" / math.sqrt(query.shape[-1])", ""))
wrong__scale_by_d__1 = change(right__stable_sort, ("math.sqrt(query.shape[-1])", "query.shape[-1]"))
wrong__scale_multiplied__1 = change(right__stable_sort, ("/ math.sqrt", "* math.sqrt"))
wrong__scale_wrong_axis__1 = change(right__stable_sort, ("math.sqrt(query.shape[-1])", "math.sqrt(key.shape[-2])"))
wrong__softmax_over_queries__1 = change(right__stable_sort, (".softmax(-1)", ".softmax(-2)"))
wrong__weights_times_keys__1 = change(right__stable_sort, ("weights @ value", "weights @ key"))
wrong__key_reshaped__1 = change(
    right__stable_sort, ("key.mT", "key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])")
)
wrong__softmax_missing__1 = change(
    right__stable_sort,
    ("scores.masked_fill(~chosen, -torch.inf).softmax(-1).nan_to_num()", "scores.masked_fill(~chosen, 0)"),
)
wrong__softmax_overflows__1 = change(
    right__stable_sort,
    (
        "weights = scores.masked_fill(~chosen, -torch.inf).softmax(-1).nan_to_num()",
        "parts = scores.masked_fill(~chosen, -torch.inf).exp()",
        "weights = parts / parts.sum(-1, keepdim=True).clamp(min=1e-30)",
    ),
)
wrong__softmax_over_everything__1 = change(
    right__stable_sort,
    (".softmax(-1).nan_to_num()", ".flatten(-2).softmax(-1).nan_to_num().view_as(scores)"),
)
wrong__detached__1 = change(right__stable_sort, ("def", "@torch.no_grad()", "def"))
# Blocked index scores are overwritten in the caller's tensor.
wrong__input_changed__1 = change(
    right__stable_sort,
    ("order = torch.sort(index_scores.masked_fill(~allowed", "order = torch.sort(index_scores.masked_fill_(~allowed"),
)
wrong__wrong_device__1 = change(
    right__stable_sort,
    ("torch.zeros_like(allowed).scatter", "torch.zeros(allowed.shape, dtype=torch.bool).scatter"),
)
wrong__wrong_dtype__1 = change(right__stable_sort, ("weights @ value, weights", "weights @ value, weights.float()"))
# The output does not reach the scores.
extra__half_detached = change(right__stable_sort, ("return weights @ value", "return weights.detach() @ value"))
# Of equal ones, whichever `topk` gives.
extra__topk = change(
    right__stable_sort,
    (
        "torch.sort(index_scores.masked_fill(~allowed, -torch.inf), dim=-1, descending=True, stable=True).indices",
        "index_scores.masked_fill(~allowed, -torch.inf).topk(min(k, key.shape[-2])).indices",
    ),
)
# More than there are.
extra__topk_beyond = change(
    right__stable_sort,
    (
        "torch.sort(index_scores.masked_fill(~allowed, -torch.inf), dim=-1, descending=True, stable=True).indices",
        "index_scores.masked_fill(~allowed, -torch.inf).topk(k).indices",
    ),
)
# The weights come in the order of their index scores.
extra__in_the_order_of_the_index = change(
    right__gathered,
    (
        "torch.zeros_like(index_scores).scatter(-1, places, scores.softmax(-1).nan_to_num())",
        "scores.softmax(-1).nan_to_num()",
    ),
)

# Read as cards by somebody who had not seen the misconceptions.
def extra__k_above_n_keys(query, key, value, index_scores, k, allowed=None):
    """`topk` raises where k is larger than n_keys, and takes any of equal ones."""
    s = index_scores if allowed is None else index_scores.masked_fill(~allowed, float("-inf"))
    order = torch.topk(s, k, dim=-1).indices
    keep = torch.zeros_like(s, dtype=torch.bool).scatter(-1, order, True)
    if allowed is not None:
        keep = keep & allowed
    scores = (query @ key.mT / math.sqrt(query.shape[-1])).masked_fill(~keep, float("-inf"))
    w = torch.nan_to_num(torch.softmax(scores, -1))
    return w @ value, w

def wrong__scale_wrong_axis__2(query, key, value, index_scores, k, allowed=None):
    """The root of k, the number of terms in the softmax."""
    s = index_scores if allowed is None else index_scores.masked_fill(~allowed, float("-inf"))
    order = s.argsort(dim=-1, descending=True, stable=True)[..., :k]
    keep = torch.zeros_like(s, dtype=torch.bool).scatter(-1, order, True)
    if allowed is not None:
        keep = keep & allowed
    scores = (query @ key.mT / math.sqrt(k)).masked_fill(~keep, float("-inf"))
    w = torch.nan_to_num(torch.softmax(scores, -1))
    return w @ value, w

def extra__weights_over_chosen(query, key, value, index_scores, k, allowed=None):
    """The weights come back over the k chosen keys alone."""
    k = min(k, key.shape[-2])
    s = index_scores if allowed is None else index_scores.masked_fill(~allowed, float("-inf"))
    top, order = s.sort(dim=-1, descending=True, stable=True)
    order, top = order[..., :k], top[..., :k]
    scores = (query @ key.mT / math.sqrt(query.shape[-1])).gather(-1, order)
    scores = scores.masked_fill(top == float("-inf"), float("-inf"))
    w = torch.nan_to_num(torch.softmax(scores, -1))
    full = torch.zeros_like(index_scores).scatter(-1, order, w)
    return full @ value, w

def wrong__top_k_others_kept__4(query, key, value, index_scores, k, allowed=None):
    """Scores that are not chosen become 0."""
    s = index_scores if allowed is None else index_scores.masked_fill(~allowed, float("-inf"))
    order = s.argsort(dim=-1, descending=True, stable=True)[..., :k]
    keep = torch.zeros_like(s, dtype=torch.bool).scatter(-1, order, True)
    scores = (query @ key.mT / math.sqrt(query.shape[-1])) * keep
    if allowed is not None:
        scores = scores.masked_fill(~allowed, float("-inf"))
    w = torch.nan_to_num(torch.softmax(scores, -1))
    return w @ value, w

def extra__sum_of_rows_with_mask(query, key, value, index_scores, k, allowed=None):
    """Masked index scores are summed over the queries, and all choose by the sum."""
    s = index_scores if allowed is None else index_scores.masked_fill(~allowed, float("-inf"))
    order = s.sum(dim=-2, keepdim=True).argsort(dim=-1, descending=True, stable=True)[..., :k]
    keep = torch.zeros_like(s[..., :1, :], dtype=torch.bool).scatter(-1, order, True).expand(s.shape)
    if allowed is not None:
        keep = keep & allowed
    scores = (query @ key.mT / math.sqrt(query.shape[-1])).masked_fill(~keep, float("-inf"))
    w = torch.nan_to_num(torch.softmax(scores, -1))
    return w @ value, w

def wrong__top_k_first_keys__1(query, key, value, index_scores, k, allowed=None):
    """The first k keys are kept."""
    n = key.shape[-2]
    keep = (torch.arange(n, device=key.device) < k).expand(index_scores.shape)
    if allowed is not None:
        keep = keep & allowed
    scores = (query @ key.mT / math.sqrt(query.shape[-1])).masked_fill(~keep, float("-inf"))
    w = torch.nan_to_num(torch.softmax(scores, -1))
    return w @ value, w

def wrong__top_k_by_size__2(query, key, value, index_scores, k, allowed=None):
    s = index_scores.abs() if allowed is None else index_scores.abs().masked_fill(~allowed, float("-inf"))
    order = s.argsort(dim=-1, descending=True, stable=True)[..., :k]
    keep = torch.zeros_like(s, dtype=torch.bool).scatter(-1, order, True)
    if allowed is not None:
        keep = keep & allowed
    scores = (query @ key.mT / math.sqrt(query.shape[-1])).masked_fill(~keep, float("-inf"))
    w = torch.nan_to_num(torch.softmax(scores, -1))
    return w @ value, w
