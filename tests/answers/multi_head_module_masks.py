"""Wrong about the mask, to the module `MultiHeadAttention` of notebook 04."""

# ruff: noqa: N801 - the name of an answer says what it is, whether function or class

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from tests.answers.gather import gather


class wrong__MultiHeadAttention__mask_inverted__1(nn.Module):
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
            scores = scores.masked_fill(allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__mask_inverted__2(nn.Module):
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
                scores = scores.masked_fill(allowed, -torch.inf)
            weights = scores.softmax(-1).nan_to_num()
            outputs.append(weights @ v)
            all_weights.append(weights)
        return self.w_out(torch.cat(outputs, dim=-1)), torch.stack(all_weights, dim=-3)


class wrong__MultiHeadAttention__mask_ignored__1(nn.Module):
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
        weights = F.softmax(scores, dim=-1)
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__mask_ignored__2(nn.Module):
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
                scores.masked_fill(~allowed, -torch.inf)
            weights = scores.softmax(-1).nan_to_num()
            outputs.append(weights @ v)
            all_weights.append(weights)
        return self.w_out(torch.cat(outputs, dim=-1)), torch.stack(all_weights, dim=-3)


class wrong__MultiHeadAttention__mask_after_softmax__1(nn.Module):
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
        weights = F.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights * allowed.unsqueeze(-3)
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__mask_after_softmax__2(nn.Module):
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
        weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True)).masked_fill(~allowed, 0.0)
        mixed = torch.einsum("...hqk,...hkv->...qhv", weights, v)
        return self.w_out(mixed.flatten(-2)), weights


class wrong__MultiHeadAttention__mask_scores_to_zero__1(nn.Module):
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
        if allowed is None:
            weights = F.softmax(scores, dim=-1)
        else:
            allowed = allowed.unsqueeze(-3)
            weights = F.softmax(scores * allowed, dim=-1) * allowed.any(-1, keepdim=True)
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__mask_scores_to_zero__2(nn.Module):
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
        weights = scores.masked_fill(~allowed, 0).softmax(-1) * allowed.any(-1, keepdim=True)
        mixed = torch.einsum("...hqk,...hkv->...qhv", weights, v)
        return self.w_out(mixed.flatten(-2)), weights


class wrong__MultiHeadAttention__mask_tiny_fill__1(nn.Module):
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
        if allowed is None:
            weights = F.softmax(scores, dim=-1)
        else:
            allowed = allowed.unsqueeze(-3)
            weights = F.softmax(scores.masked_fill(~allowed, -10), dim=-1) * allowed.any(-1, keepdim=True)
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__mask_tiny_fill__2(nn.Module):
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
        weights = torch.where(allowed, scores, -10.0).softmax(-1) * allowed.any(-1, keepdim=True)
        mixed = torch.einsum("...hqk,...hkv->...qhv", weights, v)
        return self.w_out(mixed.flatten(-2)), weights


class wrong__MultiHeadAttention__mask_added_as_01__1(nn.Module):
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
        if allowed is None:
            weights = F.softmax(scores, dim=-1)
        else:
            allowed = allowed.unsqueeze(-3)
            weights = F.softmax(scores + allowed, dim=-1) * allowed.any(-1, keepdim=True)
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__mask_added_as_01__2(nn.Module):
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
        weights = scores.add(allowed.type_as(scores)).softmax(-1) * allowed.any(-1, keepdim=True)
        mixed = torch.einsum("...hqk,...hkv->...qhv", weights, v)
        return self.w_out(mixed.flatten(-2)), weights


class wrong__MultiHeadAttention__mask_fully_nan__1(nn.Module):
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
        weights = F.softmax(scores, dim=-1)
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__mask_fully_nan__2(nn.Module):
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
            weights = scores.softmax(-1)
            outputs.append(weights @ v)
            all_weights.append(weights)
        return self.w_out(torch.cat(outputs, dim=-1)), torch.stack(all_weights, dim=-3)


class wrong__MultiHeadAttention__mask_fully_uniform__1(nn.Module):
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
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -1e9)
        weights = F.softmax(scores, dim=-1)
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__mask_fully_uniform__2(nn.Module):
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
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1)
        mixed = torch.einsum("...hqk,...hkv->...qhv", weights, v)
        return self.w_out(mixed.flatten(-2)), weights


class wrong__MultiHeadAttention__mask_no_head_axis__1(nn.Module):
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
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class wrong__MultiHeadAttention__mask_no_head_axis__2(nn.Module):
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
        if allowed is not None:
            scores = scores.masked_fill(allowed.logical_not(), torch.finfo(scores.dtype).min)
        weights = scores.softmax(-1)
        if allowed is not None:
            weights = weights.masked_fill(allowed.logical_not(), 0)
        mixed = torch.einsum("...hqk,...hkv->...qhv", weights, v)
        return self.w_out(mixed.flatten(-2)), weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
