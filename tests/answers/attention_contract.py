"""Wrong answers to `attention` of notebook 02 about the batch axis, gradients, dtypes and devices."""

from __future__ import annotations

import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def wrong__attention__batch_as_sequence__1(query, key, value, allowed=None):
    batched = query.dim() > 2
    if batched:
        query, key, value = query.transpose(0, -2), key.transpose(0, -2), value.transpose(0, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = weights @ value
    return (output.transpose(0, -2) if batched else output), weights


def wrong__attention__batch_as_sequence__2(query, key, value, allowed=None):
    if query.dim() == 2:
        scores = torch.einsum("qd,kd->qk", query, key) * query.shape[-1] ** -0.5
    else:
        scores = torch.einsum("q...nd,k...nd->n...qk", query, key) * query.shape[-1] ** -0.5
    weights = (
        (scores if allowed is None else scores.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    )
    mix = "qk,kd->qd" if query.dim() == 2 else "n...qk,k...nd->q...nd"
    return torch.einsum(mix, weights, value), weights


def wrong__attention__detached__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return (weights @ value).detach(), weights.detach()


def wrong__attention__detached__2(query, key, value, allowed=None):
    q, k, v = (x.detach().double().cpu().numpy() for x in (query, key, value))
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    mask = np.ones(scores.shape, bool) if allowed is None else allowed.cpu().numpy()
    top = np.where(mask, scores, -1e30).max(-1, keepdims=True)
    parts = np.where(mask, np.exp(np.where(mask, scores - top, 0)), 0)
    weights = parts / np.maximum(parts.sum(-1, keepdims=True), 1e-30)
    return torch.tensor(weights @ v).to(query), torch.tensor(weights).to(query)


def wrong__attention__detached__3(query, key, value, allowed=None):
    q, k, v = query.data, key.data, value.data
    s = torch.einsum("...qd,...kd->...qk", q, k) * q.shape[-1] ** -0.5
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ v, w


def wrong__attention__input_changed__1(query, key, value, allowed=None):
    query /= math.sqrt(query.shape[-1])
    scores = query @ key.transpose(-2, -1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__attention__input_changed__2(query, key, value, allowed=None):
    s = query @ key.transpose_(-2, -1) * query.shape[-1] ** -0.5
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, w


def wrong__attention__wrong_device__1(query, key, value, allowed=None):
    if allowed is None:
        allowed = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    weights = torch.nan_to_num(F.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1))
    return weights @ value, weights


def wrong__attention__wrong_device__2(query, key, value, allowed=None):
    scale = torch.sqrt(torch.tensor([query.shape[-1]], dtype=query.dtype))
    s = torch.einsum("...qd,...kd->...qk", query, key) / scale
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, w


def wrong__attention__wrong_dtype__1(query, key, value, allowed=None):
    query, key, value = query.float(), key.float(), value.float()
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def wrong__attention__wrong_dtype__2(query, key, value, allowed=None):
    s = torch.einsum("...qd,...kd->...qk", query, key) * query.shape[-1] ** -0.5
    w = (
        (s if allowed is None else s.masked_fill(~allowed, -math.inf))
        .softmax(-1, dtype=torch.float32)
        .nan_to_num()
    )
    return w @ value.to(torch.float32), w


def natural__attention__softmax_over_queries__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-2)
    return weights @ value, weights


def natural__attention__softmax_over_queries__2(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -1e9)
    weights = F.softmax(scores, dim=1)
    return weights @ value, weights


def natural__attention__softmax_over_batch__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=0)
    return weights @ value, weights


def natural__attention__softmax_over_everything__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    e = torch.exp(scores)
    weights = e / e.sum(dim=(-2, -1), keepdim=True)
    return weights @ value, weights


def natural__attention__softmax_missing__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    return scores @ value, scores


def natural__attention__no_scale__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def natural__attention__no_scale__2(query, key, value, allowed=None):
    scores = torch.matmul(query, key.mT)
    if allowed is not None:
        scores = scores.masked_fill(allowed == 0, -1e9)
    weights = scores.softmax(-1)
    return weights @ value, weights


def natural__attention__scale_by_d__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / query.shape[-1]
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def natural__attention__scale_multiplied__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) * math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def natural__attention__scale_wrong_axis__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-2])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def natural__attention__key_reshaped__1(query, key, value, allowed=None):
    scores = query @ key.reshape(*key.shape[:-2], key.shape[-1], -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def natural__attention__weights_times_keys__1(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ key, weights


def natural__attention__batch_as_sequence__1(query, key, value, allowed=None):
    # Without a batch axis the two last axes are exchanged; the output is never turned back.
    query, key, value = query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
