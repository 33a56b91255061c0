"""Wrong answers beyond the table, in the steps, to the module `MultiHeadAttention` of notebook 04."""

# ruff: noqa: N801 - the name of an answer says what it is, whether function or class

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from tests.answers.gather import gather


class extra__MultiHeadAttention__scale_by_n_heads(nn.Module):
    """The root of the number of heads."""

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
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.n_heads)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__scale_by_d_model__projected(nn.Module):
    """The root of the projected width, n_heads·d_key."""

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
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.n_heads * self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__scale_assumed(nn.Module):
    """The root of d_model / n_heads, whatever d_key is."""

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
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.w_query.in_features / self.n_heads)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__scale_wrong_axis__values(nn.Module):
    """The root of d_value."""

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
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_value)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__heads_interleaved(nn.Module):
    """Split by strides."""

    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.w_query = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_key = nn.Linear(d_model, n_heads * self.d_key, bias=False)
        self.w_value = nn.Linear(d_model, n_heads * self.d_value, bias=False)
        self.w_out = nn.Linear(n_heads * self.d_value, d_model, bias=False)

    def split(self, x):
        return x.unflatten(-1, (-1, self.n_heads)).movedim(-1, -3)

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


class extra__MultiHeadAttention__merge_interleaved(nn.Module):
    """Merged by strides."""

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
        output = (weights @ value).movedim(-3, -1).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__heads_by_view__throughout(nn.Module):
    """Split and merged by view."""

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
        output = (weights @ value).reshape(*query.shape[:-3], query.shape[-2], -1)
        return self.w_out(output), weights


class extra__MultiHeadAttention__one_head(nn.Module):
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


class extra__MultiHeadAttention__heads_averaged(nn.Module):
    """The mean of the heads, repeated to the width that w_out takes."""

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
        output = torch.cat([(weights @ value).mean(-3)] * self.n_heads, dim=-1)
        return self.w_out(output), weights


class extra__MultiHeadAttention__first_head_everywhere__values(nn.Module):
    """Every head mixes the first head's values."""

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
        output = (weights @ value[..., :1, :, :]).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__value_not_projected(nn.Module):
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


class extra__MultiHeadAttention__shared_projection__value(nn.Module):
    """The values made with the key's layer."""

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
            self.split(self.w_key(value)),
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__output_projection_twice(nn.Module):
    """w_out twice: an error unless it is square."""

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
        return self.w_out(self.w_out(output)), weights


class extra__MultiHeadAttention__residual_added(nn.Module):
    """The query is added to the output, as in a block."""

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
        x = query
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
        return self.w_out(output) + x, weights


class extra__MultiHeadAttention__softmax_missing(nn.Module):
    """The scores are the weights."""

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
            scores = scores.masked_fill(~allowed.unsqueeze(-3), 0)
        weights = scores
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__softmax_over_heads(nn.Module):
    """Softmax over the heads."""

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
        weights = torch.nan_to_num(F.softmax(scores, dim=-3))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__softmax_overflows__not_cleaned(nn.Module):
    """exp without the shift, and only rows of nothing are looked after."""

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
        weights = torch.exp(scores)
        total = weights.sum(-1, keepdim=True)
        weights = weights / torch.where(total == 0, 1, total)
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__softmax_over_everything(nn.Module):
    """One softmax over each head's matrix."""

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
        weights = torch.nan_to_num(F.softmax(scores.flatten(-2), dim=-1)).view(scores.shape)
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__batch_as_sequence(nn.Module):
    """The first axis is taken as the tokens, and turned back."""

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
        batched = query.dim() > 2
        if batched:
            query, key, value = query.transpose(0, -2), key.transpose(0, -2), value.transpose(0, -2)
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
        output = self.w_out(output)
        return (output.transpose(0, -2) if batched else output), weights


class extra__MultiHeadAttention__batch_as_sequence__first_two_axes(nn.Module):
    """The first two axes are exchanged, and exchanged back, as for nn.MultiheadAttention without batch_first."""

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
        query, key, value = query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1)
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
        return self.w_out(output).transpose(0, 1), weights


class extra__MultiHeadAttention__output_projection_transposed(nn.Module):
    """x @ weight for the output: an error unless it is square."""

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
        return output @ self.w_out.weight, weights


class extra__MultiHeadAttention__evaluation_differs(nn.Module):
    """The weights are rounded to the best key in evaluation."""

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
        if not self.training:
            weights = F.one_hot(weights.argmax(-1), weights.shape[-1]).to(weights.dtype)
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__mask_first_item_for_all(nn.Module):
    """The first item's mask for the whole batch."""

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
            scores = scores.masked_fill(
                ~(allowed[:1] if allowed.dim() > 2 else allowed).unsqueeze(-3), -math.inf
            )
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__softmax_overflows(nn.Module):
    """exp without the shift."""

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
        weights = torch.nan_to_num(torch.exp(scores) / torch.exp(scores).sum(-1, keepdim=True))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__mask_head_axis_second(nn.Module):
    """unsqueeze(1): right only for a mask of three axes."""

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
            scores = scores.masked_fill(~allowed.unsqueeze(1), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__mask_on_queries(nn.Module):
    """The mask is transposed: an error unless there are as many queries as keys."""

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
            scores = scores.masked_fill(~allowed.mT.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__mask_self_only(nn.Module):
    """The mask is left out in cross-attention."""

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
        if allowed is not None and scores.shape[-1] == scores.shape[-2]:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__mask_fully_ignored(nn.Module):
    """A query that may attend to nothing attends to everything."""

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
            scores = scores.masked_fill((~allowed & allowed.any(-1, keepdim=True)).unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__mask_required(nn.Module):
    """None is not provided for: an error without a mask."""

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
        scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__always_causal(nn.Module):
    """A causal mask nobody asked for."""

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
        scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__dropout_in_training(nn.Module):
    """Dropout, switched off in evaluation only."""

    def __init__(self, d_model, n_heads, d_key=None, d_value=None):
        super().__init__()
        self.n_heads = n_heads
        self.d_key, self.d_value = d_key or d_model // n_heads, d_value or d_model // n_heads
        self.dropout = nn.Dropout(0.1)
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
        weights = self.dropout(torch.nan_to_num(F.softmax(scores, dim=-1)))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__gradient_misses_context(nn.Module):
    """The context is cut from the graph: the encoder would not learn."""

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
            self.split(self.w_key(key.detach())),
            self.split(self.w_value(value.detach())),
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__gradient_misses_weights(nn.Module):
    """The weights are cut from the graph."""

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
        weights = torch.nan_to_num(F.softmax(scores, dim=-1)).detach()
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output), weights


class extra__MultiHeadAttention__weights_changed(nn.Module):
    """The layer is scaled in place: each call changes it."""

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
        self.w_query.weight.data /= math.sqrt(self.d_key)
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


class extra__MultiHeadAttention__three_axes_only(nn.Module):
    """An error without a batch axis and with two."""

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
        _, _, _ = query.shape
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


class extra__MultiHeadAttention__float64_rounded(nn.Module):
    """float32 inside and cast back."""

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
        dtype = query.dtype
        query, key, value = query.float(), key.float(), value.float()
        scores = query @ key.transpose(-2, -1) / math.sqrt(self.d_key)
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        output = (weights @ value).transpose(-3, -2).flatten(-2)
        return self.w_out(output.to(dtype)), weights.to(dtype)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
