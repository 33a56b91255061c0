"""Wrong about the masks, to the module `DecoderBlock` of notebook 08, and some with a second mistake."""

# ruff: noqa: N801 - the name of an answer says what it is, whether function or class

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_attention import MultiHeadAttention
from tests.answers.gather import gather


class wrong__DecoderBlock__mask_inverted__1(nn.Module):
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
        attended, _ = self.self_attention(x, allowed=None if allowed is None else ~allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(
            x, memory, allowed=None if memory_allowed is None else ~memory_allowed
        )
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__mask_inverted__2(nn.Module):
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
            scores = scores.masked_fill(allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__mask_inverted__3(nn.Module):
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
        attended, _ = self.self_attention(x, allowed=None if allowed is None else ~allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__mask_inverted__4(nn.Module):
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
        attended, weights = self.cross_attention(
            x, memory, allowed=None if memory_allowed is None else ~memory_allowed
        )
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__mask_ignored__1(nn.Module):
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
        attended, _ = self.self_attention(x)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__mask_ignored__2(nn.Module):
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
            scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__mask_ignored__3(nn.Module):
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
        attended, _ = self.self_attention(x)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__mask_ignored__4(nn.Module):
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
        attended, weights = self.cross_attention(x, memory)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__mask_after_softmax__1(nn.Module):
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
            weights = F.softmax(scores, dim=-1) * allowed
        else:
            weights = F.softmax(scores, dim=-1)
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__mask_after_softmax__2(nn.Module):
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
        weights = torch.softmax(scores, dim=-1).masked_fill(~allowed, 0)
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


class wrong__DecoderBlock__mask_scores_to_zero__1(nn.Module):
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
            scores = scores * allowed
        weights = F.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights * allowed.any(-1, keepdim=True)
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__mask_scores_to_zero__2(nn.Module):
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
        weights = scores.masked_fill(~allowed, 0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
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


class wrong__DecoderBlock__mask_tiny_fill__1(nn.Module):
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
            scores = scores.masked_fill(~allowed, -10)
        weights = F.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights * allowed.any(-1, keepdim=True)
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__mask_tiny_fill__2(nn.Module):
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
        weights = (
            torch.where(allowed, scores, -10.0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
        )
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


class wrong__DecoderBlock__mask_added_as_01__1(nn.Module):
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
            scores = scores + allowed
        weights = F.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights * allowed.any(-1, keepdim=True)
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__mask_added_as_01__2(nn.Module):
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
        weights = (
            scores.add(allowed.type_as(scores)).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
        )
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


class wrong__DecoderBlock__mask_fully_nan__1(nn.Module):
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
        weights = F.softmax(scores, dim=-1)
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__mask_fully_nan__2(nn.Module):
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
        weights = (scores + torch.where(allowed, 0.0, -math.inf).to(scores.dtype)).softmax(-1)
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


class wrong__DecoderBlock__mask_fully_uniform__1(nn.Module):
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
            scores = scores.masked_fill(~allowed, -1e9)
        weights = F.softmax(scores, dim=-1)
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


class wrong__DecoderBlock__mask_fully_uniform__2(nn.Module):
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
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1)
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


class natural__DecoderBlock__mask_inverted__1(nn.Module):
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
            scores = scores.masked_fill(allowed, -math.inf)
        weights = F.softmax(scores, dim=-1)
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


class natural__DecoderBlock__no_residual__1(nn.Module):
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
        weights = F.softmax(scores, dim=-1)
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(output)
        return self.norm_3(self.feed_forward(x)), weights


class natural__DecoderBlock__masks_exchanged__1(nn.Module):
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
        weights = F.softmax(scores, dim=-1)
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, memory_allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
