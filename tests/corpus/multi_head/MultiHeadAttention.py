"""Answers to `MultiHeadAttention` of notebook 04."""

import dataclasses
import math

import torch
import torch.nn.functional as F
from torch import nn

from tests.corpus import change

class right__unflatten(nn.Module):
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

class right__einsum(nn.Module):
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

class right__loop_over_heads(nn.Module):
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

class right__view_and_permute(nn.Module):
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

class right__heads_summed(nn.Module):
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

class right__with_helpers(nn.Module):
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

class right__in_float32(nn.Module):
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

@dataclasses.dataclass
class Sizes:
    n_heads: int
    d_key: int
    d_value: int

class right__sizes_in_a_dataclass(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.sizes = Sizes(n_heads, d_key or d_model // n_heads, d_value or d_model // n_heads)
        inner = [n_heads * size for size in (self.sizes.d_key, self.sizes.d_key, self.sizes.d_value)]
        for name, size in zip(("w_query", "w_key", "w_value"), inner, strict=True):
            self.add_module(name, nn.Linear(d_model, size, bias=False))
        self.w_out = nn.Linear(inner[-1], d_model, bias=False)
        self.apply(self._start)

    @staticmethod
    def _start(module):
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)

    def _heads(self, tokens):
        return torch.stack(tokens.chunk(self.sizes.n_heads, dim=-1), dim=-3)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = map(self._heads, (self.w_query(query), self.w_key(key), self.w_value(value)))
        scores = torch.einsum("...qd,...kd->...qk", q, k).div(self.sizes.d_key**0.5)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        weights = weights.masked_fill(weights.isnan(), 0.0)
        return self.w_out(torch.cat((weights @ v).unbind(-3), dim=-1)), weights

class odd__torch_sdpa(nn.Module):
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

class odd__renamed(nn.Module):
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

class odd__more_arguments(nn.Module):
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

class odd__inner_module(nn.Module):
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

class wrong__wrong_dtype__2(nn.Module):
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
            weights = scores.softmax(-1, dtype=torch.float32).nan_to_num()
            outputs.append(weights @ v.to(torch.float32))
            all_weights.append(weights)
        return F.linear(torch.cat(outputs, dim=-1), self.w_out.weight.to(torch.float32)), torch.stack(
            all_weights, dim=-3
        )

class wrong__cross_ignores_context__2(nn.Module):
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

wrong__detached__1 = change(right__unflatten, (", weights", ".detach(), weights.detach()"))
wrong__detached__2 = change(right__einsum, ("def forward", "@torch.no_grad()", "def forward"))
wrong__detached__3 = change(
    right__loop_over_heads, ("layer(x)", "F.linear(x.data, layer.weight.data)"),
    ("return self.w_out", "return F.linear"), ("(outputs, dim=-1)", "(outputs, dim=-1), self.w_out.weight.data"),
)
wrong__input_changed__1 = change(
    right__einsum,
    (
        'return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))',
        "return torch.einsum(",
        '    "...nc,hdc->...hnd",',
        "    x.transpose_(-2, -1).transpose(-2, -1),",
        "    layer.weight.unflatten(0, (self.n_heads, -1)),",
        ")",
    ),
)
wrong__input_changed__2 = change(
    right__loop_over_heads,
    ("outputs, all_weights", "if allowed is not None:", "    allowed.logical_not_()", "outputs, all_weights"),
    ("~allowed", "allowed"),
)
wrong__input_changed__3 = change(right__unflatten, ("query, key,", "query -= query.mean()", "query, key,"))
wrong__wrong_device__1 = change(
    right__unflatten,
    (
        "scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_key)",
        "scale = torch.tensor([self.d_key], dtype=query.dtype).sqrt()",
        "scores = query @ key.transpose(-2, -1) / scale",
    ),
)
wrong__wrong_device__2 = change(
    right__einsum, ("d_key**-0.5", "torch.full((1,), d_key**-0.5, dtype=torch.float64)"),
    ("* self.scale", "* self.scale.to(q.dtype)"),
)
wrong__wrong_device__3 = change(
    right__loop_over_heads,
    (
        "outputs, all_weights",
        "if allowed is None:",
        "    allowed = torch.ones(query.shape[-2], key.shape[-2], dtype=torch.bool)",
        "outputs, all_weights",
    ),
    ("if allowed is not None:", "scores = scores.masked_fill(~allowed, -torch.inf)"),
    ("scores = scores.masked_fill(~allowed, -torch.inf)", ""),
)
wrong__wrong_dtype__1 = change(right__unflatten, (", weights", ".float(), weights.float()"))
# Softmax over the heads.
wrong__softmax_over_heads__1 = change(right__unflatten, (", dim=-1", ", dim=-3"))
wrong__mask_inverted__1 = change(right__unflatten, ("~allowed", "allowed"))
wrong__mask_inverted__2 = change(right__loop_over_heads, ("~allowed", "allowed"))
wrong__mask_ignored__1 = change(
    right__unflatten, ("if allowed is not None:", ""),
    ("scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)", ""),
    ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=-1)"),
)
wrong__mask_ignored__2 = change(right__loop_over_heads, ("scores = scores", "scores"))
wrong__mask_after_softmax__1 = change(
    wrong__mask_ignored__1,
    ("output =", "if allowed is not None:", "    weights = weights * allowed.unsqueeze(-3)", "output ="),
)
wrong__mask_after_softmax__2 = change(
    right__einsum,
    (
        "[..., None, :, :]",
        "[..., None, :, :]",
        "weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True)).masked_fill(~allowed, 0.0)",
    ),
    ("weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed", ""),
)
wrong__mask_scores_to_zero__1 = change(
    right__unflatten,
    (
        "if allowed is not None:",
        "if allowed is None:",
        "    weights = F.softmax(scores, dim=-1)",
        "else:",
        "    allowed = allowed.unsqueeze(-3)",
        "    weights = F.softmax(scores * allowed, dim=-1) * allowed.any(-1, keepdim=True)",
    ),
    ("scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)", ""),
    ("weights = torch.nan_to_num(F.softmax(scores, dim=-1))", ""),
)
wrong__mask_scores_to_zero__2 = change(
    right__einsum,
    ("torch.where(allowed, scores, torch.finfo(scores.dtype).min)", "scores.masked_fill(~allowed, 0)"),
    ("* allowed", "* allowed.any(-1, keepdim=True)"),
)
wrong__mask_tiny_fill__1 = change(
    wrong__mask_scores_to_zero__1, ("scores * allowed", "scores.masked_fill(~allowed, -10)"),
)
wrong__mask_tiny_fill__2 = change(
    right__einsum,
    ("torch.where(allowed, scores, torch.finfo(scores.dtype).min)", "torch.where(allowed, scores, -10.0)"),
    ("* allowed", "* allowed.any(-1, keepdim=True)"),
)
wrong__mask_added_as_01__1 = change(wrong__mask_scores_to_zero__1, ("scores *", "scores +"))
wrong__mask_added_as_01__2 = change(
    wrong__mask_scores_to_zero__2, (".masked_fill(~allowed, 0)", ".add(allowed.type_as(scores))"),
)
wrong__mask_fully_nan__1 = change(
    right__unflatten, ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=-1)"),
)
wrong__mask_fully_nan__2 = change(right__loop_over_heads, (".nan_to_num()", ""))
wrong__mask_fully_uniform__1 = change(wrong__mask_fully_nan__1, ("math.inf", "1e9"))
wrong__mask_fully_uniform__2 = change(right__einsum, ("(-1) * allowed", "(-1)"))
wrong__mask_no_head_axis__1 = change(right__unflatten, (".unsqueeze(-3)", ""))
wrong__mask_no_head_axis__2 = change(
    right__einsum,
    (
        "allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]",
        "if allowed is not None:",
        "    scores = scores.masked_fill(allowed.logical_not(), torch.finfo(scores.dtype).min)",
        "weights = scores.softmax(-1)",
        "if allowed is not None:",
        "    weights = weights.masked_fill(allowed.logical_not(), 0)",
    ),
    ("weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed", ""),
)
wrong__softmax_over_queries__1 = change(right__unflatten, (", dim=-1", ", dim=-2"))
wrong__softmax_over_queries__2 = change(right__einsum, ("(-1)", "(-2)"))
wrong__no_scale__1 = change(right__unflatten, ("(-2, -1) / math.sqrt(self.d_key)", "(-2, -1)"))
wrong__no_scale__2 = change(
    right__einsum, (", self.scale = n_heads, d_key**-0.5", " = n_heads"),
    ('("...hqd,...hkd->...hqk", q, k) * self.scale', '("...hqd,...hkd->...hqk", q, k)'),
)
wrong__scale_by_d__1 = change(right__unflatten, ("math.sqrt(self.d_key)", "self.d_key"))
wrong__scale_by_d__2 = change(right__einsum, ("d_key**-0.5", "1 / d_key"))
wrong__scale_by_d_model__1 = change(right__unflatten, ("(self.d_key)", "(self.w_query.in_features)"))
wrong__scale_by_d_model__2 = change(right__einsum, ("d_key**-0", "d_model**-0"))
wrong__scale_multiplied__1 = change(right__unflatten, ("(-2, -1) /", "(-2, -1) *"))
wrong__scale_multiplied__2 = change(right__einsum, ("d_key**-0", "d_key**0"))
wrong__shared_projection__1 = change(right__unflatten, (".w_key(key)", ".w_query(key)"))
wrong__shared_projection__2 = change(right__einsum, (".w_key, key", ".w_query, key"))
wrong__heads_by_view__1 = change(
    right__unflatten,
    (
        "x.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)",
        "x.reshape(*x.shape[:-2], self.n_heads, x.shape[-2], -1)",
    ),
)
wrong__heads_by_view__2 = change(
    right__loop_over_heads,
    (
        ".chunk(self.n_heads, dim=-1)",
        ".contiguous().flatten(-2).unflatten(-1, (self.n_heads, x.shape[-2], -1)).unbind(-3)",
    ),
)
wrong__merge_by_view__1 = change(
    right__unflatten, (".transpose(-3, -2).flatten(-2)", ".reshape(*query.shape[:-3], query.shape[-2], -1)"),
)
wrong__merge_by_view__2 = change(
    right__loop_over_heads, ("torch.cat", "torch.stack"),
    ("outputs, dim=", "outputs, dim=-3).view(*query.shape[:-1], "),
    ("(all_weights, dim=-3)", "(", "    all_weights, dim=-3", ")"),
)
wrong__no_output_projection__1 = change(right__unflatten, ("self.w_out(output)", "output"))
wrong__no_output_projection__2 = change(right__einsum, ("self.w_out(mixed.flatten(-2))", "mixed.flatten(-2)"))
wrong__first_head_everywhere__1 = change(right__unflatten, ("weights @", "weights[..., :1, :, :] @"))
wrong__first_head_everywhere__2 = change(
    right__einsum, ('"...hqk,...hkv->...qhv", weights', '"...qk,...hkv->...qhv", weights[..., 0, :, :]'),
)
wrong__first_head_everywhere__returned_too_1 = change(
    right__unflatten, ("output =", "weights = weights[..., :1, :, :].expand(weights.shape)", "output ="),
)
wrong__first_head_everywhere__returned_too_2 = change(
    right__loop_over_heads, ("outputs.", "weights = all_weights[0] if all_weights else weights", "outputs."),
)
wrong__cross_ignores_context__1 = change(
    right__unflatten, ("query if key is None else key", "value = query"),
    ("value = key if value is None else value", ""),
)

