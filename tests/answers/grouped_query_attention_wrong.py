"""Wrong answers to `grouped_query_attention(query, key, value, allowed=None)` of notebook 09."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def wrong__grouped_query_attention__softmax_over_queries__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-2))
    return weights @ value, weights


def wrong__grouped_query_attention__softmax_over_queries__2(query, key, value, allowed=None):
    n_groups, d_key = key.shape[-3], query.shape[-1]
    grouped = query.unflatten(-3, (n_groups, -1))
    scores = torch.einsum("...grqd,...gkd->...grqk", grouped, key).flatten(-4, -3) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-2) * allowed
    mixed = torch.einsum("...grqk,...gkv->...grqv", weights.unflatten(-3, (n_groups, -1)), value)
    return mixed.flatten(-4, -3), weights


def wrong__grouped_query_attention__scale_by_d_model__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-3] * query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__grouped_query_attention__scale_by_d_model__2(query, key, value, allowed=None):
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    shape = (*query.shape[:-1], key.shape[-2])
    mask = query.new_ones(shape, dtype=torch.bool) if allowed is None else allowed.expand(shape)
    outputs, all_weights = [], []
    for h in range(n_heads):
        g = h * n_groups // n_heads
        scores = query[..., h, :, :] @ key[..., g, :, :].mT / (n_heads * query.shape[-1]) ** 0.5
        scores = scores.masked_fill(~mask[..., h, :, :], -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value[..., g, :, :])
        all_weights.append(weights)
    return torch.stack(outputs, dim=-3), torch.stack(all_weights, dim=-3)


def wrong__grouped_query_attention__scale_multiplied__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) * math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__grouped_query_attention__scale_multiplied__2(query, key, value, allowed=None):
    n_groups, d_key = key.shape[-3], query.shape[-1]
    grouped = query.unflatten(-3, (n_groups, -1))
    scores = torch.einsum("...grqd,...gkd->...grqk", grouped, key).flatten(-4, -3) * d_key**0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...grqk,...gkv->...grqv", weights.unflatten(-3, (n_groups, -1)), value)
    return mixed.flatten(-4, -3), weights


def wrong__grouped_query_attention__groups_tiled__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = torch.cat([key] * n_repeats, dim=-3)
    value = torch.cat([value] * n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__grouped_query_attention__groups_tiled__2(query, key, value, allowed=None):
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    shape = (*query.shape[:-1], key.shape[-2])
    mask = query.new_ones(shape, dtype=torch.bool) if allowed is None else allowed.expand(shape)
    outputs, all_weights = [], []
    for h in range(n_heads):
        g = h % n_groups
        scores = query[..., h, :, :] @ key[..., g, :, :].mT / query.shape[-1] ** 0.5
        scores = scores.masked_fill(~mask[..., h, :, :], -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value[..., g, :, :])
        all_weights.append(weights)
    return torch.stack(outputs, dim=-3), torch.stack(all_weights, dim=-3)


def wrong__grouped_query_attention__groups_tiled__3(query, key, value, allowed=None):
    n_groups, d_key = key.shape[-3], query.shape[-1]
    grouped = query.unflatten(-3, (-1, n_groups))
    scores = torch.einsum("...rgqd,...gkd->...rgqk", grouped, key).flatten(-4, -3) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...rgqk,...gkv->...rgqv", weights.unflatten(-3, (-1, n_groups)), value)
    return mixed.flatten(-4, -3), weights


def wrong__grouped_query_attention__groups_tiled__4(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.unsqueeze(-4).expand(*key.shape[:-3], n_repeats, *key.shape[-3:]).flatten(-4, -3)
    value = value.unsqueeze(-4).expand(*value.shape[:-3], n_repeats, *value.shape[-3:]).flatten(-4, -3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__grouped_query_attention__detached__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return (weights @ value).detach(), weights.detach()


def wrong__grouped_query_attention__detached__2(query, key, value, allowed=None):
    query, key, value = query.data, key.data, value.data
    n_groups, d_key = key.shape[-3], query.shape[-1]
    grouped = query.unflatten(-3, (n_groups, -1))
    scores = torch.einsum("...grqd,...gkd->...grqk", grouped, key).flatten(-4, -3) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...grqk,...gkv->...grqv", weights.unflatten(-3, (n_groups, -1)), value)
    return mixed.flatten(-4, -3), weights


@torch.no_grad()
def wrong__grouped_query_attention__detached__3(query, key, value, allowed=None):
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


def wrong__grouped_query_attention__input_changed__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    query /= math.sqrt(query.shape[-1])
    scores = query @ key.transpose(-2, -1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__grouped_query_attention__input_changed__2(query, key, value, allowed=None):
    n_groups, d_key = key.shape[-3], query.shape[-1]
    grouped = query.unflatten(-3, (n_groups, -1))
    scores = torch.einsum("...grqd,...gkd->...grqk", grouped, key).flatten(-4, -3) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    blocked = allowed.logical_not_()
    weights = scores.masked_fill(blocked, torch.finfo(scores.dtype).min).softmax(-1) * ~blocked
    mixed = torch.einsum("...grqk,...gkv->...grqv", weights.unflatten(-3, (n_groups, -1)), value)
    return mixed.flatten(-4, -3), weights


def wrong__grouped_query_attention__input_changed__3(query, key, value, allowed=None):
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    shape = (*query.shape[:-1], key.shape[-2])
    mask = query.new_ones(shape, dtype=torch.bool) if allowed is None else allowed.expand(shape)
    outputs, all_weights = [], []
    for h in range(n_heads):
        g = h * n_groups // n_heads
        scores = query[..., h, :, :] @ key[..., g, :, :].mul_(query.shape[-1] ** -0.5).mT
        scores = scores.masked_fill(~mask[..., h, :, :], -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value[..., g, :, :])
        all_weights.append(weights)
    return torch.stack(outputs, dim=-3), torch.stack(all_weights, dim=-3)


def wrong__grouped_query_attention__wrong_device__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / torch.tensor([query.shape[-1]], dtype=query.dtype).sqrt()
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__grouped_query_attention__wrong_device__2(query, key, value, allowed=None):
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    shape = (*query.shape[:-1], key.shape[-2])
    mask = torch.ones(shape, dtype=torch.bool) if allowed is None else allowed.expand(shape)
    outputs, all_weights = [], []
    for h in range(n_heads):
        g = h * n_groups // n_heads
        scores = query[..., h, :, :] @ key[..., g, :, :].mT / query.shape[-1] ** 0.5
        scores = scores.masked_fill(~mask[..., h, :, :], -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value[..., g, :, :])
        all_weights.append(weights)
    return torch.stack(outputs, dim=-3), torch.stack(all_weights, dim=-3)


def wrong__grouped_query_attention__wrong_dtype__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return (weights @ value).float(), weights.float()


def wrong__grouped_query_attention__wrong_dtype__2(query, key, value, allowed=None):
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    shape = (*query.shape[:-1], key.shape[-2])
    mask = query.new_ones(shape, dtype=torch.bool) if allowed is None else allowed.expand(shape)
    outputs, all_weights = [], []
    for h in range(n_heads):
        g = h * n_groups // n_heads
        scores = query[..., h, :, :] @ key[..., g, :, :].mT / query.shape[-1] ** 0.5
        scores = scores.masked_fill(~mask[..., h, :, :], -torch.inf)
        weights = scores.softmax(-1, dtype=torch.float32).nan_to_num()
        outputs.append(weights @ value[..., g, :, :].to(torch.float32))
        all_weights.append(weights)
    return torch.stack(outputs, dim=-3), torch.stack(all_weights, dim=-3)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
