"""Right answers, as classes, to the module `DecoderBlock` of notebook 08."""

# ruff: noqa: N801 - the name of an answer says what it is, whether function or class

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_attention import MultiHeadAttention
from tests.answers.gather import gather


class right__DecoderBlock__layers(nn.Module):
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
        return self.norm_3(x + self.feed_forward(x)), weights


class right__DecoderBlock__attention_by_hand(nn.Module):
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
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


class right__DecoderBlock__functions(nn.Module):
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
        return self.normed(self.norm_3, x + F.linear(hidden, second.weight, second.bias)), weights


class right__DecoderBlock__loop_over_sublayers(nn.Module):
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
        found = None

        def look_around(tokens):
            return self.self_attention(tokens, tokens, tokens, allowed)[0]

        def look_up(tokens):
            nonlocal found
            output, found = self.cross_attention(tokens, memory, memory, memory_allowed)
            return output

        sublayers = look_around, look_up, self.feed_forward
        for sublayer, norm in zip(sublayers, (self.norm_1, self.norm_2, self.norm_3), strict=True):
            x = norm(x + sublayer(x))
        return x, found


class right__DecoderBlock__norm_by_hand(nn.Module):
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

    def normalise(self, norm, x):
        wide = x.to(torch.promote_types(x.dtype, torch.float32))
        variance, mean = torch.var_mean(wide, dim=-1, keepdim=True, correction=0)
        return (norm.weight * (wide - mean) * torch.rsqrt(variance + 1e-5) + norm.bias).to(x.dtype)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.normalise(self.norm_1, self.self_attention(x, allowed=allowed)[0] + x)
        mixed, weights = self.cross_attention(x, value=memory, key=memory, allowed=memory_allowed)
        x = self.normalise(self.norm_2, mixed + x)
        hidden = self.feed_forward[0](x)
        x = self.normalise(self.norm_3, self.feed_forward[2](hidden * (hidden > 0)) + x)
        return [x, weights]


class right__DecoderBlock__heads_one_by_one(nn.Module):
    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.d_head = d_model // n_heads
        self.self_attention, self.cross_attention = (MultiHeadAttention(d_model, n_heads) for _ in "sc")
        for number in (1, 2, 3):
            setattr(self, f"norm_{number}", nn.LayerNorm(d_model))
        self.feed_forward = nn.Sequential()
        self.feed_forward.append(nn.Linear(d_model, d_hidden))
        self.feed_forward.append(nn.ReLU())
        self.feed_forward.append(nn.Linear(d_hidden, d_model))

    def add_attention(self, layer, x, context, allowed):
        total, kept = x, []
        parts = layer.w_query(x), layer.w_key(context), layer.w_value(context)
        for head, (q, k, v) in enumerate(zip(*(p.split(self.d_head, -1) for p in parts), strict=True)):
            scores = q @ k.mT / self.d_head**0.5
            if allowed is not None:
                scores = torch.where(allowed, scores, -torch.inf)
            kept.append(scores.softmax(dim=-1).nan_to_num(nan=0.0))
            channels = slice(head * self.d_head, (head + 1) * self.d_head)
            total = total + kept[-1] @ v @ layer.w_out.weight[:, channels].T
        return total, torch.stack(kept, dim=-3)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(self.add_attention(self.self_attention, x, x, allowed)[0])
        x, weights = self.add_attention(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x)
        return self.norm_3(x + self.feed_forward(x)), weights


class odd__DecoderBlock__renamed(nn.Module):
    """Arguments with names of its own, and the layers in another order."""

    def __init__(self, dim, heads, hidden):
        super().__init__()
        self.feed_forward = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, dim))
        self.norm_3, self.norm_2, self.norm_1 = nn.LayerNorm(dim), nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.cross_attention = MultiHeadAttention(dim, heads, dim // heads)
        self.self_attention = MultiHeadAttention(dim, heads, dim // heads)

    def forward(self, tgt, src, tgt_mask=None, src_mask=None):
        y = self.norm_1(tgt + self.self_attention(tgt, allowed=tgt_mask)[0])
        context, alpha = self.cross_attention(y, src, allowed=src_mask)
        z = self.norm_2(y + context)
        return [self.norm_3(z + self.feed_forward(z)), alpha]


class odd__DecoderBlock__more_arguments(nn.Module):
    """Arguments more, with defaults, dropout of nothing inside, and the masks by name only."""

    def __init__(self, d_model, n_heads, d_hidden, dropout=0.0):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model=d_model, n_heads=n_heads)
        self.cross_attention = MultiHeadAttention(d_model=d_model, n_heads=n_heads)
        self.norm_1, self.norm_2, self.norm_3 = (nn.LayerNorm(d_model, eps=1e-5) for _ in range(3))
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(inplace=True), nn.Linear(d_hidden, d_model)
        )
        self.dropout, self.weights = nn.Dropout(dropout), None

    def forward(self, x, memory, *, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.dropout(self.self_attention(x, allowed=allowed)[0]))
        found, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        self.weights = weights.detach()
        x = self.norm_2(x + self.dropout(found))
        return self.norm_3(x + self.dropout(self.feed_forward(x))), weights


class odd__DecoderBlock__dictionaries_of_layers(nn.Module):
    """Layers under the same names in place of the modules of notebook 04."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads, names = n_heads, ("w_query", "w_key", "w_value", "w_out")
        self.self_attention, self.cross_attention = (
            nn.ModuleDict({name: nn.Linear(d_model, d_model, bias=False) for name in names}) for _ in range(2)
        )
        self.norm_1, self.norm_2, self.norm_3 = (nn.LayerNorm(d_model) for _ in range(3))
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )

    def attend(self, layers, query, key, allowed):
        value = layers["w_value"](key)
        q, k, v = (
            torch.stack(t.chunk(self.n_heads, -1), -3)
            for t in (layers["w_query"](query), layers["w_key"](key), value)
        )
        s = q @ k.mT / math.sqrt(k.shape[-1])
        s = s if allowed is None else s.masked_fill(~allowed.unsqueeze(-3), -math.inf)
        weights = s.softmax(-1).nan_to_num()
        return layers["w_out"](torch.cat((weights @ v).unbind(-3), -1)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        mixed, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + mixed)
        return self.norm_3(x + self.feed_forward(x)), weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
