"""Answers to `DecoderBlock` of notebook 08."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_attention import MultiHeadAttention
from tests.corpus import change

class right__layers(nn.Module):
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

class right__attention_by_hand(nn.Module):
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

class right__functions(nn.Module):
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

class right__loop_over_sublayers(nn.Module):
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

class right__norm_by_hand(nn.Module):
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

class right__heads_one_by_one(nn.Module):
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

class odd__renamed(nn.Module):
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

class odd__more_arguments(nn.Module):
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

class odd__dictionaries_of_layers(nn.Module):
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

class wrong__mask_after_softmax__1(nn.Module):
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

class wrong__pre_norm__1(nn.Module):
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

class wrong__pre_norm__2(nn.Module):
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

wrong__mask_inverted__1 = change(
    right__layers,
    (
        "attended, _ = self.self_attention(x, allowed=allowed)",
        "attended, _ = self.self_attention(x, allowed=None if allowed is None else ~allowed)",
    ),
    (
        "attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)",
        "attended, weights = self.cross_attention(",
        "    x, memory, allowed=None if memory_allowed is None else ~memory_allowed",
        ")",
    ),
)
wrong__mask_inverted__2 = change(right__attention_by_hand, ("~allowed", "allowed"))
wrong__mask_inverted__3 = change(right__layers, ("=allowed", "=None if allowed is None else ~allowed"))
wrong__mask_inverted__4 = change(
    right__layers,
    (
        "(x, memory, allowed=memory_allowed)",
        "(",
        "    x, memory, allowed=None if memory_allowed is None else ~memory_allowed",
        ")",
    ),
)
wrong__mask_ignored__1 = change(right__layers, ("x, allowed=allowed", "x"), (", allowed=memory_allowed", ""))
wrong__mask_ignored__2 = change(right__attention_by_hand, ("scores = scores", "scores"))
wrong__mask_ignored__3 = change(right__layers, ("x, allowed=allowed", "x"))
wrong__mask_ignored__4 = change(right__layers, (", allowed=memory_allowed", ""))
wrong__mask_after_softmax__2 = change(
    right__functions,
    (
        ".where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed",
        ".softmax(scores, dim=-1).masked_fill(~allowed, 0)",
    ),
)
wrong__mask_scores_to_zero__1 = change(
    right__attention_by_hand, (".masked_fill(~allowed, -math.inf)", " * allowed"),
    (
        "torch.nan_to_num(F.softmax(scores, dim=-1))",
        "F.softmax(scores, dim=-1)",
        "if allowed is not None:",
        "    weights = weights * allowed.any(-1, keepdim=True)",
    ),
)
wrong__mask_scores_to_zero__2 = change(
    right__functions,
    (
        "torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed",
        "scores.masked_fill(~allowed, 0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)",
    ),
)
wrong__mask_tiny_fill__1 = change(
    wrong__mask_scores_to_zero__1, ("scores * allowed", "scores.masked_fill(~allowed, -10)"),
)
wrong__mask_tiny_fill__2 = change(
    right__functions,
    (
        "weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed",
        "weights = (",
        "    torch.where(allowed, scores, -10.0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)",
        ")",
    ),
)
wrong__mask_added_as_01__1 = change(wrong__mask_scores_to_zero__1, ("scores *", "scores +"))
wrong__mask_added_as_01__2 = change(
    wrong__mask_tiny_fill__2, ("torch.where(allowed, scores, -10.0)", "scores.add(allowed.type_as(scores))"),
)
wrong__mask_fully_nan__1 = change(
    right__attention_by_hand, ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=-1)"),
)
wrong__mask_fully_nan__2 = change(
    right__functions,
    (
        "= torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed",
        "= (scores + torch.where(allowed, 0.0, -math.inf).to(scores.dtype)).softmax(-1)",
    ),
)
wrong__mask_fully_uniform__1 = change(wrong__mask_fully_nan__1, ("math.inf", "1e9"))
wrong__mask_fully_uniform__2 = change(right__functions, ("(-1) * allowed", "(-1)"))
wrong__softmax_over_queries__1 = change(right__attention_by_hand, (", dim=-1", ", dim=-2"))
wrong__softmax_over_queries__2 = change(right__functions, ("(-1)", "(-2)"))
wrong__scale_multiplied__1 = change(right__attention_by_hand, ("(-2, -1) /", "(-2, -1) *"))
wrong__scale_multiplied__2 = change(right__functions, ("[-1] ** -0", "[-1] ** 0"))
wrong__cross_ignores_context__1 = change(
    right__layers, ("memory, allowed=memory_allowed", "allowed=memory_allowed"),
)
wrong__cross_ignores_context__2 = change(right__functions, ("memory, memory_allowed", "x, memory_allowed"))
wrong__no_residual__1 = change(
    right__layers, (".norm_1(x + attended)", ".norm_1(attended)"), (".norm_2(x + attended)", ".norm_2(attended)"),
    ("x + self", "self"),
)
wrong__no_residual__2 = change(
    right__functions, (", x + self", ", self"), ("x + mixed", "mixed"), (", x + F.", ", F."),
)
wrong__no_residual__3 = change(right__attention_by_hand, ("x + self.attend", "self.attend"))
wrong__no_residual__4 = change(right__layers, (".norm_2(x + attended)", ".norm_2(attended)"))
wrong__no_residual__5 = change(right__layers, ("x + self", "self"))
wrong__cross_before_self__1 = change(
    right__layers,
    (
        "_ = self.self_attention(x, allowed=allowed)",
        "weights = self.cross_attention(x, memory, allowed=memory_allowed)",
    ),
    ("x = self.norm_1", "x = self.norm_2"),
    (
        "weights = self.cross_attention(x, memory, allowed=memory_allowed)",
        "_ = self.self_attention(x, allowed=allowed)",
    ),
    ("x = self.norm_2", "x = self.norm_1"),
)
wrong__cross_before_self__2 = change(
    right__attention_by_hand, ("x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])", ""),
    ("memory_allowed)", "memory_allowed)", "x = self.norm_1(x + output)"),
    ("(x + output)", "(x + self.attend(self.self_attention, x, x, allowed)[0])"),
)
wrong__cross_before_self__3 = change(
    right__functions, ("x = self.normed(self.norm_1, x + self.mix(self.self_attention, x, x, allowed)[0])", ""),
    ("first, _", "x = self.normed(self.norm_1, x + self.mix(self.self_attention, x, x, allowed)[0])", "first, _"),
)
wrong__masks_exchanged__1 = change(right__layers, ("=allowed", "=memory_allowed"), ("=memory_allowed", "=allowed"))
wrong__masks_exchanged__2 = change(right__layers, ("=memory_allowed", "=allowed"))
wrong__masks_exchanged__3 = change(
    right__functions, ("x, allowed", "x, memory_allowed"), ("memory, memory_allowed", "memory, allowed"),
)
wrong__masks_exchanged__4 = change(right__functions, ("memory, memory_allowed", "memory, allowed"))
wrong__detached__1 = change(
    right__layers, ("(x + self.feed_forward(x)), weights", "(x + self.feed_forward(x)).detach(), weights.detach()"),
)
wrong__detached__2 = change(right__attention_by_hand, ("def forward", "@torch.no_grad()", "def forward"))
wrong__input_changed__1 = change(
    right__layers, ("(x, allowed=allowed)", "(x, allowed=allowed)", "x += attended"),
    (".norm_1(x + attended)", ".norm_1(x)"),
)
wrong__input_changed__2 = change(right__attention_by_hand, ("~allowed", "allowed.logical_not_()"))
wrong__input_changed__3 = change(
    right__layers, ("attended, weights", "memory -= memory.mean(dim=-1, keepdim=True)", "attended, weights"),
)
wrong__wrong_device__1 = change(
    right__layers,
    (
        "attended, _",
        "if allowed is None:",
        "    allowed = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool)",
        "attended, _",
    ),
)
wrong__wrong_device__2 = change(
    right__attention_by_hand, ("math.sqrt(key.shape[-1])", "torch.tensor([key.shape[-1]], dtype=x.dtype).sqrt()"),
)
wrong__wrong_dtype__1 = change(
    right__layers,
    ("(x + self.feed_forward(x)), weights", "(x + self.feed_forward(x)).float(), weights.float()"),
)
wrong__wrong_dtype__2 = change(
    right__functions, ("return self.normed(self.norm_3,", "x ="),
    (
        ")), weights",
        ")",
        "last = self.norm_3.weight.float(), self.norm_3.bias.float()",
        "return F.layer_norm(x.float(), (self.d_model,), *last), weights.float()",
    ),
)
natural__mask_inverted__1 = change(wrong__mask_fully_nan__1, ("~allowed", "allowed"))
natural__no_residual__1 = change(
    wrong__mask_fully_nan__1, ("x + self.attend", "self.attend"), ("x + output", "output"),
    ("x + self.feed_forward", "self.feed_forward"),
)
natural__masks_exchanged__1 = change(
    wrong__mask_fully_nan__1, ("x, allowed", "x, memory_allowed"), ("memory, memory_allowed", "memory, allowed"),
)

class extra__torch_layer(nn.Module):
    """torch's own decoder layer inside: its weights have other names."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.layer = nn.TransformerDecoderLayer(d_model, n_heads, d_hidden, dropout=0.0, batch_first=True)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        tgt_mask = None if allowed is None else ~allowed
        return self.layer(x, memory, tgt_mask, None if memory_allowed is None else ~memory_allowed), None

