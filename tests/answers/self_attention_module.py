"""Right answers, as classes, to the module `SelfAttention` of notebook 03."""

# ruff: noqa: N801 - the name of an answer says what it is, whether function or class

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from tests.answers.gather import gather


class right__SelfAttention__matmul(nn.Module):
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
        return weights @ value, weights


class right__SelfAttention__einsum(nn.Module):
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
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        return torch.einsum("...qk,...kv->...qv", weights, value), weights


class right__SelfAttention__one_product(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        layers = (self.w_query, self.w_key, self.w_value)
        stacked = torch.cat([layer.weight for layer in layers])
        query, key, value = F.linear(x, stacked).split([layer.out_features for layer in layers], dim=-1)
        scores = (query / math.sqrt(key.shape[-1])) @ key.mT
        if allowed is not None:
            scores = torch.where(allowed, scores, -math.inf)
        weights = scores.softmax(dim=-1).nan_to_num(nan=0.0)
        return [weights @ value, weights]


class right__SelfAttention__helper_methods(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def scores(self, x):
        return self.w_query(x).matmul(self.w_key(x).transpose(-1, -2)) * self.w_key.out_features**-0.5

    def weights(self, x, allowed):
        scores = self.scores(x)
        if allowed is None:
            return scores.softmax(-1)
        return (
            scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).softmax(-1).masked_fill(~allowed, 0)
        )

    def forward(self, x, allowed=None):
        weights = self.weights(x, allowed)
        return weights.matmul(self.w_value(x)), weights


class right__SelfAttention__loop_over_queries(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        queries, key, value, outputs, rows = self.w_query(x), self.w_key(x), self.w_value(x), [], []
        for i in range(x.shape[-2]):
            row = (queries[..., i : i + 1, :] * key).sum(-1) / math.sqrt(key.shape[-1])
            if allowed is not None:
                mask = allowed.expand(*x.shape[:-1], x.shape[-2])[..., i, :]
                row = row.masked_fill(~mask, -torch.inf)
            rows.append(row.softmax(-1).nan_to_num())
            outputs.append((rows[-1].unsqueeze(-1) * value).sum(-2))
        return torch.stack(outputs, -2), torch.stack(rows, -2)


class right__SelfAttention__interaction_matrix(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        mixing = self.w_query.weight.T @ self.w_key.weight / math.sqrt(self.w_key.out_features)
        scores = x @ mixing @ x.transpose(-2, -1)
        if allowed is not None:
            scores = scores.masked_fill(allowed.logical_not(), torch.finfo(scores.dtype).min)
        parts = torch.exp(scores - scores.amax(-1, keepdim=True))
        weights = parts / parts.sum(-1, keepdim=True)
        if allowed is not None:
            weights = weights * allowed
        return self.w_value(weights @ x), weights


class right__SelfAttention__own_attention_method(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    @staticmethod
    def attend(query, key, value, allowed):
        scores = query @ key.mT / key.size(-1) ** 0.5
        if allowed is not None:
            scores = scores + torch.zeros_like(scores).masked_fill(
                ~allowed, torch.finfo(scores.dtype).min / 2
            )
        weights = scores.softmax(-1)
        if allowed is not None:
            weights = weights.masked_fill(~allowed, 0)
        return weights @ value, weights

    def forward(self, x, allowed=None):
        return self.attend(self.w_query(x), self.w_key(x), self.w_value(x), allowed)


class right__SelfAttention__softmax_in_float32(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        query, key, value = self.w_query(x), self.w_key(x), self.w_value(x)
        wide = torch.promote_types(x.dtype, torch.float32)
        scores = query.to(wide) @ key.to(wide).mT / math.sqrt(query.shape[-1])
        if allowed is not None:
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = scores.softmax(-1).nan_to_num()
        return (weights @ value.to(wide)).to(x.dtype), weights.to(x.dtype)


class odd__SelfAttention__torch_sdpa(nn.Module):
    """torch's own function gives the output."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        q, k, v = self.w_query(x), self.w_key(x), self.w_value(x)
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if allowed is None:
            return F.scaled_dot_product_attention(q, k, v), scores.softmax(-1)
        some = allowed.any(-1, keepdim=True)
        weights = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        return F.scaled_dot_product_attention(q, k, v, attn_mask=allowed | ~some) * some, weights


class odd__SelfAttention__renamed(nn.Module):
    """Arguments with names of its own, and a docstring; no call of super() by name."""

    def __init__(self, d_in, d_k, d_v):
        nn.Module.__init__(self)
        self.w_value = nn.Linear(d_in, d_v, bias=False)
        self.w_key = nn.Linear(d_in, d_k, bias=False)
        self.w_query = nn.Linear(d_in, d_k, bias=False)

    def forward(self, tokens, mask=None):
        s = self.w_query(tokens) @ self.w_key(tokens).mT / math.sqrt(self.w_key.weight.shape[0])
        w = (s if mask is None else s.masked_fill(~mask, -math.inf)).softmax(-1).nan_to_num()
        return w @ self.w_value(tokens), w


class odd__SelfAttention__more_arguments(nn.Module):
    """Arguments more, with defaults: a dropout of 0, and the mask by name only."""

    def __init__(self, d_model, d_key, d_value, dropout=0.0):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, *, allowed=None, scale=None):
        scale = self.w_key.out_features**-0.5 if scale is None else scale
        s = self.w_query(x) @ self.w_key(x).mT * scale
        w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
        return self.dropout(w) @ self.w_value(x), w


class odd__SelfAttention__remembers(nn.Module):
    """Keeps the last weights, prints, and starts its weights with a method of its own."""

    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)
        self.register_buffer("root", torch.tensor(d_key, dtype=torch.float64).sqrt(), persistent=False)
        self.last = None
        self.apply(self.start)

    def start(self, module):
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)

    def forward(self, x, allowed=None):
        s = self.w_query(x) @ self.w_key(x).mT / self.root.item()
        w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
        self.last = w.detach()
        print(w.shape)
        return w @ self.w_value(x), w


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
