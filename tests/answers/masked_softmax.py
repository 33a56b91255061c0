"""Right answers to `masked_softmax(scores, allowed)` of notebook 05, and those wrong about anything but the mask."""

from __future__ import annotations

import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__masked_softmax__fill_and_clean(scores, allowed):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(F.softmax(scores, dim=-1))


def right__masked_softmax__smallest_number(scores, allowed):
    if allowed is None:
        return torch.softmax(scores, dim=-1)
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(dim=-1)
    return torch.where(allowed, weights, 0)


def right__masked_softmax__exp_and_sum(scores, allowed):
    if allowed is None:
        allowed = torch.ones_like(scores, dtype=torch.bool)
    low = torch.finfo(scores.dtype).min
    top = scores.masked_fill(~allowed, low).amax(-1, keepdim=True)
    parts = torch.exp((scores - top).masked_fill(~allowed, 0)) * allowed
    total = parts.sum(-1, keepdim=True)
    return parts / torch.where(total == 0, 1, total)


def right__masked_softmax__logsumexp(scores: torch.Tensor, allowed: torch.Tensor | None) -> torch.Tensor:
    if allowed is None:
        return torch.exp(scores - torch.logsumexp(scores, -1, keepdim=True))
    kept = scores.masked_fill(allowed.logical_not(), torch.finfo(scores.dtype).min)
    return (kept - kept.logsumexp(-1, keepdim=True)).exp() * allowed


def right__masked_softmax__bias_added(scores, allowed):
    if allowed is None:
        return scores.softmax(-1)
    bias = torch.zeros_like(scores).masked_fill(~allowed, torch.finfo(scores.dtype).min / 2)
    return (scores + bias).softmax(-1).masked_fill(~allowed, 0.0)


def right__masked_softmax__row_by_row(scores, allowed):
    mask = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed.expand_as(scores)
    rows = []
    for i in range(scores.shape[-2]):
        row, seen = scores[..., i, :], mask[..., i, :]
        weights = row.masked_fill(~seen, float("-inf")).softmax(-1)
        rows.append(weights.masked_fill(~seen.any(-1, keepdim=True), 0))
    return torch.stack(rows, dim=-2)


def right__masked_softmax__empty_rows_first(scores, allowed):
    # A row with nothing allowed is opened, then multiplied away: no NaN at any time.
    if allowed is None:
        return scores.softmax(-1)
    some = allowed.any(dim=-1, keepdim=True)
    open_rows = allowed | ~some
    return scores.masked_fill(~open_rows, -torch.inf).softmax(-1) * some


def right__masked_softmax__log_softmax(scores, allowed):
    if allowed is None:
        return F.log_softmax(scores, -1).exp()
    low = torch.finfo(scores.dtype).min
    return F.log_softmax(torch.where(allowed, scores, low), -1).exp().masked_fill(~allowed, 0)


def right__masked_softmax__wide_inside(scores, allowed):
    kept = scores.double() if allowed is None else scores.double().masked_fill(~allowed, -math.inf)
    return kept.softmax(-1).nan_to_num(0.0).type_as(scores)


def right__masked_softmax__extra_key(scores, allowed):
    # One more key that only empty rows attend to, cut off afterwards.
    if allowed is None:
        return scores.softmax(-1)
    mask = allowed.expand_as(scores)
    kept = scores.masked_fill(~mask, -math.inf)
    sink = torch.zeros_like(scores[..., :1]).masked_fill(mask.any(-1, keepdim=True), -math.inf)
    return torch.cat([kept, sink], dim=-1).softmax(-1)[..., :-1]


def odd__masked_softmax__only_rows_with_something(scores, allowed):
    """Indexes the rows that have something allowed, and writes them into zeros."""
    if allowed is None:
        return scores.softmax(-1)
    mask = allowed.expand_as(scores)
    some = mask.any(-1)
    weights = torch.zeros_like(scores)
    weights[some] = scores[some].masked_fill(~mask[some], -math.inf).softmax(-1)
    return weights


def odd__masked_softmax__renamed(s, mask=None):
    """Other names, and a default."""
    return (s if mask is None else s.masked_fill(mask == 0, -math.inf)).softmax(-1).nan_to_num()