# The weights are not returned.
extra__weights_forgotten = change(
    right__layers, ("weights =", "_ ="), ("(x + self.feed_forward(x)), weights", "(x + self.feed_forward(x))"),
)
# The weights of the self-attention come back.
extra__self_weights_returned = change(right__layers, ("_ = self", "weights = self"), ("weights =", "_ ="))
# The weights of both attentions come back.
extra__both_weights_returned = change(
    right__layers, ("_ = self", "own = self"),
    ("(x + self.feed_forward(x)), weights", "(x + self.feed_forward(x)), own, weights"),
)
# (weights, x).
extra__return_order_swapped = change(
    right__layers, ("return self", "return weights, self"),
    ("(x + self.feed_forward(x)), weights", "(x + self.feed_forward(x))"),
)
# The weights are averaged over the heads.
extra__weights_averaged = change(
    right__layers, ("(x + self.feed_forward(x)), weights", "(x + self.feed_forward(x)), weights.mean(-3)"),
)
# What was found in the memory comes back in place of the weights.
extra__context_returned = change(
    right__layers, ("weights =", "_ ="),
    ("(x + self.feed_forward(x)), weights", "(x + self.feed_forward(x)), attended"),
)
# The memory comes back in place of the weights.
extra__memory_returned = change(right__layers, ("weights =", "_ ="), ("), weights", "), memory"))
# x + norm(sublayer(x)).
extra__norm_of_sublayer = change(
    right__layers, ("self.norm_1(x + attended)", "x + self.norm_1(attended)"),
    ("self.norm_2(x + attended)", "x + self.norm_2(attended)"),
    ("return self.norm_3(x + self.feed_forward(x))", "return x + self.norm_3(self.feed_forward(x))"),
)
# Only the self-attention has its norm before.
extra__pre_norm__first = change(
    right__layers, ("x, allowed", "self.norm_1(x), allowed"), ("self.norm_1(x + attended)", "x + attended"),
)
# Only the cross-attention has its norm before.
extra__pre_norm__cross = change(
    right__layers, ("x, memory, allowed=memory_allowed", "self.norm_2(x), memory, allowed=memory_allowed"),
    ("self.norm_2(x + attended)", "x + attended"),
)
# The norms before, and the memory is normed too.
extra__pre_norm__memory = change(wrong__pre_norm__1, ("(x), memory", "(x), self.norm_2(memory)"))
# The memory is normed.
extra__memory_normed = change(
    right__layers, ("memory, allowed=memory_allowed", "self.norm_2(memory), allowed=memory_allowed"),
)
# norm_1 three times.
extra__first_norm_everywhere = change(
    right__layers, ("x = self.norm_2", "x = self.norm_1"), ("return self.norm_3", "return self.norm_1"),
)
# norm_2 and norm_3 exchanged.
extra__norms_exchanged = change(
    right__layers, ("x = self.norm_2", "x = self.norm_3"), ("return self.norm_3", "return self.norm_2"),
)
# No norm at the end.
extra__last_norm_missing = change(
    right__layers, ("self.norm_3(x + self.feed_forward(x))", "x + self.feed_forward(x)"),
)
# No norm after the cross-attention.
extra__middle_norm_missing = change(right__layers, ("self.norm_2(x + attended)", "x + attended"))
# The feed-forward layer is not called.
extra__feed_forward_forgotten = change(right__layers, ("x + self.feed_forward(x)", "x"))
# The feed-forward layer between the attentions.
extra__feed_forward_between = change(
    right__layers, ("attended, weights", "x = self.norm_3(x + self.feed_forward(x))", "attended, weights"),
    ("x = self.norm_2(x + attended)", ""), (".norm_3(x + self.feed_forward(x))", ".norm_2(x + attended)"),
)
# The memory is not looked at; its weights come back all the same.
extra__cross_forgotten = change(
    right__layers, ("attended, weights", "_, weights"), (".norm_2(x + attended)", ".norm_2(x)"),
)
# The self-attention is not called.
extra__self_forgotten = change(
    right__layers, ("attended, _ = self.self_attention(x, allowed=allowed)", ""),
    (".norm_1(x + attended)", ".norm_1(x)"),
)
# The query of the cross-attention is the block's input.
extra__cross_queries_from_input = change(
    right__layers, ("x = self.norm_1", "y = self.norm_1"), (".norm_2(x + attended)", ".norm_2(y + attended)"),
)
# What is added to the feed-forward layer is the block's input.
extra__residual_from_input = change(
    extra__cross_queries_from_input, ("x, memory, allowed=memory_allowed", "y, memory, allowed=memory_allowed"),
    ("x = self", "y = self"), ("(x)", "(y)"),
)
# The memory is added: an error unless as long as x.
extra__residual_memory = change(right__layers, (".norm_2(x + attended)", ".norm_2(memory + attended)"))
# Queries from the memory: an error unless as long as x.
extra__roles_swapped = change(
    right__layers, ("x, memory, allowed=memory_allowed", "memory, x, allowed=memory_allowed"),
)
# Keys from the memory, values from x: an error unless as long as x.
extra__value_from_target = change(right__layers, ("allowed=memory_allowed", "x, allowed=memory_allowed"))
# Keys from x, values from the memory: an error unless as long as x.
extra__key_from_target = change(extra__value_from_target, ("memory, x", "x, memory"))
# The self-attention looks at the memory.
extra__self_sees_memory = change(right__layers, ("allowed=allowed", "memory, allowed=memory_allowed"))
# The self-attention's layers are used for the cross-attention.
extra__one_attention_for_both = change(right__layers, ("= self.cross_attention", "= self.self_attention"))
# The layers of the two attentions are exchanged.
extra__attentions_exchanged = change(
    extra__one_attention_for_both, ("_ = self.self_attention", "_ = self.cross_attention"),
)
# The mask lands in the place of the value.
extra__masks_as_keys = change(right__layers, ("allowed=memory_allowed", "memory_allowed"))
# The memory's mask in both attentions.
extra__masks_exchanged__self_only = change(right__layers, ("=allowed", "=memory_allowed"))
# Both masks in the self-attention: an error unless they fit.
extra__masks_joined = change(
    right__layers,
    (
        "(x, allowed=allowed)",
        "(",
        "    x,",
        "    allowed=allowed",
        "    if memory_allowed is None",
        "    else memory_allowed",
        "    if allowed is None",
        "    else allowed & memory_allowed,",
        ")",
    ),
)
# The memory's mask has no default.
extra__mask_required = change(right__layers, ("=None, memory_allowed=None", ", memory_allowed"))
# The memory's mask is transposed.
extra__mask_on_queries = change(wrong__mask_inverted__4, ("~memory_allowed", "memory_allowed.mT"))
# The first item's mask of the memory for the whole batch.
extra__mask_first_item_for_all = change(
    right__layers,
    (
        "(x, memory, allowed=memory_allowed)",
        "(",
        "    x,",
        "    memory,",
        "    allowed=memory_allowed",
        "    if memory_allowed is None or memory_allowed.dim() < 3",
        "    else memory_allowed[:1],",
        ")",
    ),
)
# A token that may attend to nothing in the memory attends to all of it.
extra__mask_fully_ignored = change(
    right__layers,
    (
        "(x, memory, allowed=memory_allowed)",
        "(",
        "    x,",
        "    memory,",
        "    allowed=None",
        "    if memory_allowed is None",
        "    else memory_allowed | ~memory_allowed.any(-1, keepdim=True),",
        ")",
    ),
)
# A causal mask of its own.
extra__always_causal = change(
    right__layers,
    (
        "attended, _",
        "causal = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool, device=x.device).tril()",
        "allowed = causal if allowed is None else allowed & causal",
        "attended, _",
    ),
)
# A causal mask where none is given.
extra__causal_by_default = change(wrong__wrong_device__1, ("torch.bool)", "torch.bool, device=x.device).tril()"))
# memory_allowed before allowed.
extra__masks_positional_order = change(
    right__layers, ("allowed=None, memory_allowed", "memory_allowed=None, allowed"),
)
# Two linear layers are one.
extra__relu_missing = change(right__layers, ("(x)", "[2](self.feed_forward[0](x))"))
# GELU in place of ReLU.
extra__gelu = change(right__layers, ("nn.ReLU()", "nn.GELU()"))
# ε of 1e-3 in the last norm.
extra__norm_eps_large = change(
    right__layers, (".norm_3 = nn.LayerNorm(d_model)", ".norm_3 = nn.LayerNorm(d_model, eps=1e-3)"),
)
# The attentions under other names.
extra__other_names = change(
    right__layers, (".self_attention =", ".attention ="), (".cross_attention =", ".attention_2 ="),
    ("_ = self.self_attention", "_ = self.attention"), ("= self.cross_attention", "= self.attention_2"),
)
# A block of the encoder: there is no cross-attention.
extra__encoder_block = change(
    right__layers, ("self.cross_attention = MultiHeadAttention(d_model, n_heads)", ""),
    ("attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)", "weights = None"),
    (".norm_2(x + attended)", ".norm_2(x)"),
)
# Dropout, as in the paper.
extra__dropout_in_training = change(
    extra__feed_forward_forgotten,
    ("return self", "x = x + nn.functional.dropout(self.feed_forward(x), 0.1, self.training)", "return self"),
)
# One head in the cross-attention.
extra__one_head = change(
    right__layers,
    (
        ".cross_attention = MultiHeadAttention(d_model, n_heads)",
        ".cross_attention = MultiHeadAttention(d_model, 1)",
    ),
)
# super().__init__() is not called.
extra__super_forgotten = change(right__layers, ("super().__init__()", ""))
# An error unless x and memory are of one length.
extra__memory_required_to_fit = change(
    right__layers,
    (
        "attended, _",
        "if x.shape != memory.shape:",
        '    raise ValueError("x and memory must have the same shape")',
        "attended, _",
    ),
)
# The memory is cut from the graph: the encoder would not learn.
extra__gradient_misses_memory = change(extra__value_from_target, ("memory, x", "memory.detach()"))
# The weights that come back are cut from the graph.
extra__gradient_misses_weights = change(wrong__detached__1, (".detach(),", ","))
# Takes exactly one batch axis, as the docstring says.
odd__three_axes_only = change(
    right__layers, ("attended, _", "batch, n_tokens, d_model = x.shape", "attended, _"),
    ("(x + self.feed_forward(x))", "(x + self.feed_forward(x)).view(batch, n_tokens, d_model)"),
)
# Softmax over the queries, in the cross-attention only.
extra__softmax_over_queries__cross = change(
    right__attention_by_hand, (", dim=-1", ", dim=-1 if x is context else -2"),
)
# Multiplied by √d_key in the self-attention.
extra__scale_multiplied__self = change(
    right__attention_by_hand, ("/ math.sqrt(key.shape[-1])", "* key.shape[-1] ** (0.5 if x is context else -0.5)"),
)
# The scores are not divided.
extra__no_scale = change(right__attention_by_hand, ("(-2, -1) / math.sqrt(key.shape[-1])", "(-2, -1)"))
# The root of d_model.
extra__scale_by_d_model = change(right__attention_by_hand, ("key.shape", "x.shape"))
# w_out is left out.
extra__no_output_projection = change(right__attention_by_hand, ("layer.w_out(", ""), ("2))", "2)"))
# The keys made with the query's layer.
extra__shared_projection = change(right__attention_by_hand, ("layer.w_key", "layer.w_query"))
# The masks are laid on the scores as they are.
extra__mask_no_head_axis = change(right__attention_by_hand, (".unsqueeze(-3)", ""))

