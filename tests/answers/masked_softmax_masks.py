"""Wrong answers about the mask to `masked_softmax(scores, allowed)` of notebook 05."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def wrong__masked_softmax__mask_inverted__1(scores, allowed):
    if allowed is not None:
        scores = scores.masked_fill(allowed, -math.inf)
    return torch.nan_to_num(F.softmax(scores, dim=-1))


def wrong__masked_softmax__mask_inverted__2(scores, allowed):
    if allowed is None:
        return scores.softmax(-1)
    return torch.where(allowed, torch.finfo(scores.dtype).min, scores).softmax(-1) * ~allowed


def wrong__masked_softmax__mask_ignored__1(scores, allowed):
    return F.softmax(scores, dim=-1)


def wrong__masked_softmax__mask_ignored__2(scores, allowed):
    if allowed is not None:
        scores.masked_fill(~allowed, float("-inf"))
    return torch.exp(scores - scores.logsumexp(-1, keepdim=True))


def wrong__masked_softmax__mask_after_softmax__1(scores, allowed):
    weights = F.softmax(scores, dim=-1)
    return weights if allowed is None else weights * allowed


def wrong__masked_softmax__mask_after_softmax__2(scores, allowed):
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    return weights if allowed is None else torch.where(allowed, weights, 0)


def wrong__masked_softmax__mask_scores_to_zero__1(scores, allowed):
    if allowed is None:
        return F.softmax(scores, dim=-1)
    return F.softmax(scores * allowed, dim=-1) * allowed.any(-1, keepdim=True)


def wrong__masked_softmax__mask_scores_to_zero__2(scores, allowed):
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    return scores.masked_fill(~allowed, 0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)


def wrong__masked_softmax__mask_scores_to_zero__3(scores, allowed):
    # 1e-9 where 1e9 was meant.
    if allowed is None:
        return F.softmax(scores, dim=-1)
    return torch.where(allowed, scores, -1e-9).softmax(-1) * allowed.any(-1, keepdim=True)


def wrong__masked_softmax__mask_tiny_fill__1(scores, allowed):
    if allowed is None:
        return F.softmax(scores, dim=-1)
    return F.softmax(scores.masked_fill(~allowed, -10), dim=-1) * allowed.any(-1, keepdim=True)


def wrong__masked_softmax__mask_tiny_fill__2(scores, allowed):
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    return torch.where(allowed, scores, -10.0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)


def wrong__masked_softmax__mask_added_as_01__1(scores, allowed):
    if allowed is None:
        return F.softmax(scores, dim=-1)
    return F.softmax(scores + allowed, dim=-1) * allowed.any(-1, keepdim=True)


def wrong__masked_softmax__mask_added_as_01__2(scores, allowed):
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = scores.add(allowed.type_as(scores)).softmax(-1)
    return weights.masked_fill(~allowed.any(-1, keepdim=True), 0)


def wrong__masked_softmax__mask_fully_nan__1(scores, allowed):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return F.softmax(scores, dim=-1)


def wrong__masked_softmax__mask_fully_nan__2(scores, allowed):
    if allowed is not None:
        scores = scores + torch.where(allowed, 0.0, -math.inf).to(scores.dtype)
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    return parts / parts.sum(-1, keepdim=True)


def wrong__masked_softmax__mask_fully_uniform__1(scores, allowed):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -1e9)
    return F.softmax(scores, dim=-1)


def wrong__masked_softmax__mask_fully_uniform__2(scores, allowed):
    if allowed is not None:
        scores = torch.where(allowed, scores, torch.finfo(scores.dtype).min)
    return torch.softmax(scores, dim=-1)


def wrong__masked_softmax__mask_fully_uniform__3(scores, allowed):
    weights = (scores if allowed is None else scores.masked_fill(~allowed, -math.inf)).softmax(-1)
    return torch.nan_to_num(weights, nan=1 / scores.shape[-1])


def natural__masked_softmax__mask_inverted__1(scores, allowed):
    if allowed is not None:
        scores = scores.masked_fill(allowed, -math.inf)
    return F.softmax(scores, dim=-1)


def natural__masked_softmax__mask_inverted__2(scores, allowed):
    if allowed is not None:
        scores = scores.masked_fill(allowed, -1e9)
    return F.softmax(scores, dim=-1)


def natural__masked_softmax__mask_scores_to_zero__1(scores, allowed):
    return F.softmax(scores if allowed is None else scores * allowed, dim=-1)


def natural__masked_softmax__mask_tiny_fill__1(scores, allowed):
    return F.softmax(scores if allowed is None else scores.masked_fill(~allowed, -10), dim=-1)


def natural__masked_softmax__mask_added_as_01__1(scores, allowed):
    return F.softmax(scores if allowed is None else scores + allowed, dim=-1)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
