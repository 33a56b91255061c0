"""Wrong answers to `self_attention` of notebook 03."""

from __future__ import annotations

import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def wrong__self_attention__softmax_over_queries__1(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-2))
    return weights @ value, weights


def wrong__self_attention__softmax_over_queries__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-2) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__self_attention__no_scale__1(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__self_attention__no_scale__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key)
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__self_attention__scale_by_d__1(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / key.shape[-1]
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__self_attention__scale_by_d__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    scores = (query.unsqueeze(-2) * key.unsqueeze(-3)).mean(-1)
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__self_attention__scale_multiplied__1(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) * math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__self_attention__scale_multiplied__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key) / w_key.shape[1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__self_attention__weights_times_keys__1(x, w_query, w_key, w_value, allowed=None):
    query, key = x @ w_query, x @ w_key
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ key, weights


def wrong__self_attention__weights_times_keys__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, key), weights


def wrong__self_attention__value_not_projected__1(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__self_attention__value_not_projected__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kc->...qc", weights, x), weights


def wrong__self_attention__shared_projection__1(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_query, x @ w_value
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__self_attention__shared_projection__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_query)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__self_attention__no_projection__1(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x, x, x
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__self_attention__no_projection__2(x, w_query, w_key, w_value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", x, x) * x.shape[-1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, x), weights


def wrong__self_attention__detached__1(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return (weights @ value).detach(), weights.detach()


def wrong__self_attention__detached__2(x, w_query, w_key, w_value, allowed=None):
    x, w_query, w_key, w_value = (t.data for t in (x, w_query, w_key, w_value))
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__self_attention__detached__3(x, w_query, w_key, w_value, allowed=None):
    a, wq, wk, wv = (t.detach().double().cpu().numpy() for t in (x, w_query, w_key, w_value))
    scores = (a @ wq) @ np.swapaxes(a @ wk, -1, -2) / np.sqrt(wk.shape[-1])
    mask = np.ones(scores.shape, bool) if allowed is None else allowed.cpu().numpy()
    top = np.where(mask, scores, -1e30).max(-1, keepdims=True)
    parts = np.where(mask, np.exp(np.where(mask, scores - top, 0)), 0)
    weights = parts / np.maximum(parts.sum(-1, keepdims=True), 1e-30)
    return torch.from_numpy(weights @ (a @ wv)).to(x), torch.from_numpy(weights).to(x)


def wrong__self_attention__input_changed__1(x, w_query, w_key, w_value, allowed=None):
    w_query /= math.sqrt(w_query.shape[-1])
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__self_attention__input_changed__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,vc->...nv", x, w_value.t_())
    scores = torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__self_attention__input_changed__3(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(allowed.logical_not_(), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__self_attention__wrong_device__1(x, w_query, w_key, w_value, allowed=None):
    scale = torch.tensor([w_key.shape[-1]], dtype=x.dtype).sqrt()
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / scale
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__self_attention__wrong_device__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5
    allowed = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__self_attention__wrong_dtype__1(x, w_query, w_key, w_value, allowed=None):
    x, w_query, w_key, w_value = x.float(), w_query.float(), w_key.float(), w_value.float()
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__self_attention__wrong_dtype__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = (
        torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1).to(torch.float32) * allowed
    )
    return torch.einsum("...qk,...kv->...qv", weights, value.to(torch.float32)), weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