class MaskedSoftmax(torch.nn.Module):
    """A module without weights."""

    def forward(self, scores, allowed):
        scores = scores if allowed is None else scores.masked_fill(~allowed, -math.inf)
        return scores.softmax(-1).nan_to_num()


odd__masked_softmax__module = MaskedSoftmax()


def wrong__masked_softmax__softmax_over_queries__1(scores, allowed):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(F.softmax(scores, dim=-2))


def wrong__masked_softmax__softmax_over_queries__2(scores, allowed):
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed.expand_as(scores)
    top = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).amax(-2, keepdim=True)
    parts = torch.exp((scores - top).masked_fill(~allowed, 0)) * allowed
    total = parts.sum(-2, keepdim=True)
    return parts / total.masked_fill(total == 0, 1)


def wrong__masked_softmax__softmax_overflows__1(scores, allowed):
    parts = torch.exp(scores)
    if allowed is None:
        return parts / parts.sum(-1, keepdim=True)
    parts = parts.masked_fill(~allowed, 0)
    return parts / parts.sum(-1, keepdim=True).masked_fill(~allowed.any(-1, keepdim=True), 1)


def wrong__masked_softmax__softmax_overflows__2(scores, allowed):
    if allowed is None:
        return scores.exp() / scores.exp().sum(-1, keepdim=True)
    parts = torch.where(allowed, scores, -math.inf).exp()
    some = allowed.any(-1, keepdim=True)
    return parts / torch.where(some, parts.sum(dim=-1, keepdim=True), 1)


def wrong__masked_softmax__detached__1(scores, allowed):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(F.softmax(scores, dim=-1)).detach()


def wrong__masked_softmax__detached__2(scores, allowed):
    s = scores.data
    return (s if allowed is None else torch.where(allowed, s, -math.inf)).softmax(-1).nan_to_num()


def wrong__masked_softmax__detached__3(scores, allowed):
    s = scores.detach().double().cpu().numpy()
    mask = np.ones(s.shape, bool) if allowed is None else np.broadcast_to(allowed.cpu().numpy(), s.shape)
    top = np.where(mask, s, -1e30).max(-1, keepdims=True)
    parts = np.where(mask, np.exp(np.where(mask, s - top, 0)), 0)
    return torch.tensor(parts / np.maximum(parts.sum(-1, keepdims=True), 1e-30)).to(scores)


def wrong__masked_softmax__input_changed__1(scores, allowed):
    if allowed is not None:
        scores.masked_fill_(~allowed, -math.inf)
    return torch.nan_to_num(F.softmax(scores, dim=-1))


def wrong__masked_softmax__input_changed__2(scores, allowed):
    scores -= scores.amax(-1, keepdim=True)
    return (scores if allowed is None else torch.where(allowed, scores, -math.inf)).softmax(-1).nan_to_num()


def wrong__masked_softmax__input_changed__3(scores, allowed):
    if allowed is None:
        return scores.softmax(-1)
    blocked = allowed.logical_not_()
    return scores.masked_fill(blocked, -math.inf).softmax(-1).nan_to_num()


def wrong__masked_softmax__wrong_device__1(scores, allowed):
    if allowed is None:
        allowed = torch.ones(scores.shape, dtype=torch.bool)
    return torch.nan_to_num(F.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1))


def wrong__masked_softmax__wrong_device__2(scores, allowed):
    if allowed is None:
        return scores.softmax(-1)
    low = torch.full((1, scores.shape[-1]), torch.finfo(scores.dtype).min, dtype=scores.dtype)
    return torch.where(allowed, scores, low).softmax(-1) * allowed


def wrong__masked_softmax__wrong_dtype__1(scores, allowed):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return torch.nan_to_num(F.softmax(scores, dim=-1, dtype=torch.float32))


def wrong__masked_softmax__wrong_dtype__2(scores, allowed):
    s = scores.float()
    return (s if allowed is None else torch.where(allowed, s, -math.inf)).softmax(-1).nan_to_num()


def natural__masked_softmax__softmax_over_queries__1(scores, allowed):
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return F.softmax(scores, dim=-2)


def natural__masked_softmax__softmax_overflows__1(scores, allowed):
    e = torch.exp(scores)
    if allowed is not None:
        e = e * allowed
    return e / e.sum(-1, keepdim=True)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
