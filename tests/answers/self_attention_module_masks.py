"""Wrong about the mask, and as beginners write them, to the module `SelfAttention` of notebook 03."""

# ruff: noqa: N801 - the name of an answer says what it is, whether function or class

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from tests.answers.gather import gather


class wrong__SelfAttention__mask_inverted__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return weights @ value, weights


class wrong__SelfAttention__mask_inverted__2(nn.Module):
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
        blocked = torch.zeros_like(scores, dtype=torch.bool) if allowed is None else allowed
        weights = torch.where(blocked, torch.finfo(scores.dtype).min, scores).softmax(-1) * ~blocked
        return torch.einsum("...qk,...kv->...qv", weights, value), weights


class wrong__SelfAttention__mask_ignored__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        weights = F.softmax(scores, dim=-1)
        return weights @ value, weights


class wrong__SelfAttention__mask_ignored__2(nn.Module):
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
        if allowed is not None:
            scores.masked_fill(~allowed, float("-inf"))
        weights = torch.softmax(scores, dim=-1).nan_to_num()
        return torch.einsum("...qk,...kv->...qv", weights, value), weights


class wrong__SelfAttention__mask_after_softmax__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        weights = F.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights * allowed
        return weights @ value, weights


class wrong__SelfAttention__mask_after_softmax__2(nn.Module):
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
        weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))
        if allowed is not None:
            weights = weights.masked_fill(~allowed, 0.0)
        return torch.einsum("...qk,...kv->...qv", weights, value), weights


class wrong__SelfAttention__mask_scores_to_zero__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is None:
            weights = F.softmax(scores, dim=-1)
        else:
            weights = F.softmax(scores * allowed, dim=-1) * allowed.any(-1, keepdim=True)
        return weights @ value, weights


class wrong__SelfAttention__mask_scores_to_zero__2(nn.Module):
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
        weights = scores.masked_fill(~allowed, 0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
        return torch.einsum("...qk,...kv->...qv", weights, value), weights


class wrong__SelfAttention__mask_tiny_fill__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is None:
            weights = F.softmax(scores, dim=-1)
        else:
            weights = F.softmax(scores.masked_fill(~allowed, -10), dim=-1) * allowed.any(-1, keepdim=True)
        return weights @ value, weights


class wrong__SelfAttention__mask_tiny_fill__2(nn.Module):
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
        weights = torch.where(allowed, scores, -10.0).softmax(-1) * allowed.any(-1, keepdim=True)
        return torch.einsum("...qk,...kv->...qv", weights, value), weights


class wrong__SelfAttention__mask_added_as_01__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is None:
            weights = F.softmax(scores, dim=-1)
        else:
            weights = F.softmax(scores + allowed, dim=-1) * allowed.any(-1, keepdim=True)
        return weights @ value, weights


class wrong__SelfAttention__mask_added_as_01__2(nn.Module):
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
        weights = scores.add(allowed.type_as(scores)).softmax(-1) * allowed.any(-1, keepdim=True)
        return torch.einsum("...qk,...kv->...qv", weights, value), weights


class wrong__SelfAttention__mask_fully_nan__1(nn.Module):
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
        weights = F.softmax(scores, dim=-1)
        return weights @ value, weights


class wrong__SelfAttention__mask_fully_nan__2(nn.Module):
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
        if allowed is not None:
            scores = scores + torch.where(allowed, 0.0, -math.inf).to(scores.dtype)
        parts = torch.exp(scores - scores.amax(-1, keepdim=True))
        weights = parts / parts.sum(-1, keepdim=True)
        return torch.einsum("...qk,...kv->...qv", weights, value), weights


class wrong__SelfAttention__mask_fully_uniform__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -1e9)
        weights = F.softmax(scores, dim=-1)
        return weights @ value, weights


class wrong__SelfAttention__mask_fully_uniform__2(nn.Module):
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
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1)
        return torch.einsum("...qk,...kv->...qv", weights, value), weights


