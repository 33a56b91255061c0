"""Wrong answers beyond the table, in form and arguments, to the module `MultiHeadAttention` of notebook 04."""

# ruff: noqa: N801 - the name of an answer says what it is, whether function or class

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from tests.answers.gather import gather


class extra__MultiHeadAttention__weights_forgotten(nn.Module):
    """The weights are not returned."""

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
        return self.w_out(output)


class extra__MultiHeadAttention__return_order_swapped(nn.Module):
    """(weights, output)."""

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
        return weights, self.w_out(output)


class extra__MultiHeadAttention__weights_averaged(nn.Module):
    """The weights are averaged over the heads, as nn.MultiheadAttention returns them."""

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
        return self.w_out(output), weights.mean(dim=-3)


class extra__MultiHeadAttention__weights_of_last_head(nn.Module):
    """Only the last head's weights come back."""

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
        return self.w_out(torch.cat(outputs, dim=-1)), weights


class extra__MultiHeadAttention__bias_added(nn.Module):
    """Layers with biases: weights without them cannot be loaded."""

    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model)

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


class extra__MultiHeadAttention__bias_added__output(nn.Module):
    """A bias in the output projection."""

    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model)

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


class extra__MultiHeadAttention__other_names(nn.Module):
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


class extra__MultiHeadAttention__layers_per_head(nn.Module):
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


class extra__MultiHeadAttention__torch_inside(nn.Module):
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


class extra__MultiHeadAttention__widths_not_multiplied(nn.Module):
    """d_key of all heads together."""

    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, self.d_value, bias=False)
        self.w_out = nn.Linear(self.d_value, d_model, bias=False)

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


class extra__MultiHeadAttention__d_key_ignored(nn.Module):
    """d_model / n_heads whatever d_key and d_value are."""

    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_model // n_heads, d_model // n_heads
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


class extra__MultiHeadAttention__d_value_as_d_key(nn.Module):
    """d_value takes d_key's value."""

    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key = d_key or d_model // n_heads
        self.d_value = self.d_key
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


class extra__MultiHeadAttention__default_d_model(nn.Module):
    """Every head is as wide as the model by default."""

    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model, d_value or d_model
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


class extra__MultiHeadAttention__arguments_exchanged(nn.Module):
    """n_heads and d_model in the other order."""

    def __init__(self, n_heads, d_model, d_key=None, d_value=None):
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


class extra__MultiHeadAttention__sizes_required(nn.Module):
    """d_key and d_value have no defaults."""

    def __init__(self, d_model, n_heads, d_key, d_value):
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


class extra__MultiHeadAttention__super_forgotten(nn.Module):
    """super().__init__() is not called."""

    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
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


class extra__MultiHeadAttention__forward_forgotten(nn.Module):
    """The method has another name."""

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

    def attend(self, query, key=None, value=None, allowed=None):
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


class extra__MultiHeadAttention__function_signature(nn.Module):
    """forward takes x and a mask only."""

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

    def forward(self, query, allowed=None):
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


class extra__MultiHeadAttention__mask_second(nn.Module):
    """The mask before key and value."""

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

    def forward(self, query, allowed=None, key=None, value=None):
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


class extra__MultiHeadAttention__value_defaults_to_query(nn.Module):
    """Without a value the query is used as value."""

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
        value = query if value is None else value
        key = query if key is None else key
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


class extra__MultiHeadAttention__value_from_key(nn.Module):
    """The value argument is ignored: the key is the value."""

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
        value = key
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


class extra__MultiHeadAttention__key_from_value(nn.Module):
    """The key argument is ignored where a value is given."""

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
        key = value = key if value is None else value
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


class extra__MultiHeadAttention__key_and_value_exchanged(nn.Module):
    """Key and value are exchanged where both are given."""

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
            self.split(self.w_key(value)),
            self.split(self.w_value(key)),
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__cross_ignores_context__key(nn.Module):
    """The keys come from the query, the values from the value: an error unless the lengths agree."""

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
            self.split(self.w_key(query)),
            self.split(self.w_value(value)),
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__roles_swapped(nn.Module):
    """Queries from the context."""

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
        query, key, value = key, query, query
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


class extra__MultiHeadAttention__layers_exchanged(nn.Module):
    """The layers of query and key are exchanged."""

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
            self.split(self.w_key(query)),
            self.split(self.w_query(key)),
            self.split(self.w_value(value)),
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
