"""Wrong answers to `attention(query, key, value, allowed=None)` of notebook 02."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def wrong__attention__softmax_over_queries__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-2))
    return weights @ value, weights


def wrong__attention__softmax_over_queries__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    filled = torch.where(allowed, scores, torch.finfo(scores.dtype).min)
    parts = torch.exp(filled - filled.amax(dim=-2, keepdim=True)) * allowed
    total = parts.sum(dim=-2, keepdim=True)
    weights = parts / torch.where(total > 0, total, 1)
    return weights @ value, weights


def wrong__attention__softmax_over_batch__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=0))
    return weights @ value, weights


def wrong__attention__softmax_over_batch__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query / math.sqrt(query.shape[-1]), key)
    scores = scores if allowed is None else torch.where(allowed, scores, torch.finfo(scores.dtype).min)
    weights = torch.exp(scores - scores.logsumexp(0, keepdim=True))
    weights = weights if allowed is None else weights * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__attention__softmax_over_everything__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores.flatten(-2), dim=-1)).view_as(scores)
    return weights @ value, weights


def wrong__attention__softmax_over_everything__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    filled = torch.where(allowed, scores, torch.finfo(scores.dtype).min)
    parts = torch.exp(filled - filled.amax((-2, -1), keepdim=True)) * allowed
    total = parts.sum((-2, -1), keepdim=True)
    weights = parts / torch.where(total > 0, total, 1)
    return weights @ value, weights


def wrong__attention__softmax_missing__1(query, key, value, allowed=None):
    weights = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        weights = weights.masked_fill(~allowed, 0)
    return weights @ value, weights


def wrong__attention__softmax_missing__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    if allowed is not None:
        scores = scores * allowed
    return torch.einsum("...qk,...kv->...qv", scores, value), scores


def wrong__attention__no_scale__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__attention__no_scale__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key)
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__attention__scale_by_d__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / query.shape[-1]
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__attention__scale_by_d__2(query, key, value, allowed=None):
    scores = (query[..., :, None, :] * key[..., None, :, :]).mean(-1)
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__attention__scale_multiplied__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) * math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__attention__scale_multiplied__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) / key.size(-1) ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__attention__scale_wrong_axis__keys_1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-2])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__attention__scale_wrong_axis__keys_2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key)
    scores = scores / math.sqrt(scores.shape[-1])
    weights = (
        (scores if allowed is None else scores.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    )
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__attention__scale_wrong_axis__values_1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(value.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__attention__key_reshaped__1(query, key, value, allowed=None):
    columns = key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])
    scores = query @ columns / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__attention__key_reshaped__2(query, key, value, allowed=None):
    n_keys, d_key = key.shape[-2:]
    flipped = key.contiguous().flatten(-2).unflatten(-1, (d_key, n_keys))
    scores = torch.einsum("...qd,...dk->...qk", query, flipped) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__attention__weights_times_keys__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ key, weights


def wrong__attention__weights_times_keys__2(query, key, value, allowed=None):
    value = key
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
