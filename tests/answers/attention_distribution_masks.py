"""Wrong answers about the mask to `attention_distribution(scores, allowed=None)` of notebook 01."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def wrong__attention_distribution__mask_inverted__1(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(allowed, -math.inf)
    return torch.nan_to_num(F.softmax(scores, dim=-1))


def wrong__attention_distribution__mask_inverted__2(scores, allowed=None):
    if allowed is None:
        return scores.softmax(-1)
    weights = torch.where(allowed, torch.finfo(scores.dtype).min, scores).softmax(-1)
    return weights * (~allowed)


def wrong__attention_distribution__mask_ignored__1(scores, allowed=None):
    return torch.softmax(scores, dim=-1)


def wrong__attention_distribution__mask_ignored__2(scores, allowed=None):
    if allowed is not None:
        scores.masked_fill(~allowed, float("-inf"))
    return torch.nan_to_num(F.softmax(scores, dim=-1))


def wrong__attention_distribution__mask_ignored__3(scores, allowed=None):
    e = (scores - scores.max(-1, keepdim=True).values).exp()
    return e / e.sum(-1, keepdim=True)


def wrong__attention_distribution__mask_after_softmax__1(scores, allowed=None):
    weights = F.softmax(scores, dim=-1)
    return weights if allowed is None else weights * allowed


def wrong__attention_distribution__mask_after_softmax__2(scores, allowed=None):
    weights = torch.softmax(scores, -1)
    if allowed is not None:
        weights = weights.masked_fill(~allowed, 0.0)
    return weights


def wrong__attention_distribution__mask_scores_to_zero__1(scores, allowed=None):
    if allowed is None:
        return scores.softmax(-1)
    weights = F.softmax(scores * allowed, dim=-1)
    return weights * allowed.any(-1, keepdim=True)


def wrong__attention_distribution__mask_scores_to_zero__2(scores, allowed=None):
    if allowed is None:
        return scores.softmax(-1)
    weights = scores.masked_fill(~allowed, -1e-9).softmax(-1)
    return torch.where(allowed.any(-1, keepdim=True), weights, 0)


def wrong__attention_distribution__mask_tiny_fill__1(scores, allowed=None):
    if allowed is None:
        return scores.softmax(-1)
    weights = scores.masked_fill(~allowed, -10).softmax(-1)
    return weights.masked_fill(~allowed.any(-1, keepdim=True), 0)


def wrong__attention_distribution__mask_tiny_fill__2(scores, allowed=None):
    if allowed is not None:
        scores = torch.where(allowed, scores, -10.0)
        some = allowed.any(dim=-1, keepdim=True)
        return torch.softmax(scores, dim=-1) * some
    return torch.softmax(scores, dim=-1)


def wrong__attention_distribution__mask_added_as_01__1(scores, allowed=None):
    if allowed is None:
        return scores.softmax(-1)
    weights = F.softmax(scores + allowed.to(scores.dtype), dim=-1)
    return weights * allowed.any(-1, keepdim=True)


def wrong__attention_distribution__mask_added_as_01__2(scores, allowed=None):
    if allowed is None:
        return torch.softmax(scores, dim=-1)
    weights = (scores + allowed).softmax(-1)
    return weights.masked_fill((~allowed).all(-1, keepdim=True), 0)


def wrong__attention_distribution__mask_fully_nan__1(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, float("-inf"))
    return F.softmax(scores, dim=-1)


def wrong__attention_distribution__mask_fully_nan__2(scores, allowed=None):
    if allowed is None:
        return torch.softmax(scores, -1)
    filled = torch.where(allowed, scores, -math.inf)
    e = torch.exp(filled - filled.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


def wrong__attention_distribution__mask_fully_nan__3(scores, allowed=None):
    bias = torch.zeros_like(scores)
    if allowed is not None:
        bias.masked_fill_(~allowed, -math.inf)
    return (scores + bias).softmax(dim=-1)


def wrong__attention_distribution__mask_fully_uniform__1(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    return F.softmax(scores, dim=-1)


def wrong__attention_distribution__mask_fully_uniform__2(scores, allowed=None):
    if allowed is None:
        return scores.softmax(-1)
    weights = scores.masked_fill(~allowed, -math.inf).softmax(-1)
    return torch.where(allowed.any(-1, keepdim=True), weights, 1 / scores.shape[-1])


def wrong__attention_distribution__mask_fully_uniform__3(scores, allowed=None):
    return torch.softmax(scores if allowed is None else torch.where(allowed, scores, -1e9), dim=-1)


def wrong__attention_distribution__mask_first_item_for_all__1(scores, allowed=None):
    if allowed is not None:
        mask = allowed[0] if allowed.dim() > 1 else allowed
        scores = scores.masked_fill(~mask, -math.inf)
    return torch.nan_to_num(F.softmax(scores, dim=-1))


def wrong__attention_distribution__mask_first_item_for_all__2(scores, allowed=None):
    if allowed is None:
        return scores.softmax(-1)
    if scores.dim() > 1:
        allowed = allowed[:1].expand(scores.shape)
    return torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed


def natural__attention_distribution__mask_inverted__1(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(allowed, float("-inf"))
    return F.softmax(scores, dim=-1)


def natural__attention_distribution__mask_inverted__2(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(allowed == 1, -1e9)
    return torch.softmax(scores, dim=-1)


def natural__attention_distribution__mask_scores_to_zero__1(scores, allowed=None):
    if allowed is not None:
        scores = scores * allowed
    return F.softmax(scores, dim=-1)


def natural__attention_distribution__mask_tiny_fill__1(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -10)
    return F.softmax(scores, dim=-1)


def natural__attention_distribution__mask_added_as_01__1(scores, allowed=None):
    if allowed is not None:
        scores = scores + allowed.float().to(scores.dtype)
    return torch.softmax(scores, dim=-1)


def natural__attention_distribution__mask_first_item_for_all__1(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(~allowed[0], -math.inf)
    return F.softmax(scores, dim=-1)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
