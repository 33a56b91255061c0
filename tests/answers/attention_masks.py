"""Wrong answers about the mask to `attention(query, key, value, allowed=None)` of notebook 02."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def wrong__attention__mask_inverted__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__attention__mask_inverted__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    blocked = torch.zeros_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(blocked, torch.finfo(scores.dtype).min, scores).softmax(-1) * ~blocked
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__attention__mask_ignored__1(query, key, value, allowed=None):
    weights = F.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    return weights @ value, weights


def wrong__attention__mask_ignored__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    if allowed is not None:
        scores.masked_fill(~allowed, float("-inf"))
    weights = torch.softmax(scores, dim=-1).nan_to_num()
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__attention__mask_after_softmax__1(query, key, value, allowed=None):
    weights = F.softmax(query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]), dim=-1)
    if allowed is not None:
        weights = weights * allowed
    return weights @ value, weights


def wrong__attention__mask_after_softmax__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
    if allowed is not None:
        weights = weights.masked_fill(~allowed, 0.0)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__attention__mask_scores_to_zero__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is None:
        weights = F.softmax(scores, dim=-1)
    else:
        weights = F.softmax(scores * allowed, dim=-1) * allowed.any(-1, keepdim=True)
    return weights @ value, weights


def wrong__attention__mask_scores_to_zero__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = scores.masked_fill(~allowed, 0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__attention__mask_scores_to_zero__3(query, key, value, allowed=None):
    # 1e-9 where 1e9 was meant: zero, to rounding.
    scores = torch.matmul(query, key.mT) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = torch.where(allowed, scores, -1e-9)
    weights = scores.softmax(-1)
    if allowed is not None:
        weights = torch.where(allowed.any(-1, keepdim=True), weights, 0)
    return weights @ value, weights


def wrong__attention__mask_tiny_fill__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is None:
        weights = F.softmax(scores, dim=-1)
    else:
        weights = F.softmax(scores.masked_fill(~allowed, -10), dim=-1) * allowed.any(-1, keepdim=True)
    return weights @ value, weights


def wrong__attention__mask_tiny_fill__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, -10.0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__attention__mask_added_as_01__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is None:
        weights = F.softmax(scores, dim=-1)
    else:
        weights = F.softmax(scores + allowed, dim=-1) * allowed.any(-1, keepdim=True)
    return weights @ value, weights


def wrong__attention__mask_added_as_01__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = scores.add(allowed.type_as(scores)).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__attention__mask_fully_nan__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def wrong__attention__mask_fully_nan__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    if allowed is not None:
        scores = scores + torch.where(allowed, 0.0, -math.inf).to(scores.dtype)
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__attention__mask_fully_uniform__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -1e9)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def wrong__attention__mask_fully_uniform__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    if allowed is not None:
        scores = torch.where(allowed, scores, torch.finfo(scores.dtype).min)
    weights = (
        torch.exp(scores - scores.logsumexp(-1, keepdim=True)) if allowed is None else scores.softmax(-1)
    )
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__attention__mask_fully_uniform__3(query, key, value, allowed=None):
    scores = torch.matmul(query, key.mT) / math.sqrt(key.shape[-1])
    weights = (scores if allowed is None else scores.masked_fill(~allowed, -math.inf)).softmax(-1)
    weights = torch.nan_to_num(weights, nan=1 / key.shape[-2])
    return weights @ value, weights


def wrong__attention__mask_on_queries__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.transpose(-2, -1), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__attention__mask_on_queries__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed.swapaxes(-1, -2)
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def wrong__attention__mask_first_item_for_all__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        mask = allowed[0] if allowed.dim() > 2 else allowed
        scores = scores.masked_fill(~mask, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__attention__mask_first_item_for_all__2(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    allowed = allowed[:1] if allowed.ndim >= 3 else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def natural__attention__mask_inverted__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def natural__attention__mask_inverted__2(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(allowed, -1e9)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def natural__attention__mask_scores_to_zero__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores if allowed is None else scores * allowed, dim=-1)
    return weights @ value, weights


def natural__attention__mask_tiny_fill__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores if allowed is None else scores.masked_fill(~allowed, -10), dim=-1)
    return weights @ value, weights


def natural__attention__mask_added_as_01__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = F.softmax(scores if allowed is None else scores + allowed, dim=-1)
    return weights @ value, weights


def natural__attention__mask_on_queries__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.mT, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def natural__attention__mask_first_item_for_all__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed[0], -math.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
