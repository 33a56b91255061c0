"""Wrong answers about the mask to `multi_head_attention` of notebook 04."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def wrong__multi_head_attention__mask_inverted__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__mask_inverted__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    blocked = torch.zeros_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = torch.where(blocked, torch.finfo(scores.dtype).min, scores).softmax(-1) * ~blocked
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def wrong__multi_head_attention__mask_ignored__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    weights = F.softmax(scores, dim=-1)
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__mask_ignored__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out, torch.stack(all_weights, dim=-3)


def wrong__multi_head_attention__mask_after_softmax__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    weights = F.softmax(scores, dim=-1)
    if allowed is not None:
        weights = weights * allowed.unsqueeze(-3)
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__mask_after_softmax__2(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True)).masked_fill(~allowed, 0.0)
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def wrong__multi_head_attention__mask_scores_to_zero__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is None:
        weights = F.softmax(scores, dim=-1)
    else:
        allowed = allowed.unsqueeze(-3)
        weights = F.softmax(scores * allowed, dim=-1) * allowed.any(-1, keepdim=True)
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__mask_scores_to_zero__2(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = scores.masked_fill(~allowed, 0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def wrong__multi_head_attention__mask_tiny_fill__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is None:
        weights = F.softmax(scores, dim=-1)
    else:
        allowed = allowed.unsqueeze(-3)
        weights = F.softmax(scores.masked_fill(~allowed, -10), dim=-1) * allowed.any(-1, keepdim=True)
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__mask_tiny_fill__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = torch.where(allowed, scores, -10.0).softmax(-1) * allowed.any(-1, keepdim=True)
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def wrong__multi_head_attention__mask_added_as_01__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is None:
        weights = F.softmax(scores, dim=-1)
    else:
        allowed = allowed.unsqueeze(-3)
        weights = F.softmax(scores + allowed, dim=-1) * allowed.any(-1, keepdim=True)
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__mask_added_as_01__2(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = scores.add(allowed.type_as(scores)).softmax(-1) * allowed.any(-1, keepdim=True)
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def wrong__multi_head_attention__mask_fully_nan__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = F.softmax(scores, dim=-1)
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__mask_fully_nan__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    if allowed is not None:
        scores = scores + torch.where(allowed.unsqueeze(-3), 0.0, -math.inf).to(scores.dtype)
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def wrong__multi_head_attention__mask_fully_nan__3(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1)
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out, torch.stack(all_weights, dim=-3)


def wrong__multi_head_attention__mask_fully_uniform__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -1e9)
    weights = F.softmax(scores, dim=-1)
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__mask_fully_uniform__2(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1)
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def wrong__multi_head_attention__mask_fully_uniform__3(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num(nan=1 / x.shape[-2])
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out, torch.stack(all_weights, dim=-3)


def wrong__multi_head_attention__mask_on_queries__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.mT.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__mask_on_queries__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    allowed = (
        torch.ones_like(scores, dtype=torch.bool)
        if allowed is None
        else allowed[..., None, :, :].swapaxes(-1, -2)
    )
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def wrong__multi_head_attention__mask_on_queries__3(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed.transpose(-2, -1), -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out, torch.stack(all_weights, dim=-3)


def wrong__multi_head_attention__mask_no_head_axis__1(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__mask_no_head_axis__2(
    x, w_query, w_key, w_value, w_out, n_heads, allowed=None
):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    if allowed is not None:
        scores = scores.masked_fill(allowed.logical_not(), torch.finfo(scores.dtype).min)
    weights = scores.softmax(-1)
    if allowed is not None:
        weights = weights.masked_fill(allowed.logical_not(), 0)
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
