"""Wrong answers, as classes, to the module `SelfAttention` of notebook 03."""

# ruff: noqa: N801 - the name of an answer says what it is, whether function or class

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from tests.answers.gather import gather


class wrong__SelfAttention__softmax_over_queries__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-2))
        return weights @ value, weights


class wrong__SelfAttention__softmax_over_queries__2(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query, self.w_key = (nn.Linear(d_model, d_key, bias=False) for _ in range(2))
        self.w_value = nn.Linear(d_model, d_value, bias=False)
        self.scale = d_key**-0.5

    def forward(self, x, allowed=None):
        query = torch.einsum("...nc,dc->...nd", x, self.w_query.weight)
        key = torch.einsum("...nc,dc->...nd", x, self.w_key.weight)
        value = torch.einsum("...nc,vc->...nv", x, self.w_value.weight)
        scores = torch.einsum("...qd,...kd->...qk", query, key) * self.scale
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-2) * allowed
        return torch.einsum("...qk,...kv->...qv", weights, value), weights


class wrong__SelfAttention__no_scale__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class wrong__SelfAttention__no_scale__2(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query, self.w_key = (nn.Linear(d_model, d_key, bias=False) for _ in range(2))
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query = torch.einsum("...nc,dc->...nd", x, self.w_query.weight)
        key = torch.einsum("...nc,dc->...nd", x, self.w_key.weight)
        value = torch.einsum("...nc,vc->...nv", x, self.w_value.weight)
        scores = torch.einsum("...qd,...kd->...qk", query, key)
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        return torch.einsum("...qk,...kv->...qv", weights, value), weights


class wrong__SelfAttention__scale_by_d__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / key.shape[-1]
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class wrong__SelfAttention__scale_by_d__2(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query, self.w_key = (nn.Linear(d_model, d_key, bias=False) for _ in range(2))
        self.w_value = nn.Linear(d_model, d_value, bias=False)
        self.scale = 1 / d_key

    def forward(self, x, allowed=None):
        query = torch.einsum("...nc,dc->...nd", x, self.w_query.weight)
        key = torch.einsum("...nc,dc->...nd", x, self.w_key.weight)
        value = torch.einsum("...nc,vc->...nv", x, self.w_value.weight)
        scores = torch.einsum("...qd,...kd->...qk", query, key) * self.scale
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        return torch.einsum("...qk,...kv->...qv", weights, value), weights


class wrong__SelfAttention__scale_multiplied__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) * math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class wrong__SelfAttention__scale_multiplied__2(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query, self.w_key = (nn.Linear(d_model, d_key, bias=False) for _ in range(2))
        self.w_value = nn.Linear(d_model, d_value, bias=False)
        self.scale = d_key**0.5

    def forward(self, x, allowed=None):
        query = torch.einsum("...nc,dc->...nd", x, self.w_query.weight)
        key = torch.einsum("...nc,dc->...nd", x, self.w_key.weight)
        value = torch.einsum("...nc,vc->...nv", x, self.w_value.weight)
        scores = torch.einsum("...qd,...kd->...qk", query, key) * self.scale
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        return torch.einsum("...qk,...kv->...qv", weights, value), weights


class wrong__SelfAttention__value_not_projected__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), x
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class wrong__SelfAttention__value_not_projected__2(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query, self.w_key = (nn.Linear(d_model, d_key, bias=False) for _ in range(2))
        self.w_value = nn.Linear(d_model, d_value, bias=False)
        self.scale = d_key**-0.5

    def forward(self, x, allowed=None):
        query = torch.einsum("...nc,dc->...nd", x, self.w_query.weight)
        key = torch.einsum("...nc,dc->...nd", x, self.w_key.weight)
        scores = torch.einsum("...qd,...kd->...qk", query, key) * self.scale
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        return torch.einsum("...qk,...kc->...qc", weights, x), weights


class wrong__SelfAttention__detached__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return (weights @ value).detach(), weights.detach()


class wrong__SelfAttention__detached__2(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query, self.w_key = (nn.Linear(d_model, d_key, bias=False) for _ in range(2))
        self.w_value = nn.Linear(d_model, d_value, bias=False)
        self.scale = d_key**-0.5

    def forward(self, x, allowed=None):
        x = x.data
        query = torch.einsum("...nc,dc->...nd", x, self.w_query.weight.data)
        key = torch.einsum("...nc,dc->...nd", x, self.w_key.weight.data)
        value = torch.einsum("...nc,vc->...nv", x, self.w_value.weight.data)
        scores = torch.einsum("...qd,...kd->...qk", query, key) * self.scale
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        return torch.einsum("...qk,...kv->...qv", weights, value), weights


class wrong__SelfAttention__detached__3(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    @torch.no_grad()
    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class wrong__SelfAttention__input_changed__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        x -= x.mean()
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class wrong__SelfAttention__input_changed__2(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query, self.w_key = (nn.Linear(d_model, d_key, bias=False) for _ in range(2))
        self.w_value = nn.Linear(d_model, d_value, bias=False)
        self.scale = d_key**-0.5

    def forward(self, x, allowed=None):
        query = torch.einsum("...nc,dc->...nd", x, self.w_query.weight)
        key = torch.einsum("...nc,dc->...nd", x, self.w_key.weight)
        value = torch.einsum("...cn,vc->...nv", x.transpose_(-2, -1), self.w_value.weight)
        scores = torch.einsum("...qd,...kd->...qk", query, key) * self.scale
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        return torch.einsum("...qk,...kv->...qv", weights, value), weights


class wrong__SelfAttention__input_changed__3(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(allowed.logical_not_(), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class wrong__SelfAttention__wrong_device__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        scale = torch.tensor([self.w_key.out_features], dtype=x.dtype).sqrt()
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / scale
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class wrong__SelfAttention__wrong_device__2(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query, self.w_key = (nn.Linear(d_model, d_key, bias=False) for _ in range(2))
        self.w_value = nn.Linear(d_model, d_value, bias=False)
        self.scale = torch.full((1,), d_key**-0.5, dtype=torch.float64)

    def forward(self, x, allowed=None):
        query = torch.einsum("...nc,dc->...nd", x, self.w_query.weight)
        key = torch.einsum("...nc,dc->...nd", x, self.w_key.weight)
        value = torch.einsum("...nc,vc->...nv", x, self.w_value.weight)
        scores = torch.einsum("...qd,...kd->...qk", query, key) * self.scale.to(x.dtype)
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        return torch.einsum("...qk,...kv->...qv", weights, value), weights


class wrong__SelfAttention__wrong_device__3(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        if allowed is None:
            allowed = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool)
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class wrong__SelfAttention__wrong_dtype__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return (weights @ value).float(), weights.float()


class wrong__SelfAttention__wrong_dtype__2(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query, self.w_key = (nn.Linear(d_model, d_key, bias=False) for _ in range(2))
        self.w_value = nn.Linear(d_model, d_value, bias=False)
        self.scale = d_key**-0.5

    def forward(self, x, allowed=None):
        query = torch.einsum("...nc,dc->...nd", x, self.w_query.weight)
        key = torch.einsum("...nc,dc->...nd", x, self.w_key.weight)
        value = torch.einsum("...nc,vc->...nv", x, self.w_value.weight)
        scores = torch.einsum("...qd,...kd->...qk", query, key) * self.scale
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
        weights = (
            torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1).to(torch.float32)
            * allowed
        )
        return torch.einsum("...qk,...kv->...qv", weights, value.to(torch.float32)), weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
