"""Wrong answers about gradients, inputs, devices and dtypes to `multi_head_attention` of notebook 04."""

from __future__ import annotations

import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.answers.gather import gather


def wrong__multi_head_attention__detached__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return (output @ w_out).detach(), weights.detach()


def wrong__multi_head_attention__detached__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    x, w_query, w_key, w_value, w_out = (t.data for t in (x, w_query, w_key, w_value, w_out))
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def wrong__multi_head_attention__detached__3(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    a, wq, wk, wv, wo = (t.detach().double().cpu().numpy() for t in (x, w_query, w_key, w_value, w_out))
    query, key, value = ((a @ w).reshape(*a.shape[:-1], n_heads, -1).swapaxes(-2, -3) for w in (wq, wk, wv))
    scores = query @ key.swapaxes(-1, -2) / np.sqrt(key.shape[-1])
    mask = np.ones((1, 1, 1), bool) if allowed is None else np.expand_dims(allowed.cpu().numpy(), -3)
    mask = np.broadcast_to(mask, scores.shape)
    top = np.where(mask, scores, -1e30).max(-1, keepdims=True)
    parts = np.where(mask, np.exp(np.where(mask, scores - top, 0)), 0)
    weights = parts / np.maximum(parts.sum(-1, keepdims=True), 1e-30)
    output = (weights @ value).swapaxes(-2, -3).reshape(*a.shape[:-1], -1) @ wo
    return torch.from_numpy(output).to(x), torch.from_numpy(weights).to(x)


def wrong__multi_head_attention__input_changed__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    w_query /= math.sqrt(w_query.shape[-1] // n_heads)
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1)
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__input_changed__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum(
        "...qhv,hvo->...qo", mixed, w_out.t_().unflatten(-1, (n_heads, -1)).movedim(0, -1)
    ), weights


def wrong__multi_head_attention__input_changed__3(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    if allowed is not None:
        allowed.logical_not_()
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        outputs.append(weights @ value)
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out, torch.stack(all_weights, dim=-3)


def wrong__multi_head_attention__wrong_device__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    scale = torch.tensor([w_key.shape[-1] // n_heads], dtype=x.dtype).sqrt()
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / scale
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__wrong_device__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    d_model, d_key = x.shape[-1], w_key.shape[-1] // n_heads
    query = torch.einsum("...nc,chd->...hnd", x, w_query.reshape(d_model, n_heads, d_key))
    key = torch.einsum("...nc,chd->...hnd", x, w_key.reshape(d_model, n_heads, d_key))
    value = torch.einsum("...nc,chd->...hnd", x, w_value.reshape(d_model, n_heads, -1))
    scores = torch.einsum("...hqd,...hkd->...hqk", query, key) * d_key**-0.5
    allowed = (
        torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool)
        if allowed is None
        else allowed[..., None, :, :]
    )
    weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
    mixed = torch.einsum("...hqk,...hkv->...qhv", weights, value)
    return torch.einsum("...qhv,hvo->...qo", mixed, w_out.reshape(n_heads, -1, w_out.shape[-1])), weights


def wrong__multi_head_attention__wrong_device__3(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    output = torch.zeros(*x.shape[:-1], w_out.shape[-1], dtype=x.dtype)
    all_weights = torch.zeros(*x.shape[:-2], n_heads, x.shape[-2], x.shape[-2], dtype=x.dtype)
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for h, (query, key, value) in enumerate(zip(*parts, strict=True)):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        all_weights[..., h, :, :] = weights
        output = output + weights @ value @ w_out.chunk(n_heads)[h]
    return output, all_weights


def wrong__multi_head_attention__wrong_dtype__1(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    x, w_query, w_key, w_value, w_out = (t.float() for t in (x, w_query, w_key, w_value, w_out))
    query = (x @ w_query).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    key = (x @ w_key).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    value = (x @ w_value).unflatten(-1, (n_heads, -1)).transpose(-3, -2)
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
    weights = torch.nan_to_num(F.softmax(scores, dim=-1))
    output = (weights @ value).transpose(-3, -2).flatten(-2)
    return output @ w_out, weights


def wrong__multi_head_attention__wrong_dtype__2(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    outputs, all_weights = [], []
    parts = [(x @ w).chunk(n_heads, dim=-1) for w in (w_query, w_key, w_value)]
    for query, key, value in zip(*parts, strict=True):
        scores = query @ key.mT / key.shape[-1] ** 0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -torch.inf)
        weights = scores.softmax(-1, dtype=torch.float32).nan_to_num()
        outputs.append(weights @ value.to(torch.float32))
        all_weights.append(weights)
    return torch.cat(outputs, dim=-1) @ w_out.to(torch.float32), torch.stack(all_weights, dim=-3)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
