"""Wrong answers to `multi_head_attention` of notebook 04."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def wrong__multi_head_attention__softmax_over_queries__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-2))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__softmax_over_queries__2(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-2) * allowed
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def wrong__multi_head_attention__softmax_over_queries__3(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-2).nan_to_num()
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out, torch.stack(all_weights, dim=-3)


def wrong__multi_head_attention__softmax_over_heads__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-3))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__softmax_over_heads__2(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    parts = torch.exp(scores - scores.amax(dim=-3, keepdim=True)) * allowed
    total = parts.sum(dim=-3, keepdim=True)
    weights = parts / torch.where(total > 0, total, 1)
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def wrong__multi_head_attention__no_scale__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__no_scale__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key)
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def wrong__multi_head_attention__no_scale__3(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out, torch.stack(all_weights, dim=-3)


def wrong__multi_head_attention__scale_by_d__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / key.shape[-1]
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__scale_by_d__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) / d_key
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def wrong__multi_head_attention__scale_by_d__3(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1]
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out, torch.stack(all_weights, dim=-3)


def wrong__multi_head_attention__scale_by_d_model__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(x.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__scale_by_d_model__2(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_model**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def wrong__multi_head_attention__scale_by_d_model__3(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / len(w_query) ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out, torch.stack(all_weights, dim=-3)


def wrong__multi_head_attention__scale_multiplied__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) * math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__scale_multiplied__2(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def wrong__multi_head_attention__scale_multiplied__3(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT * key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out, torch.stack(all_weights, dim=-3)


def wrong__multi_head_attention__shared_projection__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__shared_projection__2(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def wrong__multi_head_attention__shared_projection__3(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_query, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out, torch.stack(all_weights, dim=-3)


def wrong__multi_head_attention__heads_by_view__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    query = (x @ w_query).reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)
    key = (x @ w_key).reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)
    value = (x @ w_value).reshape(*x.shape[:-2], n_heads, x.shape[-2], -1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__heads_by_view__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    outputs, all_weights = [], []
    parts = [
        (x @ w).view(*x.shape[:-2], n_heads, x.shape[-2], -1).unbind(-3) for w in (w_query, w_key, w_value)
    ]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out, torch.stack(all_weights, dim=-3)


def wrong__multi_head_attention__merge_by_view__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).reshape(*x.shape[:-1], -1)
    return output @ w_out, weights


def wrong__multi_head_attention__merge_by_view__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...hqk,...hkv->...hqv", weights, value)
    merged = mixed.contiguous().flatten(-3).unflatten(-1, (x.shape[-2], -1))
    return merged @ w_out, weights


def wrong__multi_head_attention__merge_by_view__3(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.stack(outputs, dim=-3).view(*x.shape[:-1], -1) @ w_out, torch.stack(all_weights, dim=-3)


def wrong__multi_head_attention__no_output_projection__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output, weights


def wrong__multi_head_attention__no_output_projection__2(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return mixed.flatten(-2), weights


def wrong__multi_head_attention__no_output_projection__3(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1), torch.stack(all_weights, dim=-3)


def wrong__multi_head_attention__first_head_everywhere__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights[..., :1, :, :] @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__first_head_everywhere__2(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...qk,...hkv->...qhv", weights[..., 0, :, :], value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def wrong__multi_head_attention__first_head_everywhere__3(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append((all_weights or [weights])[0] @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out, torch.stack(all_weights, dim=-3)


def wrong__multi_head_attention__first_head_everywhere__returned_too_1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    weights = weights[..., :1, :, :].expand(weights.shape)
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__first_head_everywhere__returned_too_2(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        weights = all_weights[0] if all_weights else weights
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out, torch.stack(all_weights, dim=-3)


def wrong__multi_head_attention__batch_as_sequence__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    batched = x.dim() > 2
    x = x.transpose(0, -2) if batched else x
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    output = output.transpose(0, -2) if batched else output
    return output @ w_out, weights


def wrong__multi_head_attention__batch_as_sequence__2(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    if x.dim() > 2:
        x = torch.swapaxes(x, 0, -2)
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value)
        all_weights.append(weights)
    output = torch.cat(outputs, dim=-1) @ w_out
    return (torch.swapaxes(output, 0, -2) if x.dim() > 2 else output), torch.stack(all_weights, dim=-3)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