# Two mistakes at once.
double__no_residual__and_mask_ignored = change(
    wrong__mask_ignored__1,
    ("self.norm_1(x + attended)", "self.norm_1(attended)"),
)
double__cross_ignores_context__and_mask_ignored = change(
    wrong__mask_ignored__1,
    ("self.cross_attention(x, memory)", "self.cross_attention(x, x)"),
)
double__no_residual__and_masks_exchanged = change(
    right__layers,
    ("self.norm_2(x + attended)", "self.norm_2(attended)"),
    ("allowed=allowed", "allowed=memory_allowed"),
    ("memory, allowed=memory_allowed", "memory, allowed=allowed"),
)
# The blocked weights are set to 0 after the softmax, and the others divided by what is left.
wrong__mask_after_renormalised__1 = change(
    right__attention_by_hand, (".masked_fill(~allowed, -math.inf)", ""),
    (
        "torch.nan_to_num(F.softmax(scores, dim=-1))",
        "F.softmax(scores, dim=-1)",
        "if allowed is not None:",
        "    weights = weights * allowed",
        "    weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)",
    ),
)
# A ReLU after each of the two layers.
wrong__relu_after_both__1 = change(right__layers, ("self.feed_forward(x))", "F.relu(self.feed_forward(x)))"))
# Both later sublayers are added to what came in.
wrong__residual_from_start__both = change(
    right__layers,
    ("        attended, _ =", "        start = x\n        attended, _ ="),
    ("self.norm_2(x + attended)", "self.norm_2(start + attended)"),
    ("self.norm_3(x + self", "self.norm_3(start + self"),
)
# What is added to is the memory.
wrong__memory_added__1 = change(right__layers, ("self.norm_2(x + attended)", "self.norm_2(memory + attended)"))
# The mask is made in the block.
wrong__own_causal_mask__1 = change(
    right__layers,
    (
        "attended, _ = self.self",
        "n = x.shape[1]",
        "allowed = torch.ones(n, n, dtype=torch.bool).tril()",
        "attended, _ = self.self",
    ),
)
# The queries come from the branch.
wrong__cross_queries_from_branch__1 = change(
    right__layers,
    ("attended, weights = self.cross_attention(x, memory", "attended, weights = self.cross_attention(attended, memory"),
)
