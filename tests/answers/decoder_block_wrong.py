"""Wrong answers, as classes, to the module `DecoderBlock` of notebook 08."""

# ruff: noqa: N801 - the name of an answer says what it is, whether function or class

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_attention import MultiHeadAttention
from tests.answers.gather import gather


class wrong__DecoderBlock__softmax_over_queries__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2, self.norm_3 = (nn.LayerNorm(d_model) for _ in range(3))

    def attend(self, layer, x, context, allowed):
        query, key, value = (
            w(tokens).unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)
            for w, tokens in ((layer.w_query, x), (layer.w_key, context), (layer.w_value, context))
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-2))
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__softmax_over_queries__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def heads(self, x, layer):
        return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))

    def mix(self, attention, x, context, allowed):
        q, k, v = (
            self.heads(x, attention.w_query),
            self.heads(context, attention.w_key),
            self.heads(context, attention.w_value),
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** -0.5
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-2) * allowed
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        return F.linear(mixed, attention.w_out.weight), weights

    def normed(self, norm, x):
        return F.layer_norm(x, (self.d_model,), norm.weight, norm.bias)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.normed(self.norm_1, x + self.mix(self.self_attention, x, x, allowed)[0])
        mixed, weights = self.mix(self.cross_attention, x, memory, memory_allowed)
        x = self.normed(self.norm_2, x + mixed)
        first, _, second = self.feed_forward
        hidden = F.relu(F.linear(x, first.weight, first.bias))
        return self.normed(self.norm_3, x + F.linear(hidden, second.weight, second.bias)), weights


