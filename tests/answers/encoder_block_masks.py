"""Wrong about the mask, to the module `EncoderBlock` of notebook 08, and some with a second mistake."""

# ruff: noqa: N801 - the name of an answer says what it is, whether function or class

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_attention import MultiHeadAttention
from tests.answers.gather import gather


class wrong__EncoderBlock__mask_inverted__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=None if allowed is None else ~allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class wrong__EncoderBlock__mask_inverted__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def attend(self, x, allowed):
        layers = self.attention.w_query, self.attention.w_key, self.attention.w_value
        query, key, value = (w(x).unflatten(-1, (self.n_heads, -1)).transpose(-3, -2) for w in layers)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores.masked_fill(allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class wrong__EncoderBlock__mask_ignored__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class wrong__EncoderBlock__mask_ignored__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )

    def forward(self, x, allowed=None):
        q, k, v = (
            torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))
            for layer in (self.attention.w_query, self.attention.w_key, self.attention.w_value)
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** -0.5
        weights = scores.softmax(-1)
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        added = x + F.linear(mixed, self.attention.w_out.weight)
        x = F.layer_norm(added, (self.d_model,), self.norm_1.weight, self.norm_1.bias)
        first, _, second = self.feed_forward
        added = x + F.linear(F.relu(F.linear(x, first.weight, first.bias)), second.weight, second.bias)
        return F.layer_norm(added, (self.d_model,), self.norm_2.weight, self.norm_2.bias)


class wrong__EncoderBlock__mask_ignored__3(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def attend(self, x, allowed):
        layers = self.attention.w_query, self.attention.w_key, self.attention.w_value
        query, key, value = (w(x).unflatten(-1, (self.n_heads, -1)).transpose(-3, -2) for w in layers)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class wrong__EncoderBlock__mask_after_softmax__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def attend(self, x, allowed):
        layers = self.attention.w_query, self.attention.w_key, self.attention.w_value
        query, key, value = (w(x).unflatten(-1, (self.n_heads, -1)).transpose(-3, -2) for w in layers)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            weights = F.softmax(scores, dim=-1) * allowed
        else:
            weights = F.softmax(scores, dim=-1)
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class wrong__EncoderBlock__mask_after_softmax__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )

    def forward(self, x, allowed=None):
        q, k, v = (
            torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))
            for layer in (self.attention.w_query, self.attention.w_key, self.attention.w_value)
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** -0.5
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.softmax(scores, dim=-1).masked_fill(~allowed, 0)
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        added = x + F.linear(mixed, self.attention.w_out.weight)
        x = F.layer_norm(added, (self.d_model,), self.norm_1.weight, self.norm_1.bias)
        first, _, second = self.feed_forward
        added = x + F.linear(F.relu(F.linear(x, first.weight, first.bias)), second.weight, second.bias)
        return F.layer_norm(added, (self.d_model,), self.norm_2.weight, self.norm_2.bias)


class wrong__EncoderBlock__mask_scores_to_zero__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def attend(self, x, allowed):
        layers = self.attention.w_query, self.attention.w_key, self.attention.w_value
        query, key, value = (w(x).unflatten(-1, (self.n_heads, -1)).transpose(-3, -2) for w in layers)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores * allowed
        weights = F.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights * allowed.any(-1, keepdim=True)
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class wrong__EncoderBlock__mask_scores_to_zero__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )

    def forward(self, x, allowed=None):
        q, k, v = (
            torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))
            for layer in (self.attention.w_query, self.attention.w_key, self.attention.w_value)
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** -0.5
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = scores.masked_fill(~allowed, 0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        added = x + F.linear(mixed, self.attention.w_out.weight)
        x = F.layer_norm(added, (self.d_model,), self.norm_1.weight, self.norm_1.bias)
        first, _, second = self.feed_forward
        added = x + F.linear(F.relu(F.linear(x, first.weight, first.bias)), second.weight, second.bias)
        return F.layer_norm(added, (self.d_model,), self.norm_2.weight, self.norm_2.bias)


class wrong__EncoderBlock__mask_tiny_fill__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def attend(self, x, allowed):
        layers = self.attention.w_query, self.attention.w_key, self.attention.w_value
        query, key, value = (w(x).unflatten(-1, (self.n_heads, -1)).transpose(-3, -2) for w in layers)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores.masked_fill(~allowed, -10)
        weights = F.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights * allowed.any(-1, keepdim=True)
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class wrong__EncoderBlock__mask_tiny_fill__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )

    def forward(self, x, allowed=None):
        q, k, v = (
            torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))
            for layer in (self.attention.w_query, self.attention.w_key, self.attention.w_value)
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** -0.5
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = (
            torch.where(allowed, scores, -10.0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
        )
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        added = x + F.linear(mixed, self.attention.w_out.weight)
        x = F.layer_norm(added, (self.d_model,), self.norm_1.weight, self.norm_1.bias)
        first, _, second = self.feed_forward
        added = x + F.linear(F.relu(F.linear(x, first.weight, first.bias)), second.weight, second.bias)
        return F.layer_norm(added, (self.d_model,), self.norm_2.weight, self.norm_2.bias)


class wrong__EncoderBlock__mask_added_as_01__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def attend(self, x, allowed):
        layers = self.attention.w_query, self.attention.w_key, self.attention.w_value
        query, key, value = (w(x).unflatten(-1, (self.n_heads, -1)).transpose(-3, -2) for w in layers)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores + allowed
        weights = F.softmax(scores, dim=-1)
        if allowed is not None:
            weights = weights * allowed.any(-1, keepdim=True)
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class wrong__EncoderBlock__mask_added_as_01__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )

    def forward(self, x, allowed=None):
        q, k, v = (
            torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))
            for layer in (self.attention.w_query, self.attention.w_key, self.attention.w_value)
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** -0.5
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = (
            scores.add(allowed.type_as(scores)).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)
        )
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        added = x + F.linear(mixed, self.attention.w_out.weight)
        x = F.layer_norm(added, (self.d_model,), self.norm_1.weight, self.norm_1.bias)
        first, _, second = self.feed_forward
        added = x + F.linear(F.relu(F.linear(x, first.weight, first.bias)), second.weight, second.bias)
        return F.layer_norm(added, (self.d_model,), self.norm_2.weight, self.norm_2.bias)


