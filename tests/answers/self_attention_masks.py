"""Wrong answers about the mask, and as beginners write them, to `self_attention` of notebook 03."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def wrong__self_attention__mask_inverted__1(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__self_attention__mask_inverted__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5
    blocked = torch.zeros_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(blocked, torch.finfo(scores.dtype).min, scores).softmax(-1) * ~blocked
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__self_attention__mask_ignored__1(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def wrong__self_attention__mask_ignored__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5
    if allowed is not None:
        scores.masked_fill(~allowed, float("-inf"))
    weights = torch.softmax(scores, dim=-1).nan_to_num()
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__self_attention__mask_after_softmax__1(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    weights = F.softmax(scores, dim=-1)
    if allowed is not None:
        weights = weights * allowed
    return weights @ value, weights


def wrong__self_attention__mask_after_softmax__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5
    weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
    if allowed is not None:
        weights = weights.masked_fill(~allowed, 0.0)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__self_attention__mask_scores_to_zero__1(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is None:
        weights = F.softmax(scores, dim=-1)
    else:
        weights = F.softmax(scores * allowed, dim=-1) * allowed.any(-1, keepdim=True)
    return weights @ value, weights


def wrong__self_attention__mask_scores_to_zero__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = scores.masked_fill(~allowed, 0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__self_attention__mask_tiny_fill__1(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is None:
        weights = F.softmax(scores, dim=-1)
    else:
        weights = F.softmax(scores.masked_fill(~allowed, -10), dim=-1) * allowed.any(-1, keepdim=True)
    return weights @ value, weights


def wrong__self_attention__mask_tiny_fill__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, -10.0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__self_attention__mask_added_as_01__1(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is None:
        weights = F.softmax(scores, dim=-1)
    else:
        weights = F.softmax(scores + allowed, dim=-1) * allowed.any(-1, keepdim=True)
    return weights @ value, weights


def wrong__self_attention__mask_added_as_01__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = scores.add(allowed.type_as(scores)).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__self_attention__mask_fully_nan__1(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def wrong__self_attention__mask_fully_nan__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5
    if allowed is not None:
        scores = scores + torch.where(allowed, 0.0, -math.inf).to(scores.dtype)
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__self_attention__mask_fully_uniform__1(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -1e9)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def wrong__self_attention__mask_fully_uniform__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__self_attention__mask_fully_uniform__3(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1), nan=1 / x.shape[-2])
    return weights @ value, weights


def natural__self_attention__mask_inverted__1(x, w_query, w_key, w_value, allowed=None):
    query = torch.matmul(x, w_query)
    key = torch.matmul(x, w_key)
    value = torch.matmul(x, w_value)
    scores = torch.matmul(query, key.mT) / key.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, value), weights


def natural__self_attention__mask_inverted__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.matmul(x, w_query)
    key = torch.matmul(x, w_key)
    value = torch.matmul(x, w_value)
    scores = torch.matmul(query, key.mT) / key.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(allowed, -1e9)
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, value), weights


def natural__self_attention__mask_scores_to_zero__1(x, w_query, w_key, w_value, allowed=None):
    query = torch.matmul(x, w_query)
    key = torch.matmul(x, w_key)
    value = torch.matmul(x, w_value)
    scores = torch.matmul(query, key.mT) / key.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores * allowed
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, value), weights


def natural__self_attention__mask_tiny_fill__1(x, w_query, w_key, w_value, allowed=None):
    query = torch.matmul(x, w_query)
    key = torch.matmul(x, w_key)
    value = torch.matmul(x, w_value)
    scores = torch.matmul(query, key.mT) / key.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -10)
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, value), weights


def natural__self_attention__mask_added_as_01__1(x, w_query, w_key, w_value, allowed=None):
    query = torch.matmul(x, w_query)
    key = torch.matmul(x, w_key)
    value = torch.matmul(x, w_value)
    scores = torch.matmul(query, key.mT) / key.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores + allowed
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, value), weights


def natural__self_attention__softmax_over_queries__1(x, w_query, w_key, w_value, allowed=None):
    query = torch.matmul(x, w_query)
    key = torch.matmul(x, w_key)
    value = torch.matmul(x, w_value)
    scores = torch.matmul(query, key.mT) / key.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-2)
    return torch.matmul(weights, value), weights


def natural__self_attention__softmax_over_queries__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.matmul(x, w_query)
    key = torch.matmul(x, w_key)
    value = torch.matmul(x, w_value)
    scores = torch.matmul(query, key.mT) / key.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -1e9)
    weights = F.softmax(scores, dim=1)
    return torch.matmul(weights, value), weights


def natural__self_attention__no_scale__1(x, w_query, w_key, w_value, allowed=None):
    query = torch.matmul(x, w_query)
    key = torch.matmul(x, w_key)
    value = torch.matmul(x, w_value)
    scores = torch.matmul(query, key.mT)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, value), weights


def natural__self_attention__no_scale__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.matmul(x, w_query)
    key = torch.matmul(x, w_key)
    value = torch.matmul(x, w_value)
    scores = torch.matmul(query, key.mT)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -1e9)
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, value), weights


def natural__self_attention__scale_by_d__1(x, w_query, w_key, w_value, allowed=None):
    query = torch.matmul(x, w_query)
    key = torch.matmul(x, w_key)
    value = torch.matmul(x, w_value)
    scores = torch.matmul(query, key.mT) / key.shape[-1]
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, value), weights


def natural__self_attention__scale_multiplied__1(x, w_query, w_key, w_value, allowed=None):
    query = torch.matmul(x, w_query)
    key = torch.matmul(x, w_key)
    value = torch.matmul(x, w_value)
    scores = torch.matmul(query, key.mT) * key.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -1e9)
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, value), weights


def natural__self_attention__weights_times_keys__1(x, w_query, w_key, w_value, allowed=None):
    query = torch.matmul(x, w_query)
    key = torch.matmul(x, w_key)
    scores = torch.matmul(query, key.mT) / key.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, key), weights


def natural__self_attention__value_not_projected__1(x, w_query, w_key, w_value, allowed=None):
    query = torch.matmul(x, w_query)
    key = torch.matmul(x, w_key)
    value = x
    scores = torch.matmul(query, key.mT) / key.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, value), weights


def natural__self_attention__value_not_projected__2(x, w_query, w_key, w_value, allowed=None):
    query = torch.matmul(x, w_query)
    key = torch.matmul(x, w_key)
    value = x
    scores = torch.matmul(query, key.mT) / key.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -1e9)
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, value), weights


def natural__self_attention__shared_projection__1(x, w_query, w_key, w_value, allowed=None):
    query = torch.matmul(x, w_query)
    key = torch.matmul(x, w_query)
    value = torch.matmul(x, w_value)
    scores = torch.matmul(query, key.mT) / key.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, value), weights


def natural__self_attention__no_projection__1(x, w_query, w_key, w_value, allowed=None):
    scores = torch.matmul(x, x.mT) / x.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, x), weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