class wrong__DecoderBlock__scale_multiplied__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2, self.norm_3 = (nn.LayerNorm(d_model) for _ in range(3))

    def attend(self, layer, x, context, allowed):
        query, key, value = (
            w(tokens).unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)
            for w, tokens in ((layer.w_query, x), (layer.w_key, context), (layer.w_value, context))
        )
        scores = query @ key.transpose(-2, -1) * math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__scale_multiplied__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def heads(self, x, layer):
        return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))

    def mix(self, attention, x, context, allowed):
        q, k, v = (
            self.heads(x, attention.w_query),
            self.heads(context, attention.w_key),
            self.heads(context, attention.w_value),
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** 0.5
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        return F.linear(mixed, attention.w_out.weight), weights

    def normed(self, norm, x):
        return F.layer_norm(x, (self.d_model,), norm.weight, norm.bias)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.normed(self.norm_1, x + self.mix(self.self_attention, x, x, allowed)[0])
        mixed, weights = self.mix(self.cross_attention, x, memory, memory_allowed)
        x = self.normed(self.norm_2, x + mixed)
        first, _, second = self.feed_forward
        hidden = F.relu(F.linear(x, first.weight, first.bias))
        return self.normed(self.norm_3, x + F.linear(hidden, second.weight, second.bias)), weights


class wrong__DecoderBlock__cross_ignores_context__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__cross_ignores_context__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def heads(self, x, layer):
        return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))

    def mix(self, attention, x, context, allowed):
        q, k, v = (
            self.heads(x, attention.w_query),
            self.heads(context, attention.w_key),
            self.heads(context, attention.w_value),
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** -0.5
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        return F.linear(mixed, attention.w_out.weight), weights

    def normed(self, norm, x):
        return F.layer_norm(x, (self.d_model,), norm.weight, norm.bias)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.normed(self.norm_1, x + self.mix(self.self_attention, x, x, allowed)[0])
        mixed, weights = self.mix(self.cross_attention, x, x, memory_allowed)
        x = self.normed(self.norm_2, x + mixed)
        first, _, second = self.feed_forward
        hidden = F.relu(F.linear(x, first.weight, first.bias))
        return self.normed(self.norm_3, x + F.linear(hidden, second.weight, second.bias)), weights


class wrong__DecoderBlock__pre_norm__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        attended, _ = self.self_attention(self.norm_1(x), allowed=allowed)
        x = x + attended
        attended, weights = self.cross_attention(self.norm_2(x), memory, allowed=memory_allowed)
        x = x + attended
        return x + self.feed_forward(self.norm_3(x)), weights


class wrong__DecoderBlock__pre_norm__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def heads(self, x, layer):
        return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))

    def mix(self, attention, x, context, allowed):
        q, k, v = (
            self.heads(x, attention.w_query),
            self.heads(context, attention.w_key),
            self.heads(context, attention.w_value),
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** -0.5
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        return F.linear(mixed, attention.w_out.weight), weights

    def normed(self, norm, x):
        return F.layer_norm(x, (self.d_model,), norm.weight, norm.bias)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        y = self.normed(self.norm_1, x)
        x = x + self.mix(self.self_attention, y, y, allowed)[0]
        mixed, weights = self.mix(self.cross_attention, self.normed(self.norm_2, x), memory, memory_allowed)
        x = x + mixed
        first, _, second = self.feed_forward
        hidden = F.relu(F.linear(self.normed(self.norm_3, x), first.weight, first.bias))
        return x + F.linear(hidden, second.weight, second.bias), weights


class wrong__DecoderBlock__no_residual__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(attended)
        return self.norm_3(self.feed_forward(x)), weights


class wrong__DecoderBlock__no_residual__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def heads(self, x, layer):
        return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))

    def mix(self, attention, x, context, allowed):
        q, k, v = (
            self.heads(x, attention.w_query),
            self.heads(context, attention.w_key),
            self.heads(context, attention.w_value),
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** -0.5
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        return F.linear(mixed, attention.w_out.weight), weights

    def normed(self, norm, x):
        return F.layer_norm(x, (self.d_model,), norm.weight, norm.bias)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.normed(self.norm_1, self.mix(self.self_attention, x, x, allowed)[0])
        mixed, weights = self.mix(self.cross_attention, x, memory, memory_allowed)
        x = self.normed(self.norm_2, mixed)
        first, _, second = self.feed_forward
        hidden = F.relu(F.linear(x, first.weight, first.bias))
        return self.normed(self.norm_3, F.linear(hidden, second.weight, second.bias)), weights


class wrong__DecoderBlock__no_residual__3(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2, self.norm_3 = (nn.LayerNorm(d_model) for _ in range(3))

    def attend(self, layer, x, context, allowed):
        query, key, value = (
            w(tokens).unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)
            for w, tokens in ((layer.w_query, x), (layer.w_key, context), (layer.w_value, context))
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__no_residual__4(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__no_residual__5(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(self.feed_forward(x)), weights


class wrong__DecoderBlock__cross_before_self__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__cross_before_self__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2, self.norm_3 = (nn.LayerNorm(d_model) for _ in range(3))

    def attend(self, layer, x, context, allowed):
        query, key, value = (
            w(tokens).unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)
            for w, tokens in ((layer.w_query, x), (layer.w_key, context), (layer.w_value, context))
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_1(x + output)
        x = self.norm_2(x + self.attend(self.self_attention, x, x, allowed)[0])
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__cross_before_self__3(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def heads(self, x, layer):
        return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))

    def mix(self, attention, x, context, allowed):
        q, k, v = (
            self.heads(x, attention.w_query),
            self.heads(context, attention.w_key),
            self.heads(context, attention.w_value),
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** -0.5
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        return F.linear(mixed, attention.w_out.weight), weights

    def normed(self, norm, x):
        return F.layer_norm(x, (self.d_model,), norm.weight, norm.bias)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        mixed, weights = self.mix(self.cross_attention, x, memory, memory_allowed)
        x = self.normed(self.norm_2, x + mixed)
        x = self.normed(self.norm_1, x + self.mix(self.self_attention, x, x, allowed)[0])
        first, _, second = self.feed_forward
        hidden = F.relu(F.linear(x, first.weight, first.bias))
        return self.normed(self.norm_3, x + F.linear(hidden, second.weight, second.bias)), weights


class wrong__DecoderBlock__masks_exchanged__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        attended, _ = self.self_attention(x, allowed=memory_allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__masks_exchanged__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__masks_exchanged__3(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def heads(self, x, layer):
        return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))

    def mix(self, attention, x, context, allowed):
        q, k, v = (
            self.heads(x, attention.w_query),
            self.heads(context, attention.w_key),
            self.heads(context, attention.w_value),
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** -0.5
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        return F.linear(mixed, attention.w_out.weight), weights

    def normed(self, norm, x):
        return F.layer_norm(x, (self.d_model,), norm.weight, norm.bias)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.normed(self.norm_1, x + self.mix(self.self_attention, x, x, memory_allowed)[0])
        mixed, weights = self.mix(self.cross_attention, x, memory, allowed)
        x = self.normed(self.norm_2, x + mixed)
        first, _, second = self.feed_forward
        hidden = F.relu(F.linear(x, first.weight, first.bias))
        return self.normed(self.norm_3, x + F.linear(hidden, second.weight, second.bias)), weights


class wrong__DecoderBlock__masks_exchanged__4(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def heads(self, x, layer):
        return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))

    def mix(self, attention, x, context, allowed):
        q, k, v = (
            self.heads(x, attention.w_query),
            self.heads(context, attention.w_key),
            self.heads(context, attention.w_value),
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** -0.5
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        return F.linear(mixed, attention.w_out.weight), weights

    def normed(self, norm, x):
        return F.layer_norm(x, (self.d_model,), norm.weight, norm.bias)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.normed(self.norm_1, x + self.mix(self.self_attention, x, x, allowed)[0])
        mixed, weights = self.mix(self.cross_attention, x, memory, allowed)
        x = self.normed(self.norm_2, x + mixed)
        first, _, second = self.feed_forward
        hidden = F.relu(F.linear(x, first.weight, first.bias))
        return self.normed(self.norm_3, x + F.linear(hidden, second.weight, second.bias)), weights


class wrong__DecoderBlock__detached__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)).detach(), weights.detach()


class wrong__DecoderBlock__detached__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2, self.norm_3 = (nn.LayerNorm(d_model) for _ in range(3))

    def attend(self, layer, x, context, allowed):
        query, key, value = (
            w(tokens).unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)
            for w, tokens in ((layer.w_query, x), (layer.w_key, context), (layer.w_value, context))
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    @torch.no_grad()
    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__input_changed__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        attended, _ = self.self_attention(x, allowed=allowed)
        x += attended
        x = self.norm_1(x)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__input_changed__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2, self.norm_3 = (nn.LayerNorm(d_model) for _ in range(3))

    def attend(self, layer, x, context, allowed):
        query, key, value = (
            w(tokens).unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)
            for w, tokens in ((layer.w_query, x), (layer.w_key, context), (layer.w_value, context))
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores.masked_fill(allowed.logical_not_(), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__input_changed__3(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        memory -= memory.mean(dim=-1, keepdim=True)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__wrong_device__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        if allowed is None:
            allowed = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool)
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__wrong_device__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2, self.norm_3 = (nn.LayerNorm(d_model) for _ in range(3))

    def attend(self, layer, x, context, allowed):
        query, key, value = (
            w(tokens).unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)
            for w, tokens in ((layer.w_query, x), (layer.w_key, context), (layer.w_value, context))
        )
        scores = query @ key.transpose(-2, -1) / torch.tensor([key.shape[-1]], dtype=x.dtype).sqrt()
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__wrong_dtype__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)).float(), weights.float()


class wrong__DecoderBlock__wrong_dtype__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def heads(self, x, layer):
        return torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))

    def mix(self, attention, x, context, allowed):
        q, k, v = (
            self.heads(x, attention.w_query),
            self.heads(context, attention.w_key),
            self.heads(context, attention.w_value),
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** -0.5
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        return F.linear(mixed, attention.w_out.weight), weights

    def normed(self, norm, x):
        return F.layer_norm(x, (self.d_model,), norm.weight, norm.bias)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.normed(self.norm_1, x + self.mix(self.self_attention, x, x, allowed)[0])
        mixed, weights = self.mix(self.cross_attention, x, memory, memory_allowed)
        x = self.normed(self.norm_2, x + mixed)
        first, _, second = self.feed_forward
        hidden = F.relu(F.linear(x, first.weight, first.bias))
        x = x + F.linear(hidden, second.weight, second.bias)
        last = self.norm_3.weight.float(), self.norm_3.bias.float()
        return F.layer_norm(x.float(), (self.d_model,), *last), weights.float()


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
