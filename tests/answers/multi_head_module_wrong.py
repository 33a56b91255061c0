"""Wrong answers, as classes, to the module `MultiHeadAttention` of notebook 04."""

# ruff: noqa: N801 - the name of an answer says what it is, whether function or class

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from tests.answers.gather import gather


class wrong__MultiHeadAttention__softmax_over_queries__1(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def split(self, x):
        return x.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        query, key, value = (
            self.split(self.w_query(query)),
            self.split(self.w_key(key)),
            self.split(self.w_value(value)),
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-2))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__softmax_over_queries__2(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        if d_key is None:
            d_key = d_model // n_heads
        if d_value is None:
            d_value = d_model // n_heads
        self.n_heads, self.scale = n_heads, d_key**-0.5
        self.w_query, self.w_key, self.w_value = (
            nn.Linear(d_model, n_heads * width, bias=False) for width in (d_key, d_key, d_value)
        )
        self.w_out = nn.Linear(n_heads * d_value, d_model, bias=False)

    def heads(self, layer, x):
        return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))

    def forward(self, query, key=None, value=None, allowed=None):
        if key is None:
            key = query
        if value is None:
            value = key
        q, k, v = (
            self.heads(self.w_query, query),
            self.heads(self.w_key, key),
            self.heads(self.w_value, value),
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * self.scale
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-2) * allowed
        mixed = torch.einsum("...hqk,...hkv->...qhv", weights, v)
        return self.w_out(mixed.flatten(-2)), weights


class wrong__MultiHeadAttention__no_scale__1(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def split(self, x):
        return x.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        query, key, value = (
            self.split(self.w_query(query)),
            self.split(self.w_key(key)),
            self.split(self.w_value(value)),
        )
        scores = query @ key.transpose(-2, -1)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__no_scale__2(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        if d_key is None:
            d_key = d_model // n_heads
        if d_value is None:
            d_value = d_model // n_heads
        self.n_heads = n_heads
        self.w_query, self.w_key, self.w_value = (
            nn.Linear(d_model, n_heads * width, bias=False) for width in (d_key, d_key, d_value)
        )
        self.w_out = nn.Linear(n_heads * d_value, d_model, bias=False)

    def heads(self, layer, x):
        return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))

    def forward(self, query, key=None, value=None, allowed=None):
        if key is None:
            key = query
        if value is None:
            value = key
        q, k, v = (
            self.heads(self.w_query, query),
            self.heads(self.w_key, key),
            self.heads(self.w_value, value),
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k)
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkv->...qhv", weights, v)
        return self.w_out(mixed.flatten(-2)), weights


