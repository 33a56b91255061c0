"""Wrong answers as beginners write them to the module `MultiHeadAttention` of notebook 04."""

# ruff: noqa: N801 - the name of an answer says what it is, whether function or class

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from tests.answers.gather import gather


class natural__MultiHeadAttention__mask_inverted__1(nn.Module):
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


class natural__MultiHeadAttention__mask_scores_to_zero__1(nn.Module):
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
            scores = scores * allowed.unsqueeze(-3)
        weights = F.softmax(scores, dim=-1)
        output = torch.matmul(weights, value)
        output = output.transpose(-3, -2).reshape(*batch, n_queries, self.n_heads * self.d_value)
        return self.w_out(output), weights


class natural__MultiHeadAttention__mask_tiny_fill__1(nn.Module):
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
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -10)
        weights = F.softmax(scores, dim=-1)
        output = torch.matmul(weights, value)
        output = output.transpose(-3, -2).reshape(*batch, n_queries, self.n_heads * self.d_value)
        return self.w_out(output), weights


class natural__MultiHeadAttention__mask_added_as_01__1(nn.Module):
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
            scores = scores + allowed.unsqueeze(-3)
        weights = F.softmax(scores, dim=-1)
        output = torch.matmul(weights, value)
        output = output.transpose(-3, -2).reshape(*batch, n_queries, self.n_heads * self.d_value)
        return self.w_out(output), weights


class natural__MultiHeadAttention__mask_no_head_axis__1(nn.Module):
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
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = F.softmax(scores, dim=-1)
        output = torch.matmul(weights, value)
        output = output.transpose(-3, -2).reshape(*batch, n_queries, self.n_heads * self.d_value)
        return self.w_out(output), weights


class natural__MultiHeadAttention__softmax_over_queries__2(nn.Module):
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
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -1e9)
        weights = F.softmax(scores, dim=2)
        output = torch.matmul(weights, value)
        output = output.transpose(-3, -2).reshape(*batch, n_queries, self.n_heads * self.d_value)
        return self.w_out(output), weights


class natural__MultiHeadAttention__softmax_over_queries__1(nn.Module):
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
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = F.softmax(scores, dim=-2)
        output = torch.matmul(weights, value)
        output = output.transpose(-3, -2).reshape(*batch, n_queries, self.n_heads * self.d_value)
        return self.w_out(output), weights


class natural__MultiHeadAttention__no_scale__1(nn.Module):
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
        scores = torch.matmul(query, key.transpose(-2, -1))
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -1e9)
        weights = F.softmax(scores, dim=-1)
        output = torch.matmul(weights, value)
        output = output.transpose(-3, -2).reshape(*batch, n_queries, self.n_heads * self.d_value)
        return self.w_out(output), weights


class natural__MultiHeadAttention__scale_by_d__1(nn.Module):
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
        scores = torch.matmul(query, key.transpose(-2, -1)) / self.d_key
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = F.softmax(scores, dim=-1)
        output = torch.matmul(weights, value)
        output = output.transpose(-3, -2).reshape(*batch, n_queries, self.n_heads * self.d_value)
        return self.w_out(output), weights


class natural__MultiHeadAttention__scale_by_d_model__1(nn.Module):
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
        scores = torch.matmul(query, key.transpose(-2, -1)) / self.w_out.out_features**0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = F.softmax(scores, dim=-1)
        output = torch.matmul(weights, value)
        output = output.transpose(-3, -2).reshape(*batch, n_queries, self.n_heads * self.d_value)
        return self.w_out(output), weights


class natural__MultiHeadAttention__scale_multiplied__1(nn.Module):
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
        scores = torch.matmul(query, key.transpose(-2, -1)) * self.d_key**0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -1e9)
        weights = F.softmax(scores, dim=-1)
        output = torch.matmul(weights, value)
        output = output.transpose(-3, -2).reshape(*batch, n_queries, self.n_heads * self.d_value)
        return self.w_out(output), weights


class natural__MultiHeadAttention__shared_projection__1(nn.Module):
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
        key = self.w_query(key).reshape(*batch, n_keys, self.n_heads, self.d_key).transpose(-3, -2)
        value = self.w_value(value).reshape(*batch, n_keys, self.n_heads, self.d_value).transpose(-3, -2)
        scores = torch.matmul(query, key.transpose(-2, -1)) / self.d_key**0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = F.softmax(scores, dim=-1)
        output = torch.matmul(weights, value)
        output = output.transpose(-3, -2).reshape(*batch, n_queries, self.n_heads * self.d_value)
        return self.w_out(output), weights


class natural__MultiHeadAttention__heads_by_view__1(nn.Module):
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
        query = self.w_query(query).reshape(*batch, self.n_heads, n_queries, self.d_key)
        key = self.w_key(key).reshape(*batch, self.n_heads, n_keys, self.d_key)
        value = self.w_value(value).reshape(*batch, self.n_heads, n_keys, self.d_value)
        scores = torch.matmul(query, key.transpose(-2, -1)) / self.d_key**0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = F.softmax(scores, dim=-1)
        output = torch.matmul(weights, value)
        output = output.transpose(-3, -2).reshape(*batch, n_queries, self.n_heads * self.d_value)
        return self.w_out(output), weights


class natural__MultiHeadAttention__heads_by_view__2(nn.Module):
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
        query = self.w_query(query).reshape(*batch, self.n_heads, n_queries, self.d_key)
        key = self.w_key(key).reshape(*batch, self.n_heads, n_keys, self.d_key)
        value = self.w_value(value).reshape(*batch, self.n_heads, n_keys, self.d_value)
        scores = torch.matmul(query, key.transpose(-2, -1)) / self.d_key**0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = F.softmax(scores, dim=-1)
        output = torch.matmul(weights, value)
        output = output.reshape(*batch, n_queries, self.n_heads * self.d_value)
        return self.w_out(output), weights


class natural__MultiHeadAttention__merge_by_view__1(nn.Module):
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
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = F.softmax(scores, dim=-1)
        output = torch.matmul(weights, value)
        output = output.reshape(*batch, n_queries, self.n_heads * self.d_value)
        return self.w_out(output), weights


class natural__MultiHeadAttention__no_output_projection__1(nn.Module):
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
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -1e9)
        weights = F.softmax(scores, dim=-1)
        output = torch.matmul(weights, value)
        output = output.transpose(-3, -2).reshape(*batch, n_queries, self.n_heads * self.d_value)
        return output, weights


class natural__MultiHeadAttention__first_head_everywhere__1(nn.Module):
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
            scores = scores.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = F.softmax(scores, dim=-1)
        output = torch.matmul(weights[..., 0:1, :, :], value)
        output = output.transpose(-3, -2).reshape(*batch, n_queries, self.n_heads * self.d_value)
        return self.w_out(output), weights


class natural__MultiHeadAttention__cross_ignores_context__1(nn.Module):
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


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
