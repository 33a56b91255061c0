"""Right answers, as classes, to the module `MultiHeadAttention` of notebook 04."""

# ruff: noqa: N801 - the name of an answer says what it is, whether function or class

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from tests.answers.gather import gather


class right__MultiHeadAttention__unflatten(nn.Module):
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
        return self.w_out(output), weights


class right__MultiHeadAttention__einsum(nn.Module):
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
        return self.w_out(mixed.flatten(-2)), weights


class right__MultiHeadAttention__loop_over_heads(nn.Module):
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
        return self.w_out(torch.cat(outputs, dim=-1)), torch.stack(all_weights, dim=-3)


class right__MultiHeadAttention__view_and_permute(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def forward(self, query, key=None, value=None, allowed=None):
        if key is None:
            key = query
        if value is None:
            value = key
        *batch, n_queries, _ = query.shape
        n_keys = key.shape[-2]
        q = self.w_query(query).view(-1, n_queries, self.n_heads, self.d_key).permute(0, 2, 1, 3)
        k = self.w_key(key).view(-1, n_keys, self.n_heads, self.d_key).permute(0, 2, 3, 1)
        v = self.w_value(value).view(-1, n_keys, self.n_heads, self.d_value).permute(0, 2, 1, 3)
        scores = torch.matmul(q * self.d_key**-0.5, k).view(*batch, self.n_heads, n_queries, n_keys)
        if allowed is not None:
            scores = torch.where(allowed.unsqueeze(-3), scores, -math.inf)
        weights = scores.softmax(-1).nan_to_num(nan=0.0)
        mixed = torch.matmul(weights.reshape(-1, self.n_heads, n_queries, n_keys), v)
        merged = mixed.permute(0, 2, 1, 3).contiguous().view(*batch, n_queries, self.n_heads * self.d_value)
        return [self.w_out(merged), weights]


class right__MultiHeadAttention__heads_summed(nn.Module):
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
        total, rows = 0, []
        layers = (self.w_query.weight, self.w_key.weight, self.w_value.weight)
        blocks = zip(
            *(w.chunk(self.n_heads) for w in layers), self.w_out.weight.chunk(self.n_heads, 1), strict=True
        )
        for w_query, w_key, w_value, w_out in blocks:
            scores = (query @ w_query.T) @ (key @ w_key.T).mT / math.sqrt(w_key.shape[0])
            if allowed is not None:
                scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
            parts = torch.exp(scores - scores.amax(-1, keepdim=True))
            weights = parts / parts.sum(-1, keepdim=True)
            if allowed is not None:
                weights = weights.masked_fill(~allowed, 0)
            total = total + weights @ F.linear(value, w_value) @ w_out.T
            rows.append(weights)
        return total, torch.stack(rows, dim=-3)


class right__MultiHeadAttention__with_helpers(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def split(self, x, width):
        return x.reshape(*x.shape[:-1], self.n_heads, width).movedim(-2, -3)

    def merge(self, x):
        return torch.cat(x.unbind(dim=-3), dim=-1)

    def attend(self, query, key, value, allowed):
        scores = query @ key.swapaxes(-1, -2) / query.new_tensor(query.shape[-1]).sqrt()
        if allowed is None:
            weights = scores.softmax(-1)
        else:
            bias = torch.zeros_like(scores).masked_fill(~allowed, torch.finfo(scores.dtype).min / 2)
            weights = (scores + bias).softmax(-1).masked_fill(~allowed, 0)
        return weights @ value, weights

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        output, weights = self.attend(
            self.split(self.w_query(query), self.d_key),
            self.split(self.w_key(key), self.d_key),
            self.split(self.w_value(value), self.d_value),
            None if allowed is None else allowed[..., None, :, :],
        )
        return self.w_out(self.merge(output)), weights


class right__MultiHeadAttention__in_float32(nn.Module):
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
        dtype, wide = query.dtype, torch.promote_types(query.dtype, torch.float32)
        q, k, v = (
            layer(x).to(wide).unflatten(-1, (self.n_heads, -1)).transpose(-2, -3)
            for layer, x in ((self.w_query, query), (self.w_key, key), (self.w_value, value))
        )
        scores = q @ k.mT / math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(allowed.unsqueeze(-3).logical_not(), -torch.inf)
        weights = scores.softmax(-1).nan_to_num()
        return self.w_out((weights @ v).transpose(-2, -3).flatten(-2).to(dtype)), weights.to(dtype)


class odd__MultiHeadAttention__torch_sdpa(nn.Module):
    """torch's own function gives the output."""

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
        q, k, v = (
            layer(x).unflatten(-1, (self.n_heads, -1)).transpose(-2, -3)
            for layer, x in ((self.w_query, query), (self.w_key, key), (self.w_value, value))
        )
        scores = q @ k.mT / math.sqrt(self.d_key)
        if allowed is None:
            mixed, weights = F.scaled_dot_product_attention(q, k, v), scores.softmax(-1)
        else:
            allowed = allowed.unsqueeze(-3)
            some = allowed.any(-1, keepdim=True)
            weights = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).softmax(-1) * allowed
            mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed | ~some) * some
        return self.w_out(mixed.transpose(-2, -3).flatten(-2)), weights