class natural__SelfAttention__mask_inverted__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.d_key = d_key
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query = self.w_query(x)
        key = self.w_key(x)
        value = self.w_value(x)
        scores = torch.matmul(query, key.mT) / self.d_key**0.5
        if allowed is not None:
            scores = scores.masked_fill(allowed, -math.inf)
        weights = F.softmax(scores, dim=-1)
        return torch.matmul(weights, value), weights


class natural__SelfAttention__mask_inverted__2(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.d_key = d_key
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query = self.w_query(x)
        key = self.w_key(x)
        value = self.w_value(x)
        scores = torch.matmul(query, key.mT) / self.d_key**0.5
        if allowed is not None:
            scores = scores.masked_fill(allowed, -1e9)
        weights = F.softmax(scores, dim=-1)
        return torch.matmul(weights, value), weights


class natural__SelfAttention__mask_scores_to_zero__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.d_key = d_key
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query = self.w_query(x)
        key = self.w_key(x)
        value = self.w_value(x)
        scores = torch.matmul(query, key.mT) / self.d_key**0.5
        if allowed is not None:
            scores = scores * allowed
        weights = F.softmax(scores, dim=-1)
        return torch.matmul(weights, value), weights


class natural__SelfAttention__mask_tiny_fill__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.d_key = d_key
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query = self.w_query(x)
        key = self.w_key(x)
        value = self.w_value(x)
        scores = torch.matmul(query, key.mT) / self.d_key**0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -10)
        weights = F.softmax(scores, dim=-1)
        return torch.matmul(weights, value), weights


class natural__SelfAttention__mask_added_as_01__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.d_key = d_key
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query = self.w_query(x)
        key = self.w_key(x)
        value = self.w_value(x)
        scores = torch.matmul(query, key.mT) / self.d_key**0.5
        if allowed is not None:
            scores = scores + allowed
        weights = F.softmax(scores, dim=-1)
        return torch.matmul(weights, value), weights


class natural__SelfAttention__softmax_over_queries__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.d_key = d_key
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query = self.w_query(x)
        key = self.w_key(x)
        value = self.w_value(x)
        scores = torch.matmul(query, key.mT) / self.d_key**0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = F.softmax(scores, dim=-2)
        return torch.matmul(weights, value), weights


class natural__SelfAttention__softmax_over_queries__2(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.d_key = d_key
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query = self.w_query(x)
        key = self.w_key(x)
        value = self.w_value(x)
        scores = torch.matmul(query, key.mT) / self.d_key**0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -1e9)
        weights = F.softmax(scores, dim=1)
        return torch.matmul(weights, value), weights


class natural__SelfAttention__no_scale__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.d_key = d_key
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query = self.w_query(x)
        key = self.w_key(x)
        value = self.w_value(x)
        scores = torch.matmul(query, key.mT)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = F.softmax(scores, dim=-1)
        return torch.matmul(weights, value), weights


class natural__SelfAttention__no_scale__2(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.d_key = d_key
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query = self.w_query(x)
        key = self.w_key(x)
        value = self.w_value(x)
        scores = torch.matmul(query, key.mT)
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -1e9)
        weights = F.softmax(scores, dim=-1)
        return torch.matmul(weights, value), weights


class natural__SelfAttention__scale_by_d__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.d_key = d_key
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query = self.w_query(x)
        key = self.w_key(x)
        value = self.w_value(x)
        scores = torch.matmul(query, key.mT) / self.d_key
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = F.softmax(scores, dim=-1)
        return torch.matmul(weights, value), weights


class natural__SelfAttention__scale_multiplied__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.d_key = d_key
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query = self.w_query(x)
        key = self.w_key(x)
        value = self.w_value(x)
        scores = torch.matmul(query, key.mT) * self.d_key**0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -1e9)
        weights = F.softmax(scores, dim=-1)
        return torch.matmul(weights, value), weights


class natural__SelfAttention__value_not_projected__1(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.d_key = d_key
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query = self.w_query(x)
        key = self.w_key(x)
        value = x
        scores = torch.matmul(query, key.mT) / self.d_key**0.5
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -1e9)
        weights = F.softmax(scores, dim=-1)
        return torch.matmul(weights, value), weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