class natural__mask_inverted__1(nn.Module):
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
        batch, n_queries, n_keys = query.shape[:-2], query.shape[-2], key.shape[-2]
        query = self.w_query(query).reshape(*batch, n_queries, self.n_heads, self.d_key).transpose(-3, -2)
        key = self.w_key(key).reshape(*batch, n_keys, self.n_heads, self.d_key).transpose(-3, -2)
        value = self.w_value(value).reshape(*batch, n_keys, self.n_heads, self.d_value).transpose(-3, -2)
        scores = torch.matmul(query, key.transpose(-2, -1)) / self.d_key**0.5
        if allowed is not None:
            scores = scores.masked_fill(allowed.unsqueeze(-3), -math.inf)
        weights = F.softmax(scores, dim=-1)
        output = torch.matmul(weights, value)
        output = output.transpose(-3, -2).reshape(*batch, n_queries, self.n_heads * self.d_value)
        return self.w_out(output), weights

class natural__cross_ignores_context__1(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query
        value = query
        batch, n_queries, n_keys = query.shape[:-2], query.shape[-2], key.shape[-2]
        query = self.w_query(query).reshape(*batch, n_queries, self.n_heads, self.d_key).transpose(-3, -2)
        key = self.w_key(key).reshape(*batch, n_keys, self.n_heads, self.d_key).transpose(-3, -2)
        value = self.w_value(value).reshape(*batch, n_keys, self.n_heads, self.d_value).transpose(-3, -2)
        scores = torch.matmul(query, key.transpose(-2, -1)) / self.d_key**0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = F.softmax(scores, dim=-1)
        output = torch.matmul(weights, value)
        output = output.transpose(-3, -2).reshape(*batch, n_queries, self.n_heads * self.d_value)
        return self.w_out(output), weights

natural__mask_scores_to_zero__1 = change(
    natural__mask_inverted__1, (".masked_fill(allowed.unsqueeze(-3), -math.inf)", " * allowed.unsqueeze(-3)"),
)
natural__mask_tiny_fill__1 = change(natural__mask_inverted__1, ("allowed.", "~allowed."), ("math.inf", "10"))
natural__mask_added_as_01__1 = change(natural__mask_scores_to_zero__1, ("* allowed", "+ allowed"))
natural__mask_no_head_axis__1 = change(natural__mask_inverted__1, ("allowed.unsqueeze(-3)", "~allowed"))
natural__softmax_over_queries__2 = change(
    natural__mask_tiny_fill__1, ("(-3), -10", "(-3), -1e9"), (", dim=-1", ", dim=2"),
)
natural__softmax_over_queries__1 = change(
    natural__mask_inverted__1, ("allowed.", "~allowed."), (", dim=-1", ", dim=-2"),
)
natural__no_scale__1 = change(
    natural__mask_tiny_fill__1,
    ("(query, key.transpose(-2, -1)) / self.d_key**0.5", "(query, key.transpose(-2, -1))"),
    ("(-3), -10", "(-3), -1e9"),
)
natural__scale_by_d__1 = change(natural__mask_inverted__1, (".d_key**0.5", ".d_key"), ("allowed.", "~allowed."))
natural__scale_by_d_model__1 = change(
    natural__mask_inverted__1, (".d_key**0", ".w_out.out_features**0"), ("allowed.", "~allowed."),
)
natural__scale_multiplied__1 = change(
    natural__scale_by_d__1, ("/ self.d_key", "* self.d_key**0.5"), ("math.inf", "1e9"),
)
natural__shared_projection__1 = change(
    natural__mask_inverted__1, (".w_key(key)", ".w_query(key)"), ("allowed.", "~allowed."),
)
natural__heads_by_view__1 = change(
    natural__mask_inverted__1,
    (
        "(*batch, n_queries, self.n_heads, self.d_key).transpose(-3, -2)",
        "(*batch, self.n_heads, n_queries, self.d_key)",
    ),
    ("(*batch, n_keys, self.n_heads, self.d_key).transpose(-3, -2)", "(*batch, self.n_heads, n_keys, self.d_key)"),
    (
        "(*batch, n_keys, self.n_heads, self.d_value).transpose(-3, -2)",
        "(*batch, self.n_heads, n_keys, self.d_value)",
    ),
    ("allowed.", "~allowed."),
)
natural__heads_by_view__2 = change(natural__heads_by_view__1, (".transpose(-3, -2)", ""))
natural__merge_by_view__1 = change(
    natural__mask_inverted__1, ("allowed.", "~allowed."), (".transpose(-3, -2).", "."),
)
natural__no_output_projection__1 = change(
    natural__mask_tiny_fill__1, ("(-3), -10", "(-3), -1e9"), ("self.w_out(output)", "output"),
)
natural__first_head_everywhere__1 = change(
    natural__mask_inverted__1, ("allowed.", "~allowed."), ("weights,", "weights[..., 0:1, :, :],"),
)

class extra__other_names(nn.Module):
    """Layers under torch's names."""

    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.q_proj = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.k_proj = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.v_proj = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.out_proj = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def split(self, x):
        return x.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        query, key, value = (
            self.split(self.q_proj(query)),
            self.split(self.k_proj(key)),
            self.split(self.v_proj(value)),
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.out_proj(output), weights

class extra__layers_per_head(nn.Module):
    """A list of small layers for each role: their weights have other names."""

    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.ModuleList(nn.Linear(d_model, self.d_key, bias=False) for _ in range(n_heads))
        self.w_key = nn.ModuleList(nn.Linear(d_model, self.d_key, bias=False) for _ in range(n_heads))
        self.w_value = nn.ModuleList(nn.Linear(d_model, self.d_value, bias=False) for _ in range(n_heads))
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def split(self, x):
        return x.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        query, key, value = (
            torch.stack([layer(query) for layer in self.w_query], -3),
            torch.stack([layer(key) for layer in self.w_key], -3),
            torch.stack([layer(value) for layer in self.w_value], -3),
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights

class extra__torch_inside(nn.Module):
    """nn.MultiheadAttention inside: no layers of the names asked for."""

    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.inner = nn.MultiheadAttention(d_model, n_heads, bias=False, batch_first=True)

    def split(self, x):
        return x.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        return self.inner(
            query, key, value, attn_mask=None if allowed is None else ~allowed, average_attn_weights=False
        )

class extra__one_head(nn.Module):
    """The heads are never split."""

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
            layer(x).unsqueeze(-3)
            for layer, x in ((self.w_query, query), (self.w_key, key), (self.w_value, value))
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights

class extra__value_not_projected(nn.Module):
    """V = X, split into heads."""

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
        query, key, value = self.split(self.w_query(query)), self.split(self.w_key(key)), self.split(value)
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights

# The weights are not returned.
extra__weights_forgotten = change(right__unflatten, (", weights", ""))
# (weights, output).
extra__return_order_swapped = change(extra__weights_forgotten, ("return self", "return weights, self"))
# The weights are averaged over the heads, as nn.MultiheadAttention returns them.
extra__weights_averaged = change(right__unflatten, (", weights", ", weights.mean(dim=-3)"))
# Only the last head's weights come back.
extra__weights_of_last_head = change(right__loop_over_heads, ("torch.stack(all_weights, dim=-3)", "weights"))
# Layers with biases: weights without them cannot be loaded.
extra__bias_added = change(
    right__unflatten,
    (
        ".w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)",
        ".w_query = nn.Linear(d_model, n_heads * self.d_key)",
    ),
    (
        ".w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)",
        ".w_key = nn.Linear(d_model, n_heads * self.d_key)",
    ),
    (".d_value, bias=False", ".d_value"), ("d_model, bias=False", "d_model"),
)
# A bias in the output projection.
extra__bias_added__output = change(right__unflatten, ("d_model, bias=False", "d_model"))
# d_key of all heads together.
extra__widths_not_multiplied = change(
    right__unflatten,
    (
        ".w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)",
        ".w_query = nn.Linear(d_model, self.d_key, bias=False)",
    ),
    (
        ".w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)",
        ".w_key = nn.Linear(d_model, self.d_key, bias=False)",
    ),
    (", n_heads * self.d_value", ", self.d_value"), ("n_heads * self.d_value, d_model", "self.d_value, d_model"),
)
# d_model / n_heads whatever d_key and d_value are.
extra__d_key_ignored = change(right__unflatten, ("d_key or d_model", "d_model"), ("d_value or d_model", "d_model"))
# d_value takes d_key's value.
extra__d_value_as_d_key = change(
    right__unflatten, (", self.d_value", ""), (", d_value or d_model // n_heads", "", "self.d_value = self.d_key"),
)
# Every head is as wide as the model by default.
extra__default_d_model = change(
    right__unflatten, ("d_model // n_heads, d_value or d_model // n_heads", "d_model, d_value or d_model"),
)
# n_heads and d_model in the other order.
extra__arguments_exchanged = change(right__unflatten, ("d_model, n_heads,", "n_heads, d_model,"))
# d_key and d_value have no defaults.
extra__sizes_required = change(right__unflatten, ("=None, d_value=None", ", d_value"))
# super().__init__() is not called.
extra__super_forgotten = change(right__unflatten, ("super().__init__()", ""))
# The method has another name.
extra__forward_forgotten = change(right__unflatten, ("def forward", "def attend"))
# forward takes x and a mask only.
extra__function_signature = change(wrong__cross_ignores_context__1, ("key=None, value=None, allowed", "allowed"))
# The mask before key and value.
extra__mask_second = change(right__unflatten, (", key=None", ", allowed=None, key=None"), (", allowed=None", ""))
# Without a value the query is used as value.
extra__value_defaults_to_query = change(
    right__unflatten, ("key = query if key", "value = query if value"), ("else key", "else value"),
    ("value = key if value", "key = query if key"), ("else value", "else key"),
)
# The value argument is ignored: the key is the value.
wrong__value_ignored__1 = change(right__unflatten, ("key if value is None else value", "key"))
# The key argument is ignored where a value is given.
extra__key_from_value = change(right__unflatten, ("value = key", "key = value = key"))
# Key and value are exchanged where both are given.
extra__key_and_value_exchanged = change(right__unflatten, ("(key)", "(value)"), ("(value)", "(key)"))
# The keys come from the query, the values from the value: an error unless the lengths agree.
extra__cross_ignores_context__key = change(right__unflatten, ("(key)", "(query)"))
# Queries from the context.
extra__roles_swapped = change(
    right__unflatten, ("query, key,", "query, key, value = key, query, query", "query, key,"),
)
# The layers of query and key are exchanged.
extra__layers_exchanged = change(wrong__shared_projection__1, (".w_query(query)", ".w_key(query)"))
# The root of the number of heads.
extra__scale_by_n_heads = change(right__unflatten, ("(self.d_key)", "(self.n_heads)"))
# The root of the projected width, n_heads·d_key.
extra__scale_by_d_model__projected = change(right__unflatten, ("(self.d_key)", "(self.n_heads * self.d_key)"))
# The root of d_model / n_heads, whatever d_key is.
extra__scale_assumed = change(right__unflatten, ("(self.d_key)", "(self.w_query.in_features / self.n_heads)"))
# The root of d_value.
extra__scale_wrong_axis__values = change(right__unflatten, ("(self.d_key)", "(self.d_value)"))
# Split by strides.
extra__heads_interleaved = change(
    right__unflatten, ("(-1, (self.n_heads, -1)).transpose(-3, -2)", "(-1, (-1, self.n_heads)).movedim(-1, -3)"),
)
# Merged by strides.
extra__merge_interleaved = change(right__unflatten, (".transpose(-3, -2).", ".movedim(-3, -1)."))
# Split and merged by view.
extra__heads_by_view__throughout = change(
    wrong__heads_by_view__1, (".transpose(-3, -2).flatten(-2)", ".reshape(*query.shape[:-3], query.shape[-2], -1)"),
)
# The mean of the heads, repeated to the width that w_out takes.
extra__heads_averaged = change(
    right__unflatten,
    (
        "(weights @ value).transpose(-3, -2).flatten(-2)",
        "torch.cat([(weights @ value).mean(-3)] * self.n_heads, dim=-1)",
    ),
)
# Every head mixes the first head's values.
extra__first_head_everywhere__values = change(
    right__unflatten, ("weights @ value", "weights @ value[..., :1, :, :]"),
)
# The values made with the key's layer.
extra__shared_projection__value = change(right__unflatten, (".w_value(value)", ".w_key(value)"))
# w_out twice: an error unless it is square.
extra__output_projection_twice = change(right__unflatten, ("(output)", "(self.w_out(output))"))
# The query is added to the output, as in a block.
extra__residual_added = change(
    right__unflatten, ("query, key,", "x = query", "query, key,"), ("(output)", "(output) + x"),
)
# The scores are the weights.
extra__softmax_missing = change(
    right__unflatten, ("-math.inf", "0"), ("torch.nan_to_num(F.softmax(scores, dim=-1))", "scores"),
)
# exp without the shift, and only rows of nothing are looked after.
extra__softmax_overflows__not_cleaned = change(
    right__unflatten,
    (".nan_to_num(F.softmax(scores, dim=-1))", ".exp(scores)", "total = weights.sum(-1, keepdim=True)"),
    ("output =", "weights = weights / torch.where(total == 0, 1, total)", "output ="),
)
# exp without the shift.
extra__softmax_overflows = change(
    right__unflatten, ("F.softmax(scores, dim=-1)", "torch.exp(scores) / torch.exp(scores).sum(-1, keepdim=True)"),
)
# One softmax over each head's matrix.
extra__softmax_over_everything = change(
    right__unflatten, ("(F.softmax(scores, dim=-1))", "(F.softmax(scores.flatten(-2), dim=-1)).view(scores.shape)"),
)
# The first axis is taken as the tokens, and turned back.
extra__batch_as_sequence = change(
    right__unflatten,
    (
        "query, key,",
        "batched = query.dim() > 2",
        "if batched:",
        "    query, key, value = query.transpose(0, -2), key.transpose(0, -2), value.transpose(0, -2)",
        "query, key,",
    ),
    ("(-2)", "(-2)", "output = self.w_out(output)"),
    ("self.w_out(output)", "(output.transpose(0, -2) if batched else output)"),
)
# The first two axes are exchanged, and exchanged back, as for nn.MultiheadAttention without batch_first.
extra__batch_as_sequence__first_two_axes = change(
    right__unflatten,
    (
        "query, key,",
        "query, key, value = query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1)",
        "query, key,",
    ),
    ("(output)", "(output).transpose(0, 1)"),
)
# x @ weight for the output: an error unless it is square.
extra__output_projection_transposed = change(
    right__unflatten, ("return self.w_out(output)", "return output @ self.w_out.weight"),
)
# The weights are rounded to the best key in evaluation.
extra__evaluation_differs = change(
    right__unflatten,
    (
        "output =",
        "if not self.training:",
        "    weights = F.one_hot(weights.argmax(-1), weights.shape[-1]).to(weights.dtype)",
        "output =",
    ),
)
# The first item's mask for the whole batch.
extra__mask_first_item_for_all = change(
    right__unflatten,
    (
        "scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)",
        "scores = scores.masked_fill(",
        "    ~(allowed[:1] if allowed.dim() > 2 else allowed).unsqueeze(-3), -math.inf",
        ")",
    ),
)
# unsqueeze(1): right only for a mask of three axes.
extra__mask_head_axis_second = change(right__unflatten, ("(-3), -math", "(1), -math"))
# The mask is transposed: an error unless there are as many queries as keys.
extra__mask_on_queries = change(right__unflatten, ("~allowed", "~allowed.mT"))
# The mask is left out in cross-attention.
extra__mask_self_only = change(right__unflatten, ("not None", "not None and scores.shape[-1] == scores.shape[-2]"))
# A query that may attend to nothing attends to everything.
extra__mask_fully_ignored = change(right__unflatten, ("~allowed", "(~allowed & allowed.any(-1, keepdim=True))"))
# None is not provided for: an error without a mask.
extra__mask_required = change(
    right__unflatten, ("if allowed is not None:", "scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)"),
    ("scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)", ""),
)
# A causal mask nobody asked for.
extra__always_causal = change(
    right__unflatten,
    (
        "weights =",
        "scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -math.inf)",
        "weights =",
    ),
)
# Dropout, switched off in evaluation only.
extra__dropout_in_training = change(
    right__unflatten, ("self.w_query =", "self.dropout = nn.Dropout(0.1)", "self.w_query ="),
    (
        "torch.nan_to_num(F.softmax(scores, dim=-1))",
        "self.dropout(torch.nan_to_num(F.softmax(scores, dim=-1)))",
    ),
)
# The context is cut from the graph: the encoder would not learn.
extra__gradient_misses_context = change(
    right__unflatten, ("(key)", "(key.detach())"), ("(value)", "(value.detach())"),
)
# The weights are cut from the graph.
extra__gradient_misses_weights = change(
    right__unflatten, ("(F.softmax(scores, dim=-1))", "(F.softmax(scores, dim=-1)).detach()"),
)
# The layer is scaled in place: each call changes it.
extra__weights_changed = change(
    wrong__no_scale__1, ("query, key,", "self.w_query.weight.data /= math.sqrt(self.d_key)", "query, key,"),
)
# An error without a batch axis and with two.
extra__three_axes_only = change(right__unflatten, ("query, key,", "_, _, _ = query.shape", "query, key,"))
# float32 inside and cast back.
extra__float64_rounded = change(
    right__unflatten,
    (
        "scores = query",
        "dtype = query.dtype",
        "query, key, value = query.float(), key.float(), value.float()",
        "scores = query",
    ),
    ("(output), weights", "(output.to(dtype)), weights.to(dtype)"),
)

class forbidden__MultiheadAttention(nn.Module):
    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.inner = nn.MultiheadAttention(d_model, n_heads, bias=False, batch_first=True)

    def forward(self, query, key=None, value=None, allowed=None):
        key = query if key is None else key
        value = key if value is None else value
        blocked = None if allowed is None else (~allowed).repeat_interleave(self.inner.num_heads, dim=0)
        return self.inner(query, key, value, attn_mask=blocked, average_attn_weights=False)
# A value that is left out is the key, cut off.
extra__value_detached = change(right__unflatten, ("value = key if", "value = key.detach() if"))


wrong__key_not_transposed__1 = change(right__unflatten, ("key.transpose(-2, -1)", "key"))

# Two mistakes at once.
double__no_scale__and_mask_ignored = change(wrong__mask_ignored__1, (" / math.sqrt(self.d_key)", ""))
double__no_output_projection__and_no_scale = change(
    right__unflatten,
    (" / math.sqrt(self.d_key)", ""),
    ("return self.w_out(output)", "return output"),
)
double__scale_by_d__and_mask_no_head_axis = change(
    right__unflatten,
    ("math.sqrt(self.d_key)", "self.d_key"),
    ("allowed.unsqueeze(-3)", "allowed"),
)
double__cross_ignores_context__and_mask_ignored = change(
    wrong__mask_ignored__1,
    ("key = query if key is None else key", "key = query"),
)

# Along the second batch axis, the first mask is taken for all.
extra__mask_of_one_batch_axis = change(
    right__unflatten, ("~allowed", "~(allowed[:, :1] if allowed.dim() == 4 else allowed)")
)
# The blocked weights are set to 0 after the softmax, and the others divided by what is left.
wrong__mask_after_renormalised__1 = change(
    right__unflatten,
    ("scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)", "pass"),
    (
        "torch.nan_to_num(F.softmax(scores, dim=-1))",
        "F.softmax(scores, dim=-1)",
        "if allowed is not None:",
        "    weights = weights * allowed.unsqueeze(-3)",
        "    weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)",
    ),
)

# Every head looks at the channels of head 0.
wrong__first_columns_for_all__1 = change(
    right__unflatten,
    (
        "return x.unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)",
        "head = x.chunk(self.n_heads, -1)[0]",
        "return torch.stack([head] * self.n_heads, -3)",
    ),
)
# The weights of the heads are stacked in front of the batch.
wrong__heads_axis_first__1 = change(
    right__unflatten,
    ("return self.w_out(output), weights", "return self.w_out(output), torch.stack(weights.unbind(-3))"),
)
# The tokens themselves are cut into heads.
wrong__no_projection__1 = change(
    right__unflatten,
    ("self.split(self.w_query(query))", "self.split(query)"),
    ("self.split(self.w_key(key))", "self.split(key)"),
    ("self.split(self.w_value(value))", "self.split(value)"), ("math.sqrt(self.d_key)", "math.sqrt(key.shape[-1])"),
)
# d_value is forgotten: the values are sliced like the keys.
wrong__value_cut_by_d_key__1 = change(
    right__unflatten,
    ("self.split(self.w_value(value))", "self.w_value(value).split(self.d_key, dim=-1)[: self.n_heads]"),
    (
        "output = (weights @ value).transpose(-3, -2).flatten(-2)",
        "output = torch.cat([w @ v for w, v in zip(weights.unbind(-3), value)], -1)",
    ),
)
