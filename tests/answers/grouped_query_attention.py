"""Right answers to `grouped_query_attention(query, key, value, allowed=None)` of notebook 09."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from course_attention import attention
from tests.answers.gather import gather


def right__grouped_query_attention__repeat_interleave(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def right__grouped_query_attention__einsum_by_group(query, key, value, allowed=None):
    n_groups, d_key = key.shape[-3], query.shape[-1]
    grouped = query.unflatten(-3, (n_groups, -1))
    scores = torch.einsum("...grqd,...gkd->...grqk", grouped, key).flatten(-4, -3) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...grqk,...gkv->...grqv", weights.unflatten(-3, (n_groups, -1)), value)
    return mixed.flatten(-4, -3), weights


def right__grouped_query_attention__loop_over_heads(query, key, value, allowed=None):
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    shape = (*query.shape[:-1], key.shape[-2])
    mask = query.new_ones(shape, dtype=torch.bool) if allowed is None else allowed.expand(shape)
    outputs, all_weights = [], []
    for h in range(n_heads):
        g = h * n_groups // n_heads
        scores = query[..., h, :, :] @ key[..., g, :, :].mT / query.shape[-1] ** 0.5
        scores = scores.masked_fill(~mask[..., h, :, :], -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value[..., g, :, :])
        all_weights.append(weights)
    return torch.stack(outputs, dim=-3), torch.stack(all_weights, dim=-3)


def right__grouped_query_attention__rows_of_a_group_joined(query, key, value, allowed=None):
    # All queries of a group in one matrix: key and value are never copied.
    *batch, n_heads, n_queries, d_key = query.shape
    n_groups, n_keys = key.shape[-3], key.shape[-2]
    joined = query.reshape(*batch, n_groups, -1, d_key)
    scores = (joined @ key.mT / math.sqrt(d_key)).reshape(*batch, n_heads, n_queries, n_keys)
    if allowed is not None:
        scores = torch.where(allowed, scores, -math.inf)
    weights = scores.softmax(-1).nan_to_num(nan=0.0)
    output = weights.reshape(*batch, n_groups, -1, n_keys) @ value
    return [output.reshape(*batch, n_heads, n_queries, -1), weights]


def right__grouped_query_attention__expand(query, key, value, allowed=None):
    *batch, n_heads, _, d_key = query.shape
    n_groups, n_keys, d_value = value.shape[-3:]
    n_repeats = n_heads // n_groups
    key = key.unsqueeze(-3).expand(*batch, n_groups, n_repeats, n_keys, d_key).flatten(-4, -3)
    value = value.unsqueeze(-3).expand(*batch, n_groups, n_repeats, n_keys, d_value).flatten(-4, -3)
    scores = torch.matmul(query * d_key**-0.5, key.transpose(-1, -2))
    if allowed is not None:
        scores = scores.masked_fill(allowed.logical_not(), torch.finfo(scores.dtype).min)
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    if allowed is not None:
        weights = weights.masked_fill(~allowed, 0)
    return torch.matmul(weights, value), weights


def right__grouped_query_attention__loop_over_groups(query, key, value, allowed=None):
    n_groups = key.shape[-3]
    outputs, all_weights = [], []
    for g, heads in enumerate(query.chunk(n_groups, dim=-3)):
        scores = heads @ key[..., g : g + 1, :, :].mT / math.sqrt(key.shape[-1])
        if allowed is not None:
            own = allowed
            if allowed.dim() > 2 and allowed.shape[-3] > 1:
                own = allowed.chunk(n_groups, dim=-3)[g]
            bias = torch.zeros_like(scores).masked_fill(~own, torch.finfo(scores.dtype).min / 2)
            weights = (scores + bias).softmax(-1).masked_fill(~own, 0)
        else:
            weights = scores.softmax(-1)
        outputs.append(weights @ value[..., g : g + 1, :, :])
        all_weights.append(weights)
    return torch.cat(outputs, dim=-3), torch.cat(all_weights, dim=-3)


def right__grouped_query_attention__index_select(query, key, value, allowed=None):
    n_heads = query.shape[-3]
    group = torch.arange(n_heads, device=query.device) // (n_heads // key.shape[-3])
    scores = query @ key.index_select(-3, group).mT * query.size(-1) ** -0.5
    if allowed is not None:
        blocked = torch.zeros(allowed.shape, dtype=scores.dtype, device=scores.device)
        scores = scores + blocked.masked_fill(~allowed, -1e30 if scores.dtype != torch.float16 else -6e4)
    weights = scores.softmax(dim=-1)
    weights = weights if allowed is None else torch.where(allowed, weights, 0)
    return weights @ value.index_select(-3, group), weights


def right__grouped_query_attention__in_float32(query, key, value, allowed=None):
    dtype, wide = query.dtype, torch.promote_types(query.dtype, torch.float32)
    n_repeats = query.size(-3) // key.size(-3)
    q, k, v = query.to(wide), key.to(wide), value.to(wide)
    k, v = (torch.stack([x] * n_repeats, dim=-3).flatten(-4, -3) for x in (k, v))
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return (weights @ v).to(dtype), weights.to(dtype)


def odd__grouped_query_attention__with_attention(query, key, value, allowed=None):
    """The helper of notebook 02 after the repetition."""
    n_repeats = query.shape[-3] // key.shape[-3]
    key, value = (x.repeat_interleave(n_repeats, -3) for x in (key, value))
    return attention(query, key, value, allowed)


def odd__grouped_query_attention__renamed(q, k, v, mask=None):
    """Other names, and an answer that is a list."""
    r = q.size(-3) // k.size(-3)
    k, v = (torch.cat([g.expand(*g.shape[:-3], r, -1, -1) for g in x.split(1, -3)], -3) for x in (k, v))
    s = q @ k.mT / math.sqrt(q.size(-1))
    w = (s if mask is None else s.masked_fill(~mask, -math.inf)).softmax(-1).nan_to_num()
    return [w @ v, w]


def odd__grouped_query_attention__keyword_only(query, key, value, *, allowed=None, dropout=0.0):
    """The mask by name only, and an argument more."""
    index = [h * key.shape[-3] // query.shape[-3] for h in range(query.shape[-3])]
    key, value = key[..., index, :, :], value[..., index, :, :]
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return F.dropout(w, dropout) @ value, w


def odd__grouped_query_attention__kron(query, key, value, allowed=None):
    """A matrix of ones and zeros hands each group to its heads."""
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    share = torch.eye(n_groups, dtype=query.dtype, device=query.device)
    share = share.repeat_interleave(n_heads // n_groups, dim=0)
    key, value = (torch.einsum("hg,...gkd->...hkd", share, x) for x in (key, value))
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, w


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
