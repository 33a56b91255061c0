"""Wrong answers about the mask to `grouped_query_attention` of notebook 09, and some with a second mistake."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def wrong__grouped_query_attention__mask_inverted__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__grouped_query_attention__mask_inverted__2(query, key, value, allowed=None):
    n_groups, d_key = key.shape[-3], query.shape[-1]
    grouped = query.unflatten(-3, (n_groups, -1))
    scores = torch.einsum("...grqd,...gkd->...grqk", grouped, key).flatten(-4, -3) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else ~allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...grqk,...gkv->...grqv", weights.unflatten(-3, (n_groups, -1)), value)
    return mixed.flatten(-4, -3), weights


def wrong__grouped_query_attention__mask_ignored__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__grouped_query_attention__mask_ignored__2(query, key, value, allowed=None):
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    shape = (*query.shape[:-1], key.shape[-2])
    mask = query.new_ones(shape, dtype=torch.bool) if allowed is None else allowed.expand(shape)
    outputs, all_weights = [], []
    for h in range(n_heads):
        g = h * n_groups // n_heads
        scores = query[..., h, :, :] @ key[..., g, :, :].mT / query.shape[-1] ** 0.5
        scores.masked_fill(~mask[..., h, :, :], -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value[..., g, :, :])
        all_weights.append(weights)
    return torch.stack(outputs, dim=-3), torch.stack(all_weights, dim=-3)


def wrong__grouped_query_attention__mask_after_softmax__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores, dim=-1)
    if allowed is not None:
        weights = weights * allowed
    return weights @ value, weights


def wrong__grouped_query_attention__mask_after_softmax__2(query, key, value, allowed=None):
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    shape = (*query.shape[:-1], key.shape[-2])
    mask = query.new_ones(shape, dtype=torch.bool) if allowed is None else allowed.expand(shape)
    outputs, all_weights = [], []
    for h in range(n_heads):
        g = h * n_groups // n_heads
        scores = query[..., h, :, :] @ key[..., g, :, :].mT / query.shape[-1] ** 0.5
        weights = scores.softmax(-1).masked_fill(~mask[..., h, :, :], 0)
        outputs.append(weights @ value[..., g, :, :])
        all_weights.append(weights)
    return torch.stack(outputs, dim=-3), torch.stack(all_weights, dim=-3)


def wrong__grouped_query_attention__mask_scores_to_zero__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is None:
        weights = F.softmax(scores, dim=-1)
    else:
        weights = F.softmax(scores * allowed, dim=-1) * allowed.any(-1, keepdim=True)
    return weights @ value, weights


def wrong__grouped_query_attention__mask_scores_to_zero__2(query, key, value, allowed=None):
    n_groups, d_key = key.shape[-3], query.shape[-1]
    grouped = query.unflatten(-3, (n_groups, -1))
    scores = torch.einsum("...grqd,...gkd->...grqk", grouped, key).flatten(-4, -3) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = scores.masked_fill(~allowed, 0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
    mixed = torch.einsum("...grqk,...gkv->...grqv", weights.unflatten(-3, (n_groups, -1)), value)
    return mixed.flatten(-4, -3), weights


def wrong__grouped_query_attention__mask_scores_to_zero__3(query, key, value, allowed=None):
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    shape = (*query.shape[:-1], key.shape[-2])
    mask = query.new_ones(shape, dtype=torch.bool) if allowed is None else allowed.expand(shape)
    outputs, all_weights = [], []
    for h in range(n_heads):
        g = h * n_groups // n_heads
        scores = query[..., h, :, :] @ key[..., g, :, :].mT / query.shape[-1] ** 0.5
        seen = mask[..., h, :, :]
        weights = torch.where(seen, scores, -1e-9).softmax(-1) * seen.any(-1, keepdim=True)
        outputs.append(weights @ value[..., g, :, :])
        all_weights.append(weights)
    return torch.stack(outputs, dim=-3), torch.stack(all_weights, dim=-3)


def wrong__grouped_query_attention__mask_tiny_fill__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is None:
        weights = F.softmax(scores, dim=-1)
    else:
        scores = scores.masked_fill(~allowed, -10)
        weights = F.softmax(scores, dim=-1) * allowed.any(-1, keepdim=True)
    return weights @ value, weights


def wrong__grouped_query_attention__mask_tiny_fill__2(query, key, value, allowed=None):
    n_groups, d_key = key.shape[-3], query.shape[-1]
    grouped = query.unflatten(-3, (n_groups, -1))
    scores = torch.einsum("...grqd,...gkd->...grqk", grouped, key).flatten(-4, -3) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, -10.0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
    mixed = torch.einsum("...grqk,...gkv->...grqv", weights.unflatten(-3, (n_groups, -1)), value)
    return mixed.flatten(-4, -3), weights


def wrong__grouped_query_attention__mask_added_as_01__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is None:
        weights = F.softmax(scores, dim=-1)
    else:
        weights = F.softmax(scores + allowed, dim=-1) * allowed.any(-1, keepdim=True)
    return weights @ value, weights


def wrong__grouped_query_attention__mask_added_as_01__2(query, key, value, allowed=None):
    n_groups, d_key = key.shape[-3], query.shape[-1]
    grouped = query.unflatten(-3, (n_groups, -1))
    scores = torch.einsum("...grqd,...gkd->...grqk", grouped, key).flatten(-4, -3) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = scores.add(allowed.type_as(scores)).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
    mixed = torch.einsum("...grqk,...gkv->...grqv", weights.unflatten(-3, (n_groups, -1)), value)
    return mixed.flatten(-4, -3), weights


def wrong__grouped_query_attention__mask_fully_nan__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def wrong__grouped_query_attention__mask_fully_nan__2(query, key, value, allowed=None):
    n_groups, d_key = key.shape[-3], query.shape[-1]
    grouped = query.unflatten(-3, (n_groups, -1))
    scores = torch.einsum("...grqd,...gkd->...grqk", grouped, key).flatten(-4, -3) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = (scores + torch.where(allowed, 0.0, -math.inf).to(scores.dtype)).softmax(-1)
    mixed = torch.einsum("...grqk,...gkv->...grqv", weights.unflatten(-3, (n_groups, -1)), value)
    return mixed.flatten(-4, -3), weights


def wrong__grouped_query_attention__mask_fully_uniform__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -1e9)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def wrong__grouped_query_attention__mask_fully_uniform__2(query, key, value, allowed=None):
    n_groups, d_key = key.shape[-3], query.shape[-1]
    grouped = query.unflatten(-3, (n_groups, -1))
    scores = torch.einsum("...grqd,...gkd->...grqk", grouped, key).flatten(-4, -3) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1)
    mixed = torch.einsum("...grqk,...gkv->...grqv", weights.unflatten(-3, (n_groups, -1)), value)
    return mixed.flatten(-4, -3), weights


def wrong__grouped_query_attention__mask_fully_uniform__3(query, key, value, allowed=None):
    n_heads, n_groups = query.shape[-3], key.shape[-3]
    shape = (*query.shape[:-1], key.shape[-2])
    mask = query.new_ones(shape, dtype=torch.bool) if allowed is None else allowed.expand(shape)
    outputs, all_weights = [], []
    for h in range(n_heads):
        g = h * n_groups // n_heads
        scores = query[..., h, :, :] @ key[..., g, :, :].mT / query.shape[-1] ** 0.5
        scores = scores.masked_fill(~mask[..., h, :, :], -torch.inf)
        weights = scores.softmax(-1).nan_to_num(nan=1 / key.shape[-2])
        outputs.append(weights @ value[..., g, :, :])
        all_weights.append(weights)
    return torch.stack(outputs, dim=-3), torch.stack(all_weights, dim=-3)


def natural__grouped_query_attention__mask_inverted__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def natural__grouped_query_attention__mask_inverted__2(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(allowed, -1e9)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def natural__grouped_query_attention__mask_scores_to_zero__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores if allowed is None else scores * allowed, dim=-1)
    return weights @ value, weights


def natural__grouped_query_attention__mask_tiny_fill__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -10)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def natural__grouped_query_attention__mask_added_as_01__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores if allowed is None else scores + allowed, dim=-1)
    return weights @ value, weights


def natural__grouped_query_attention__softmax_over_queries__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-2)
    return weights @ value, weights


def natural__grouped_query_attention__scale_by_d_model__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-3] * query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def natural__grouped_query_attention__scale_multiplied__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = key.repeat_interleave(n_repeats, dim=-3)
    value = value.repeat_interleave(n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) * math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def natural__grouped_query_attention__groups_tiled__1(query, key, value, allowed=None):
    n_repeats = query.shape[-3] // key.shape[-3]
    key = torch.cat([key] * n_repeats, dim=-3)
    value = torch.cat([value] * n_repeats, dim=-3)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
