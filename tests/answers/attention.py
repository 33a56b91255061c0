"""Right answers to `attention(query, key, value, allowed=None)` of notebook 02."""

from __future__ import annotations

import functools
import math
import warnings

import numpy as np
import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__attention__matmul(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def right__attention__query_scaled_first(query, key, value, allowed=None):
    query = query * query.size(-1) ** -0.5
    scores = torch.matmul(query, key.mT)
    if allowed is not None:
        scores = torch.where(allowed, scores, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1)
    if allowed is not None:
        weights = torch.where(allowed, weights, 0)
    return torch.matmul(weights, value), weights


def right__attention__einsum(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) / key.shape[-1] ** 0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = scores.masked_fill(allowed.logical_not(), float("-inf")).softmax(-1).nan_to_num(0.0)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def right__attention__exp_and_sum(query, key, value, allowed=None):
    scores = (query[..., :, None, :] * key[..., None, :, :]).sum(-1) / np.sqrt(query.shape[-1]).item()
    if allowed is not None:
        scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    parts = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    if allowed is not None:
        parts = parts * allowed
    weights = parts / parts.sum(-1, keepdim=True).clamp(min=1e-4)
    return weights @ value, weights


def right__attention__loop_over_queries(query, key, value, allowed=None):
    outputs, rows = [], []
    for i in range(query.shape[-2]):
        scores = (key * query[..., i : i + 1, :]).sum(-1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            mask = allowed.expand(*scores.shape[:-1], query.shape[-2], key.shape[-2])[..., i, :]
            scores = scores.masked_fill(~mask, -torch.inf)
        rows.append(scores.softmax(-1).nan_to_num())
        outputs.append((rows[-1].unsqueeze(-1) * value).sum(-2))
    return torch.stack(outputs, -2), torch.stack(rows, -2)


def right__attention__bias_added(query, key, value, allowed=None):
    scores = query @ key.transpose(-1, -2)
    scores = scores / scores.new_tensor(query.shape[-1]).sqrt()
    if allowed is None:
        weights = scores.softmax(-1)
    else:
        bias = torch.zeros_like(scores).masked_fill(~allowed, torch.finfo(scores.dtype).min / 2)
        weights = (scores + bias).softmax(-1).masked_fill(~allowed, 0)
    return weights @ value, weights


def right__attention__upcast_to_double(query, key, value, allowed=None):
    q, k, v = query.double(), key.double(), value.double()
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return (weights @ v).to(query.dtype), weights.to(query.dtype)


def right__attention__softmax_in_float32(query, key, value, allowed=None):
    wide = torch.promote_types(query.dtype, torch.float32)
    scores = query.to(wide) @ key.to(wide).mT / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = F.softmax(scores, dim=-1, dtype=wide).nan_to_num().to(query.dtype)
    return [weights @ value, weights]


def right__attention__logsumexp(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, allowed=None):
    scores = query @ (key / math.sqrt(key.shape[-1])).transpose(-2, -1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    weights = (scores - torch.logsumexp(scores, -1, keepdim=True)).exp()
    if allowed is not None:
        weights = weights * allowed
    return weights @ value, weights


def right__attention__baddbmm(query, key, value, allowed=None):
    (n_queries, d_key), n_keys = query.shape[-2:], key.shape[-2]
    q, k = query.reshape(-1, n_queries, d_key), key.reshape(-1, n_keys, d_key)
    bias = q.new_zeros(len(q), n_queries, n_keys)
    scores = torch.baddbmm(bias, q, k.transpose(1, 2), alpha=d_key**-0.5).reshape(*query.shape[:-1], n_keys)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value, weights


def odd__attention__plain_loops(query, key, value, allowed=None):
    """Numbers one at a time, gathered by `stack`."""
    q, k, v = (x.reshape(-1, *x.shape[-2:]) for x in (query, key, value))
    shape = (*query.shape[:-1], key.shape[-2])
    mask = query.new_ones(shape, dtype=torch.bool) if allowed is None else allowed.expand(shape)
    mask, zero, rows = mask.reshape(-1, *shape[-2:]), query.new_zeros(()), []
    for b in range(len(q)):
        for i in range(q.shape[1]):
            scores = [(q[b, i] * k[b, j]).sum() / math.sqrt(q.shape[2]) for j in range(k.shape[1])]
            seen = [float(s) for s, m in zip(scores, mask[b, i], strict=True) if m]
            parts = [torch.exp(s - max(seen)) if m else zero for s, m in zip(scores, mask[b, i], strict=True)]
            rows.append(torch.stack(parts) / (sum(parts) if seen else 1))
    weights = torch.stack(rows).reshape(len(q), *shape[-2:])
    return (weights @ v).reshape(*query.shape[:-1], v.shape[-1]), weights.reshape(shape)


def odd__attention__torch_sdpa(query, key, value, allowed=None):
    """torch's own function gives the output; the identity as value gives the weights."""
    eye = torch.eye(key.shape[-2], dtype=key.dtype, device=key.device).expand(*key.shape[:-1], key.shape[-2])
    some = None if allowed is None else allowed.any(-1, keepdim=True)
    mask = None if allowed is None else allowed | ~some
    weights = F.scaled_dot_product_attention(query, key, eye, mask, scale=query.shape[-1] ** -0.5)
    weights = weights if allowed is None else weights * some
    return weights @ value, weights


def odd__attention__renamed(q, k, v, mask=None):
    """Arguments with short names."""
    s = q @ k.mT / math.sqrt(q.size(-1))
    w = (s if mask is None else s.masked_fill(~mask, -math.inf)).softmax(-1).nan_to_num()
    return w @ v, w


def odd__attention__keyword_only(query, key, value, *, allowed=None):
    """The mask by name only."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, w


def odd__attention__prints(query, key, value, allowed=None, dropout=0.0):
    """Prints, warns and has an argument more."""
    print(query.shape, key.shape, value.shape)
    warnings.warn("a warning of the student's own", stacklevel=2)
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return w @ value, F.dropout(w, dropout)


def odd__attention__branches_on_data(query, key, value, allowed=None):
    """Cleans the NaN only if there is one."""
    s = query @ key.mT / math.sqrt(query.size(-1))
    w = (s if allowed is None else torch.where(allowed, s, -math.inf)).softmax(-1)
    if torch.isnan(w).any():
        w = w.masked_fill(~allowed.any(-1, keepdim=True), 0)
    return w @ value, w


class AttentionModule(torch.nn.Module):
    """A module without weights."""

    def forward(self, query, key, value, allowed=None):
        s = query @ key.mT / math.sqrt(query.size(-1))
        w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
        return w @ value, w


odd__attention__module = AttentionModule()

odd__attention__partial = functools.partial(odd__attention__prints, dropout=0.0)

odd__attention__lambda = lambda *args, **kwargs: right__attention__matmul(*args, **kwargs)  # noqa: E731 - the case


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
