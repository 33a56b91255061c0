"""Wrong answers, as classes, to the module `EncoderBlock` of notebook 08."""

# ruff: noqa: N801 - the name of an answer says what it is, whether function or class

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_attention import MultiHeadAttention
from tests.answers.gather import gather


class wrong__EncoderBlock__softmax_over_queries__1(nn.Module):
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
        weights = torch.nan_to_num(F.softmax(scores, dim=-2))
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class wrong__EncoderBlock__softmax_over_queries__2(nn.Module):
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
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-2) * allowed
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        added = x + F.linear(mixed, self.attention.w_out.weight)
        x = F.layer_norm(added, (self.d_model,), self.norm_1.weight, self.norm_1.bias)
        first, _, second = self.feed_forward
        added = x + F.linear(F.relu(F.linear(x, first.weight, first.bias)), second.weight, second.bias)
        return F.layer_norm(added, (self.d_model,), self.norm_2.weight, self.norm_2.bias)


class wrong__EncoderBlock__scale_multiplied__1(nn.Module):
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
        scores = query @ key.transpose(-2, -1) * math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class wrong__EncoderBlock__scale_multiplied__2(nn.Module):
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
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** 0.5
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        added = x + F.linear(mixed, self.attention.w_out.weight)
        x = F.layer_norm(added, (self.d_model,), self.norm_1.weight, self.norm_1.bias)
        first, _, second = self.feed_forward
        added = x + F.linear(F.relu(F.linear(x, first.weight, first.bias)), second.weight, second.bias)
        return F.layer_norm(added, (self.d_model,), self.norm_2.weight, self.norm_2.bias)


class wrong__EncoderBlock__pre_norm__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(self.norm_1(x), allowed=allowed)
        x = x + attended
        return x + self.feed_forward(self.norm_2(x))


class wrong__EncoderBlock__pre_norm__2(nn.Module):
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
        y = F.layer_norm(x, (self.d_model,), self.norm_1.weight, self.norm_1.bias)
        q, k, v = (
            torch.einsum("...nc,hdc->...hnd", y, layer.weight.unflatten(0, (self.n_heads, -1)))
            for layer in (self.attention.w_query, self.attention.w_key, self.attention.w_value)
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** -0.5
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        x = x + F.linear(mixed, self.attention.w_out.weight)
        y = F.layer_norm(x, (self.d_model,), self.norm_2.weight, self.norm_2.bias)
        first, _, second = self.feed_forward
        return x + F.linear(F.relu(F.linear(y, first.weight, first.bias)), second.weight, second.bias)


class wrong__EncoderBlock__no_residual__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(attended)
        return self.norm_2(self.feed_forward(x))


class wrong__EncoderBlock__no_residual__2(nn.Module):
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
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        added = F.linear(mixed, self.attention.w_out.weight)
        x = F.layer_norm(added, (self.d_model,), self.norm_1.weight, self.norm_1.bias)
        first, _, second = self.feed_forward
        added = F.linear(F.relu(F.linear(x, first.weight, first.bias)), second.weight, second.bias)
        return F.layer_norm(added, (self.d_model,), self.norm_2.weight, self.norm_2.bias)


class wrong__EncoderBlock__no_residual__3(nn.Module):
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
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = self.norm_1(self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class wrong__EncoderBlock__no_residual__4(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(self.feed_forward(x))


class wrong__EncoderBlock__detached__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x)).detach()


class wrong__EncoderBlock__detached__2(nn.Module):
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
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    @torch.no_grad()
    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class wrong__EncoderBlock__detached__3(nn.Module):
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
        x = x.data
        q, k, v = (
            torch.einsum("...nc,hdc->...hnd", x, layer.weight.data.unflatten(0, (self.n_heads, -1)))
            for layer in (self.attention.w_query, self.attention.w_key, self.attention.w_value)
        )
        scores = torch.einsum("...hqd,...hkd->...hqk", q, k) * q.shape[-1] ** -0.5
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        added = x + F.linear(mixed, self.attention.w_out.weight.data)
        x = F.layer_norm(added, (self.d_model,), self.norm_1.weight.data, self.norm_1.bias.data)
        first, _, second = self.feed_forward
        added = x + F.linear(
            F.relu(F.linear(x, first.weight.data, first.bias.data)), second.weight.data, second.bias.data
        )
        return F.layer_norm(added, (self.d_model,), self.norm_2.weight.data, self.norm_2.bias.data)


class wrong__EncoderBlock__input_changed__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x += attended
        x = self.norm_1(x)
        return self.norm_2(x + self.feed_forward(x))


class wrong__EncoderBlock__input_changed__2(nn.Module):
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
            scores = scores.masked_fill(allowed.logical_not_(), -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class wrong__EncoderBlock__input_changed__3(nn.Module):
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
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        added = x.add_(F.linear(mixed, self.attention.w_out.weight))
        x = F.layer_norm(added, (self.d_model,), self.norm_1.weight, self.norm_1.bias)
        first, _, second = self.feed_forward
        added = x + F.linear(F.relu(F.linear(x, first.weight, first.bias)), second.weight, second.bias)
        return F.layer_norm(added, (self.d_model,), self.norm_2.weight, self.norm_2.bias)


class wrong__EncoderBlock__wrong_device__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        if allowed is None:
            allowed = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool)
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class wrong__EncoderBlock__wrong_device__2(nn.Module):
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
        scores = query @ key.transpose(-2, -1) / torch.tensor([key.shape[-1]], dtype=x.dtype).sqrt()
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class wrong__EncoderBlock__wrong_dtype__1(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x)).float()


class wrong__EncoderBlock__wrong_dtype__2(nn.Module):
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
        weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed
        mixed = torch.einsum("...hqk,...hkd->...qhd", weights, v).flatten(-2)
        added = x + F.linear(mixed, self.attention.w_out.weight)
        x = F.layer_norm(added, (self.d_model,), self.norm_1.weight, self.norm_1.bias)
        first, _, second = self.feed_forward
        added = x + F.linear(F.relu(F.linear(x, first.weight, first.bias)), second.weight, second.bias)
        return F.layer_norm(
            added.float(), (self.d_model,), self.norm_2.weight.float(), self.norm_2.bias.float()
        )


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
