"""Answers to `attention_distribution(scores, allowed=None)` of notebook 01."""

from __future__ import annotations

import functools
import math
import warnings

import numpy as np
import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__attention_distribution__nan_to_num(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(F.softmax(scores, dim=-1))


def right__attention_distribution__where(scores, allowed=None):
    if allowed is None:
        return torch.softmax(scores, dim=-1)
    lowest = torch.finfo(scores.dtype).min
    weights = torch.softmax(torch.where(allowed, scores, lowest), dim=-1)
    return torch.where(allowed, weights, 0.0)


def right__attention_distribution__shift(scores, allowed=None):
    if allowed is None:
        allowed = torch.ones_like(scores, dtype=torch.bool)
    filled = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    parts = torch.exp(filled - filled.amax(-1, keepdim=True).detach()) * allowed
    total = parts.sum(-1, keepdim=True)
    return parts / torch.where(total > 0, total, 1)


def right__attention_distribution__logsumexp(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(allowed.logical_not(), torch.finfo(scores.dtype).min)
    weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True))
    return weights if allowed is None else weights.masked_fill(~allowed, 0)


def right__attention_distribution__bias_added(scores, allowed=None):
    if allowed is None:
        return scores.softmax(-1)
    bias = torch.zeros_like(scores).masked_fill(~allowed, torch.finfo(scores.dtype).min / 2)
    return (scores + bias).softmax(-1) * allowed.any(dim=-1, keepdim=True)


def right__attention_distribution__upcast(
    scores: torch.Tensor, allowed: torch.Tensor | None = None
) -> torch.Tensor:
    wide = scores.double()
    if allowed is not None:
        wide = wide.masked_fill(~allowed, float("-inf"))
    return wide.softmax(-1).nan_to_num(0.0).to(scores.dtype)


def right__attention_distribution__empty_rows_opened(scores, allowed=None):
    if allowed is None:
        return F.softmax(scores, -1)
    some = allowed.any(-1, keepdim=True)
    weights = F.softmax(scores.masked_fill(~allowed & some, -torch.inf), -1)
    return weights * some


def right__attention_distribution__rows(scores, allowed=None):
    rows = scores.reshape(-1, scores.shape[-1])
    masks = torch.ones_like(rows, dtype=torch.bool) if allowed is None else allowed.reshape(rows.shape)
    done = []
    for row, mask in zip(rows, masks, strict=True):
        weights = torch.zeros_like(row)
        done.append(weights.masked_scatter(mask, F.softmax(row[mask], dim=0)))
    return torch.stack(done).reshape(scores.shape)


def odd__attention_distribution__renamed(e, mask=None):
    """Arguments with names of its own."""
    if mask is not None:
        e = torch.where(mask, e, -math.inf)
    return torch.nan_to_num(e.softmax(-1))


def odd__attention_distribution__keyword_only(scores, *, allowed=None):
    """The mask by name only."""
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return scores.softmax(-1).nan_to_num()


def odd__attention_distribution__branches_on_data(scores, allowed=None):
    """Looks at the mask before it decides."""
    if allowed is None or bool(allowed.all()):
        return scores.softmax(-1)
    weights = scores.masked_fill(~allowed, -math.inf).softmax(-1)
    return weights.masked_fill(~allowed.any(-1, keepdim=True), 0)


def odd__attention_distribution__prints(scores, allowed=None, verbose=True):
    """Prints, and warns."""
    if verbose:
        print("allowed:", allowed)
        warnings.warn("a warning of the student's own", stacklevel=2)
    weights = torch.softmax(scores if allowed is None else scores.masked_fill(~allowed, -math.inf), -1)
    return torch.where(torch.isnan(weights), torch.zeros_like(weights), weights)


def odd__attention_distribution__clone_in_place(scores, allowed=None):
    """Changes a copy in place."""
    copy = scores.clone()
    if allowed is not None:
        copy[~allowed] = -math.inf
    return copy.softmax(-1).nan_to_num()


