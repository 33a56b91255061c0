"""Right answers to `self_attention(x, w_query, w_key, w_value, allowed=None)` of notebook 03."""

from __future__ import annotations

import functools
import math

import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def right__self_attention__matmul(x, w_query, w_key, w_value, allowed=None):
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    return weights @ value, weights


def right__self_attention__einsum(x, w_query, w_key, w_value, allowed=None):
    query = torch.einsum("...nc,cd->...nd", x, w_query)
    key = torch.einsum("...nc,cd->...nd", x, w_key)
    value = torch.einsum("...nc,cv->...nv", x, w_value)
    scores = torch.einsum("...qd,...kd->...qk", query, key) * w_key.shape[1] ** -0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return torch.einsum("...qk,...kv->...qv", weights, value), weights


def right__self_attention__one_product(x, w_query, w_key, w_value, allowed=None):
    d_key, d_value = w_key.shape[-1], w_value.shape[-1]
    query, key, value = (x @ torch.cat([w_query, w_key, w_value], -1)).split([d_key, d_key, d_value], dim=-1)
    scores = (query * d_key**-0.5) @ key.transpose(-1, -2)
    if allowed is not None:
        scores = torch.where(allowed, scores, -math.inf)
    weights = scores.softmax(-1).nan_to_num(nan=0.0)
    return [weights @ value, weights]


def right__self_attention__interaction_matrix(x, w_query, w_key, w_value, allowed=None):
    scores = x @ (w_query @ w_key.T / math.sqrt(w_query.shape[1])) @ x.mT
    if allowed is None:
        allowed = scores.new_ones(1, 1, dtype=torch.bool)
    scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    weights = torch.exp(scores - torch.logsumexp(scores, dim=-1, keepdim=True)) * allowed
    return (weights @ x) @ w_value, weights


def right__self_attention__loop_over_queries(x, w_query, w_key, w_value, allowed=None):
    key, value, outputs, rows = x @ w_key, x @ w_value, [], []
    n_tokens = x.shape[-2]
    for i in range(n_tokens):
        query = x[..., i : i + 1, :] @ w_query
        scores = (query * key).sum(-1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            mask = allowed.expand(*x.shape[:-2], n_tokens, n_tokens)[..., i, :]
            scores = scores.masked_fill(~mask, -torch.inf)
        rows.append(torch.softmax(scores, dim=-1).nan_to_num())
        outputs.append((rows[-1].unsqueeze(-1) * value).sum(-2))
    return torch.stack(outputs, dim=-2), torch.stack(rows, dim=-2)


def right__self_attention__exp_and_sum(x, w_query, w_key, w_value, allowed=None):
    query, key, value = F.linear(x, w_query.t()), F.linear(x, w_key.t()), F.linear(x, w_value.t())
    scores = torch.matmul(query, key.swapaxes(-2, -1)).div(math.sqrt(query.shape[-1]))
    if allowed is not None:
        scores = scores.masked_fill(allowed.logical_not(), torch.finfo(scores.dtype).min)
    parts = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = parts / parts.sum(-1, keepdim=True)
    if allowed is not None:
        weights = weights.masked_fill(~allowed, 0.0)
    return weights.matmul(value), weights


def right__self_attention__softmax_in_float32(x, w_query, w_key, w_value, allowed=None):
    wide = torch.promote_types(x.dtype, torch.float32)
    query, key, value = (x.to(wide) @ w.to(wide) for w in (w_query, w_key, w_value))
    scores = query / math.sqrt(w_key.shape[-1]) @ key.mT
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = scores.softmax(dim=-1).nan_to_num()
    return (weights @ value).to(x.dtype), weights.to(x.dtype)


def right__self_attention__bias_added(x, w_query, w_key, w_value, allowed=None):
    query, key, value = (torch.tensordot(x, w, dims=1) for w in (w_query, w_key, w_value))
    scores = query @ key.transpose(-2, -1) / key.new_tensor(key.size(-1)).sqrt()
    if allowed is None:
        weights = scores.softmax(-1)
    else:
        bias = torch.zeros_like(scores).masked_fill(~allowed, torch.finfo(scores.dtype).min / 2)
        weights = (scores + bias).softmax(-1).masked_fill(~allowed, 0)
    return weights @ value, weights


def odd__self_attention__torch_sdpa(x, w_query, w_key, w_value, allowed=None):
    """torch's own function gives the output."""
    q, k, v = x @ w_query, x @ w_key, x @ w_value
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    if allowed is None:
        return F.scaled_dot_product_attention(q, k, v), scores.softmax(-1)
    some = allowed.any(-1, keepdim=True)
    weights = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    return F.scaled_dot_product_attention(q, k, v, attn_mask=allowed | ~some) * some, weights


def odd__self_attention__renamed(tokens, wq, wk, wv, mask=None):
    """Arguments with names of its own."""
    s = (tokens @ wq) @ (tokens @ wk).mT / math.sqrt(wk.shape[-1])
    w = (s if mask is None else s.masked_fill(~mask, -math.inf)).softmax(-1).nan_to_num()
    return w @ (tokens @ wv), w


def odd__self_attention__keyword_only(x, w_query, w_key, w_value, *, allowed=None, dropout=0.0):
    """The mask by name only, and an argument more."""
    s = (x @ w_query) @ (x @ w_key).mT / math.sqrt(w_key.shape[-1])
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return F.dropout(w, dropout) @ (x @ w_value), w


def odd__self_attention__plain_loops(x, w_query, w_key, w_value, allowed=None):
    """Pairs of tokens one at a time."""
    q, k, v, n = x @ w_query, x @ w_key, x @ w_value, x.shape[-2]
    rows = [
        [(q[..., i, :] * k[..., j, :]).sum(-1) / math.sqrt(k.shape[-1]) for j in range(n)] for i in range(n)
    ]
    s = torch.stack([torch.stack(row, -1) for row in rows], -2)
    w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    mixed = [sum(w[..., i, j, None] * v[..., j, :] for j in range(n)) for i in range(n)]
    return torch.stack(mixed, -2), w


odd__self_attention__partial = functools.partial(right__self_attention__matmul)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