class wrong__MultiHeadAttention__scale_by_d__1(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def split(self, x):
        return x.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        query, key, value = (
            self.split(self.w_query(query)),
            self.split(self.w_key(key)),
            self.split(self.w_value(value)),
        )
        scores = query @ key.transpose(-2, -1) / self.d_key
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__scale_by_d__2(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        if d_key is None:
            d_key = d_model // n_heads
        if d_value is None:
            d_value = d_model // n_heads
        self.n_heads, self.scale = n_heads, 1 / d_key
        self.w_query, self.w_key, self.w_value = (
            nn.Linear(d_model, n_heads * width, bias=False) for width in (d_key, d_key, d_value)
        )
        self.w_out = nn.Linear(n_heads * d_value, d_model, bias=False)

    def heads(self, layer, x):
        return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))

    def forward(self, query, key=None, value=None, allowed=None):
        if key is None:
            key = query
        if value is None:
            value = key
        q, k, v = (
            self.heads(self.w_query, query),
            self.heads(self.w_key, key),
            self.heads(self.w_value, value),
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * self.scale
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkv->...qhv", weights, v)
        return self.w_out(mixed.flatten(-2)), weights


class wrong__MultiHeadAttention__scale_by_d_model__1(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def split(self, x):
        return x.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        query, key, value = (
            self.split(self.w_query(query)),
            self.split(self.w_key(key)),
            self.split(self.w_value(value)),
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.w_query.in_features)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__scale_by_d_model__2(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        if d_key is None:
            d_key = d_model // n_heads
        if d_value is None:
            d_value = d_model // n_heads
        self.n_heads, self.scale = n_heads, d_model**-0.5
        self.w_query, self.w_key, self.w_value = (
            nn.Linear(d_model, n_heads * width, bias=False) for width in (d_key, d_key, d_value)
        )
        self.w_out = nn.Linear(n_heads * d_value, d_model, bias=False)

    def heads(self, layer, x):
        return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))

    def forward(self, query, key=None, value=None, allowed=None):
        if key is None:
            key = query
        if value is None:
            value = key
        q, k, v = (
            self.heads(self.w_query, query),
            self.heads(self.w_key, key),
            self.heads(self.w_value, value),
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * self.scale
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkv->...qhv", weights, v)
        return self.w_out(mixed.flatten(-2)), weights


class wrong__MultiHeadAttention__scale_multiplied__1(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def split(self, x):
        return x.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        query, key, value = (
            self.split(self.w_query(query)),
            self.split(self.w_key(key)),
            self.split(self.w_value(value)),
        )
        scores = query @ key.transpose(-2, -1) * math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__scale_multiplied__2(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        if d_key is None:
            d_key = d_model // n_heads
        if d_value is None:
            d_value = d_model // n_heads
        self.n_heads, self.scale = n_heads, d_key**0.5
        self.w_query, self.w_key, self.w_value = (
            nn.Linear(d_model, n_heads * width, bias=False) for width in (d_key, d_key, d_value)
        )
        self.w_out = nn.Linear(n_heads * d_value, d_model, bias=False)

    def heads(self, layer, x):
        return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))

    def forward(self, query, key=None, value=None, allowed=None):
        if key is None:
            key = query
        if value is None:
            value = key
        q, k, v = (
            self.heads(self.w_query, query),
            self.heads(self.w_key, key),
            self.heads(self.w_value, value),
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * self.scale
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkv->...qhv", weights, v)
        return self.w_out(mixed.flatten(-2)), weights


class wrong__MultiHeadAttention__shared_projection__1(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def split(self, x):
        return x.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        query, key, value = (
            self.split(self.w_query(query)),
            self.split(self.w_query(key)),
            self.split(self.w_value(value)),
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__shared_projection__2(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        if d_key is None:
            d_key = d_model // n_heads
        if d_value is None:
            d_value = d_model // n_heads
        self.n_heads, self.scale = n_heads, d_key**-0.5
        self.w_query, self.w_key, self.w_value = (
            nn.Linear(d_model, n_heads * width, bias=False) for width in (d_key, d_key, d_value)
        )
        self.w_out = nn.Linear(n_heads * d_value, d_model, bias=False)

    def heads(self, layer, x):
        return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))

    def forward(self, query, key=None, value=None, allowed=None):
        if key is None:
            key = query
        if value is None:
            value = key
        q, k, v = (
            self.heads(self.w_query, query),
            self.heads(self.w_query, key),
            self.heads(self.w_value, value),
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * self.scale
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkv->...qhv", weights, v)
        return self.w_out(mixed.flatten(-2)), weights


class wrong__MultiHeadAttention__heads_by_view__1(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def split(self, x):
        return x.reshape(*x.shape[:-2], self.n_heads, x.shape[-2], -1)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        query, key, value = (
            self.split(self.w_query(query)),
            self.split(self.w_key(key)),
            self.split(self.w_value(value)),
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__heads_by_view__2(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        parts = [
            layer(x).contiguous().flatten(-2).unflatten(-1, (self.n_heads, x.shape[-2], -1)).unbind(-3)
            for layer, x in ((self.w_query, query), (self.w_key, key), (self.w_value, value))
        ]
        outputs, all_weights = [], []
        for q, k, v in zip(*parts, strict=True):
            scores = q @ k.mT / self.d_key**0.5
            if allowed is not None:
                scores = scores.masked_fill(~allowed, -torch.inf)
            weights = scores.softmax(-1).nan_to_num()
            outputs.append(weights @ v)
            all_weights.append(weights)
        return self.w_out(torch.cat(outputs, dim=-1)), torch.stack(all_weights, dim=-3)


class wrong__MultiHeadAttention__merge_by_view__1(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def split(self, x):
        return x.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        query, key, value = (
            self.split(self.w_query(query)),
            self.split(self.w_key(key)),
            self.split(self.w_value(value)),
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).reshape(*query.shape[:-3], query.shape[-2], -1)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__merge_by_view__2(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        parts = [
            layer(x).chunk(self.n_heads, dim=-1)
            for layer, x in ((self.w_query, query), (self.w_key, key), (self.w_value, value))
        ]
        outputs, all_weights = [], []
        for q, k, v in zip(*parts, strict=True):
            scores = q @ k.mT / self.d_key**0.5
            if allowed is not None:
                scores = scores.masked_fill(~allowed, -torch.inf)
            weights = scores.softmax(-1).nan_to_num()
            outputs.append(weights @ v)
            all_weights.append(weights)
        return self.w_out(torch.stack(outputs, dim=-3).view(*query.shape[:-1], -1)), torch.stack(
            all_weights, dim=-3
        )


class wrong__MultiHeadAttention__no_output_projection__1(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def split(self, x):
        return x.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        query, key, value = (
            self.split(self.w_query(query)),
            self.split(self.w_key(key)),
            self.split(self.w_value(value)),
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return output, weights


class wrong__MultiHeadAttention__no_output_projection__2(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        if d_key is None:
            d_key = d_model // n_heads
        if d_value is None:
            d_value = d_model // n_heads
        self.n_heads, self.scale = n_heads, d_key**-0.5
        self.w_query, self.w_key, self.w_value = (
            nn.Linear(d_model, n_heads * width, bias=False) for width in (d_key, d_key, d_value)
        )
        self.w_out = nn.Linear(n_heads * d_value, d_model, bias=False)

    def heads(self, layer, x):
        return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))

    def forward(self, query, key=None, value=None, allowed=None):
        if key is None:
            key = query
        if value is None:
            value = key
        q, k, v = (
            self.heads(self.w_query, query),
            self.heads(self.w_key, key),
            self.heads(self.w_value, value),
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * self.scale
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkv->...qhv", weights, v)
        return mixed.flatten(-2), weights


class wrong__MultiHeadAttention__first_head_everywhere__1(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def split(self, x):
        return x.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        query, key, value = (
            self.split(self.w_query(query)),
            self.split(self.w_key(key)),
            self.split(self.w_value(value)),
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights[..., :1, :, :] @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__first_head_everywhere__2(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        if d_key is None:
            d_key = d_model // n_heads
        if d_value is None:
            d_value = d_model // n_heads
        self.n_heads, self.scale = n_heads, d_key**-0.5
        self.w_query, self.w_key, self.w_value = (
            nn.Linear(d_model, n_heads * width, bias=False) for width in (d_key, d_key, d_value)
        )
        self.w_out = nn.Linear(n_heads * d_value, d_model, bias=False)

    def heads(self, layer, x):
        return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))

    def forward(self, query, key=None, value=None, allowed=None):
        if key is None:
            key = query
        if value is None:
            value = key
        q, k, v = (
            self.heads(self.w_query, query),
            self.heads(self.w_key, key),
            self.heads(self.w_value, value),
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * self.scale
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...qk,...hkv->...qhv", weights[..., 0, :, :], v)
        return self.w_out(mixed.flatten(-2)), weights


class wrong__MultiHeadAttention__first_head_everywhere__returned_too_1(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def split(self, x):
        return x.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        query, key, value = (
            self.split(self.w_query(query)),
            self.split(self.w_key(key)),
            self.split(self.w_value(value)),
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        weights = weights[..., :1, :, :].expand(weights.shape)
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__first_head_everywhere__returned_too_2(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        parts = [
            layer(x).chunk(self.n_heads, dim=-1)
            for layer, x in ((self.w_query, query), (self.w_key, key), (self.w_value, value))
        ]
        outputs, all_weights = [], []
        for q, k, v in zip(*parts, strict=True):
            scores = q @ k.mT / self.d_key**0.5
            if allowed is not None:
                scores = scores.masked_fill(~allowed, -torch.inf)
            weights = scores.softmax(-1).nan_to_num()
            weights = all_weights[0] if all_weights else weights
            outputs.append(weights @ v)
            all_weights.append(weights)
        return self.w_out(torch.cat(outputs, dim=-1)), torch.stack(all_weights, dim=-3)


class wrong__MultiHeadAttention__cross_ignores_context__1(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def split(self, x):
        return x.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)

    def forward(self, query, key=None, value=None, allowed=None):
        key = value = query
        query, key, value = (
            self.split(self.w_query(query)),
            self.split(self.w_key(key)),
            self.split(self.w_value(value)),
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__cross_ignores_context__2(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        if d_key is None:
            d_key = d_model // n_heads
        if d_value is None:
            d_value = d_model // n_heads
        self.n_heads, self.scale = n_heads, d_key**-0.5
        self.w_query, self.w_key, self.w_value = (
            nn.Linear(d_model, n_heads * width, bias=False) for width in (d_key, d_key, d_value)
        )
        self.w_out = nn.Linear(n_heads * d_value, d_model, bias=False)

    def heads(self, layer, x):
        return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))

    def forward(self, query, key=None, value=None, allowed=None):
        q, k, v = (
            self.heads(self.w_query, query),
            self.heads(self.w_key, query),
            self.heads(self.w_value, query),
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * self.scale
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkv->...qhv", weights, v)
        return self.w_out(mixed.flatten(-2)), weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