class wrong__EncoderBlock__mask_fully_nan__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def attend(self, x, allowed):
        layers = self.attention.w_query, self.attention.w_key, self.attention.w_value
        query, key, value = (w(x).unflatten(-1, (self.n_heads, -1)).transpose(-3, -2) for w in layers)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = F.softmax(scores, dim=-1)
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class wrong__EncoderBlock__mask_fully_nan__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )

    def forward(self, x, allowed=None):
        q, k, v = (
            torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))
            for layer in (self.attention.w_query, self.attention.w_key, self.attention.w_value)
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** -0.5
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = (scores + torch.where(allowed, 0.0, -math.inf).to(scores.dtype)).softmax(-1)
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        added = x + F.linear(mixed, self.attention.w_out.weight)
        x = F.layer_norm(added, (self.d_model,), self.norm_1.weight, self.norm_1.bias)
        first, _, second = self.feed_forward
        added = x + F.linear(F.relu(F.linear(x, first.weight, first.bias)), second.weight, second.bias)
        return F.layer_norm(added, (self.d_model,), self.norm_2.weight, self.norm_2.bias)


class wrong__EncoderBlock__mask_fully_uniform__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def attend(self, x, allowed):
        layers = self.attention.w_query, self.attention.w_key, self.attention.w_value
        query, key, value = (w(x).unflatten(-1, (self.n_heads, -1)).transpose(-3, -2) for w in layers)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores.masked_fill(~allowed, -1e9)
        weights = F.softmax(scores, dim=-1)
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class wrong__EncoderBlock__mask_fully_uniform__2(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.d_model, self.n_heads = d_model, n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )

    def forward(self, x, allowed=None):
        q, k, v = (
            torch.einsum("...nc,hdc->...hnd", x, layer.weight.unflatten(0, (self.n_heads, -1)))
            for layer in (self.attention.w_query, self.attention.w_key, self.attention.w_value)
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** -0.5
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1)
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        added = x + F.linear(mixed, self.attention.w_out.weight)
        x = F.layer_norm(added, (self.d_model,), self.norm_1.weight, self.norm_1.bias)
        first, _, second = self.feed_forward
        added = x + F.linear(F.relu(F.linear(x, first.weight, first.bias)), second.weight, second.bias)
        return F.layer_norm(added, (self.d_model,), self.norm_2.weight, self.norm_2.bias)


class natural__EncoderBlock__mask_inverted__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def attend(self, x, allowed):
        layers = self.attention.w_query, self.attention.w_key, self.attention.w_value
        query, key, value = (w(x).unflatten(-1, (self.n_heads, -1)).transpose(-3, -2) for w in layers)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores.masked_fill(allowed, -math.inf)
        weights = F.softmax(scores, dim=-1)
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class natural__EncoderBlock__mask_scores_to_zero__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def attend(self, x, allowed):
        layers = self.attention.w_query, self.attention.w_key, self.attention.w_value
        query, key, value = (w(x).unflatten(-1, (self.n_heads, -1)).transpose(-3, -2) for w in layers)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores * allowed
        weights = F.softmax(scores, dim=-1)
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class natural__EncoderBlock__pre_norm__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def attend(self, x, allowed):
        layers = self.attention.w_query, self.attention.w_key, self.attention.w_value
        query, key, value = (w(x).unflatten(-1, (self.n_heads, -1)).transpose(-3, -2) for w in layers)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = F.softmax(scores, dim=-1)
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = x + self.attend(self.norm_1(x), allowed)
        return x + self.feed_forward(self.norm_2(x))


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