class odd__MultiHeadAttention__renamed(nn.Module):
    """Arguments with names of its own, and the layers in another order."""

    def __init__(self, dim, heads, dk=None, dv=None):
        super().__init__()
        dk, dv = dk or dim // heads, dv or dim // heads
        self.w_out = nn.Linear(heads * dv, dim, bias=False)
        self.w_value = nn.Linear(dim, heads * dv, bias=False)
        self.w_key = nn.Linear(dim, heads * dk, bias=False)
        self.w_query = nn.Linear(dim, heads * dk, bias=False)
        self.h = heads

    def forward(self, q, k=None, v=None, mask=None):
        k = q if k is None else k
        v = k if v is None else v
        q, k, v = (
            torch.stack(x.chunk(self.h, -1), -3) for x in (self.w_query(q), self.w_key(k), self.w_value(v))
        )
        s = q @ k.mT / math.sqrt(k.shape[-1])
        w = (s if mask is None else s.masked_fill(~mask.unsqueeze(-3), -math.inf)).softmax(-1).nan_to_num()
        return self.w_out(torch.cat((w @ v).unbind(-3), -1)), w


class odd__MultiHeadAttention__more_arguments(nn.Module):
    """Arguments more, with defaults, the mask by name only, and a refusal of what does not divide."""

    def __init__(self, d_model, n_heads, d_key=None, d_value=None, dropout=0.0):
        super().__init__()
        if (d_key is None or d_value is None) and d_model % n_heads:
            raise ValueError("n_heads must divide d_model")
        d_key = d_model // n_heads if d_key is None else d_key
        d_value = d_model // n_heads if d_value is None else d_value
        self.shape = (n_heads, -1)
        self.w_query = nn.Linear(d_model, n_heads * d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * d_value, bias=False)
        self.w_out = nn.Linear(n_heads * d_value, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.weights = None

    def forward(self, query, key=None, value=None, *, allowed=None, need_weights=True):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (
            layer(x).unflatten(-1, self.shape).transpose(-2, -3)
            for layer, x in zip((self.w_query, self.w_key, self.w_value), (query, key, value), strict=True)
        )
        s = q @ k.mT * k.shape[-1] ** -0.5
        w = (
            (s if allowed is None else s.masked_fill(~allowed[..., None, :, :], -math.inf))
            .softmax(-1)
            .nan_to_num()
        )
        self.weights = w.detach()
        output = self.w_out((self.dropout(w) @ v).transpose(-2, -3).flatten(-2))
        return (output, w) if need_weights else (output, None)


class odd__MultiHeadAttention__inner_module(nn.Module):
    """A module without weights inside, kept as an attribute."""

    class Attend(nn.Module):
        def forward(self, query, key, value, allowed):
            s = query @ key.mT / math.sqrt(key.shape[-1])
            w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
            return w @ value, w

    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        d_key, d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * d_value, bias=False)
        self.w_out = nn.Linear(n_heads * d_value, d_model, bias=False)
        self.split, self.merge = nn.Unflatten(-1, (n_heads, -1)), nn.Flatten(-2)
        self.attend = self.Attend()

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        projected = self.w_query(query), self.w_key(key), self.w_value(value)
        parts = [self.split(x).transpose(-2, -3) for x in projected]
        output, weights = self.attend(*parts, None if allowed is None else allowed.unsqueeze(-3))
        return self.w_out(self.merge(output.transpose(-2, -3))), weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
