"""Right answers, as classes, to the module `EncoderBlock` of notebook 08."""

# ruff: noqa: N801 - the name of an answer says what it is, whether function or class

from __future__ import annotations

import collections
import math

import torch
import torch.nn.functional as F
from torch import nn

from course_attention import MultiHeadAttention, multi_head_attention
from tests.answers.gather import gather


class right__EncoderBlock__layers(nn.Module):
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
        return self.norm_2(x + self.feed_forward(x))


class right__EncoderBlock__attention_by_hand(nn.Module):
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
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class right__EncoderBlock__functions(nn.Module):
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
        return F.layer_norm(added, (self.d_model,), self.norm_2.weight, self.norm_2.bias)


class right__EncoderBlock__norm_by_hand(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def normalise(self, norm, x):
        centred = x - x.mean(dim=-1, keepdim=True)
        variance = (centred * centred).mean(dim=-1, keepdim=True)
        return centred / torch.sqrt(variance + norm.eps) * norm.weight + norm.bias

    def forward(self, x, allowed=None):
        wide = torch.promote_types(x.dtype, torch.float32)
        y = self.normalise(self.norm_1, (x + self.attention(x, x, x, allowed)[0]).to(wide)).to(x.dtype)
        return self.normalise(self.norm_2, (y + self.feed_forward(y)).to(wide)).to(x.dtype)


class right__EncoderBlock__loop_over_sublayers(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        def attend(tokens):
            return self.attention(tokens, allowed=allowed)[0]

        for sublayer, norm in ((attend, self.norm_1), (self.feed_forward, self.norm_2)):
            x = norm(x + sublayer(x))
        return x


class right__EncoderBlock__added_in_place_to_its_own(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        output = self.attention(x, key=x, value=x, allowed=allowed)[0]
        output += x
        output = self.norm_1(output)
        hidden = self.feed_forward[0](output).clamp(min=0)
        return self.norm_2(torch.add(self.feed_forward[2](hidden), output))


class right__EncoderBlock__heads_one_by_one(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1, self.norm_2 = (nn.LayerNorm(d_model) for _ in range(2))
        grow, shrink = nn.Linear(d_model, d_hidden), nn.Linear(d_hidden, d_model)
        self.feed_forward = nn.Sequential(grow, nn.ReLU(), shrink)
        self.n_heads, self.d_head = n_heads, d_model // n_heads

    def forward(self, x, allowed=None):
        total = x
        layers = self.attention.w_query, self.attention.w_key, self.attention.w_value
        parts = zip(*(layer(x).split(self.d_head, dim=-1) for layer in layers), strict=True)
        for head, (q, k, v) in enumerate(parts):
            scores = q @ k.mT / self.d_head**0.5
            if allowed is not None:
                scores = torch.where(allowed, scores, -torch.inf)
            channels = slice(head * self.d_head, (head + 1) * self.d_head)
            mixed = scores.softmax(dim=-1).nan_to_num(nan=0.0) @ v
            total = total + mixed @ self.attention.w_out.weight[:, channels].T
        x = self.norm_1(total)
        return self.norm_2(x + self.feed_forward(x))


class odd__EncoderBlock__renamed(nn.Module):
    """Arguments with names of its own, and the layers in another order."""

    def __init__(self, dim, heads, hidden):
        super().__init__()
        self.norm_2 = nn.LayerNorm(dim)
        self.feed_forward = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, dim))
        self.norm_1 = nn.LayerNorm(dim)
        self.attention = MultiHeadAttention(dim, heads, dim // heads, dim // heads)

    def forward(self, tokens, mask=None):
        y = self.norm_1(tokens + self.attention(tokens, allowed=mask)[0])
        return self.norm_2(y + self.feed_forward(y))


class odd__EncoderBlock__more_arguments(nn.Module):
    """Arguments more, with defaults, dropout of nothing inside, and the mask by name only."""

    def __init__(self, d_model, n_heads, d_hidden, dropout=0.0, eps=1e-5):
        super().__init__()
        if d_model % n_heads:
            raise ValueError("n_heads must divide d_model")
        self.attention = MultiHeadAttention(d_model=d_model, n_heads=n_heads)
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model, eps=eps), nn.LayerNorm((d_model,), eps=eps)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden),
            nn.ReLU(inplace=True),
            nn.Linear(d_hidden, d_model),
            nn.Dropout(dropout),
        )
        self.dropout, self.weights = nn.Dropout(dropout), None

    def forward(self, x, *, allowed=None):
        attended, weights = self.attention(x, allowed=allowed)
        self.weights = weights.detach()
        x = self.norm_1(x + self.dropout(attended))
        return self.norm_2(x + self.feed_forward(x))


class odd__EncoderBlock__dictionary_of_layers(nn.Module):
    """Four layers under the same names in place of the module of notebook 04."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        names = ("w_query", "w_key", "w_value", "w_out")
        self.attention = nn.ModuleDict({name: nn.Linear(d_model, d_model, bias=False) for name in names})
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        layers = nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        self.feed_forward = nn.Sequential(collections.OrderedDict(zip("012", layers, strict=True)))
        self.n_heads = n_heads

    def forward(self, x, allowed=None):
        q, k, v = (
            torch.stack(self.attention[name](x).chunk(self.n_heads, -1), -3)
            for name in ("w_query", "w_key", "w_value")
        )
        s = q @ k.mT / math.sqrt(k.shape[-1])
        s = s if allowed is None else s.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        heads = s.softmax(-1).nan_to_num() @ v
        x = self.norm_1(x + self.attention["w_out"](torch.cat(heads.unbind(-3), -1)))
        return self.norm_2(x + self.feed_forward(x))


class odd__EncoderBlock__with_function(nn.Module):
    """`multi_head_attention` of notebook 04 on the transposed weights."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )

    def forward(self, x, allowed=None):
        own = self.attention
        matrices = (w.weight.T for w in (own.w_query, own.w_key, own.w_value, own.w_out))
        x = self.norm_1(x + multi_head_attention(x, *matrices, self.n_heads, allowed)[0])
        return self.norm_2(x + self.feed_forward(x))


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