odd__attention_distribution__partial = functools.partial(odd__attention_distribution__prints, verbose=False)


def wrong__attention_distribution__softmax_over_batch__1(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(F.softmax(scores, dim=0))


def wrong__attention_distribution__softmax_over_batch__2(scores, allowed=None):
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    filled = torch.where(allowed, scores, torch.finfo(scores.dtype).min)
    e = torch.exp(filled - filled.amax(0)) * allowed
    total = e.sum(0)
    return e / torch.where(total > 0, total, 1)


def wrong__attention_distribution__softmax_overflows__1(scores, allowed=None):
    e = torch.exp(scores)
    if allowed is None:
        return e / e.sum(-1, keepdim=True)
    e = torch.where(allowed, e, 0)
    total = e.sum(-1, keepdim=True)
    return e / torch.where(allowed.any(-1, keepdim=True), total, 1)


def wrong__attention_distribution__softmax_overflows__2(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
    if allowed is not None:
        weights = weights.masked_fill(~allowed.any(-1, keepdim=True), 0)
    return weights


def wrong__attention_distribution__softmax_missing__1(scores, allowed=None):
    return scores if allowed is None else scores.masked_fill(~allowed, 0)


def wrong__attention_distribution__softmax_missing__2(scores, allowed=None):
    if allowed is None:
        return scores * 1
    return torch.where(allowed, scores, torch.zeros_like(scores))


def wrong__attention_distribution__detached__1(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return scores.softmax(-1).nan_to_num().detach()


def wrong__attention_distribution__detached__2(scores, allowed=None):
    s = scores.detach().double().cpu().numpy()
    mask = np.ones(s.shape, bool) if allowed is None else allowed.cpu().numpy()
    e = np.exp(s - np.max(np.where(mask, s, -1e30), -1, keepdims=True), where=mask, out=np.zeros_like(s))
    return torch.from_numpy(e / np.maximum(e.sum(-1, keepdims=True), 1e-30)).to(scores)


def wrong__attention_distribution__detached__3(scores, allowed=None):
    with torch.no_grad():
        scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
        weights = F.softmax(scores, -1)
    return torch.nan_to_num(weights)


def wrong__attention_distribution__input_changed__1(scores, allowed=None):
    if allowed is not None:
        scores.masked_fill_(~allowed, -math.inf)
    return torch.nan_to_num(F.softmax(scores, dim=-1))


def wrong__attention_distribution__input_changed__2(scores, allowed=None):
    if allowed is not None:
        scores[~allowed] = float("-inf")
    return scores.softmax(-1).nan_to_num()


def wrong__attention_distribution__wrong_device__1(scores, allowed=None):
    if allowed is None:
        return scores.softmax(-1)
    fill = torch.full(scores.shape, -math.inf, dtype=scores.dtype)
    return torch.nan_to_num(torch.where(allowed, scores, fill).softmax(-1))


def wrong__attention_distribution__wrong_device__2(scores, allowed=None):
    allowed = torch.ones(scores.shape, dtype=torch.bool) if allowed is None else allowed
    return torch.nan_to_num(scores.masked_fill(~allowed, -math.inf).softmax(-1))


def wrong__attention_distribution__wrong_dtype__1(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(F.softmax(scores, dim=-1, dtype=torch.float32))


def wrong__attention_distribution__wrong_dtype__2(scores, allowed=None):
    scores = scores.float()
    if allowed is not None:
        scores = torch.where(allowed, scores, -math.inf)
    return scores.softmax(-1).nan_to_num()


def natural__attention_distribution__softmax_over_batch__1(scores, allowed=None):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return F.softmax(scores, dim=0)


def natural__attention_distribution__softmax_overflows__1(scores, allowed=None):
    e = torch.exp(scores)
    if allowed is not None:
        e = e * allowed
    return e / e.sum(-1, keepdim=True)


def natural__attention_distribution__softmax_missing__1(scores, allowed=None):
    return scores if allowed is None else scores.masked_fill(~allowed, -math.inf)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
