"""Answers to `EncoderBlock` of notebook 08."""

import collections
import math

import torch
import torch.nn.functional as F
from torch import nn

from course_attention import MultiHeadAttention, multi_head_attention
from tests.corpus import change

class right__layers(nn.Module):
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

class right__attention_by_hand(nn.Module):
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

class right__functions(nn.Module):
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

right__norm_by_hand = change(
    right__layers,
    (
        "def forward",
        "def normalise(self, norm, x):",
        "    centred = x - x.mean(dim=-1, keepdim=True)",
        "    variance = (centred * centred).mean(dim=-1, keepdim=True)",
        "    return centred / torch.sqrt(variance + norm.eps) * norm.weight + norm.bias",
        "",
        "def forward",
    ),
    (
        "attended, _ = self.attention(x, allowed=allowed)",
        "wide = torch.promote_types(x.dtype, torch.float32)",
        "y = self.normalise(self.norm_1, (x + self.attention(x, x, x, allowed)[0]).to(wide)).to(x.dtype)",
        "return self.normalise(self.norm_2, (y + self.feed_forward(y)).to(wide)).to(x.dtype)",
    ),
    ("x = self.norm_1(x + attended)", ""), ("return self.norm_2(x + self.feed_forward(x))", ""),
)
right__loop_over_sublayers = change(
    right__layers,
    (
        "attended, _ = self.attention(x, allowed=allowed)",
        "def attend(tokens):",
        "    return self.attention(tokens, allowed=allowed)[0]",
        "",
        "for sublayer, norm in ((attend, self.norm_1), (self.feed_forward, self.norm_2)):",
        "    x = norm(x + sublayer(x))",
        "return x",
    ),
    ("x = self.norm_1(x + attended)", ""), ("return self.norm_2(x + self.feed_forward(x))", ""),
)
right__added_in_place_to_its_own = change(
    right__layers,
    (
        "attended, _ = self.attention(x, allowed=allowed)",
        "output = self.attention(x, key=x, value=x, allowed=allowed)[0]",
        "output += x",
    ),
    (
        "x = self.norm_1(x + attended)",
        "output = self.norm_1(output)",
        "hidden = self.feed_forward[0](output).clamp(min=0)",
    ),
    ("x + self", "torch.add(self"), ("(x)", "[2](hidden), output)"),
)

class right__heads_one_by_one(nn.Module):
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

class odd__weights_seen_by_a_hook(nn.Module):
    """A hook on the attention keeps the weights of every call."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(inplace=True), nn.Linear(d_hidden, d_model)
        )
        self.seen = []
        self.attention.register_forward_hook(lambda module, given, came: self.seen.append(came[1].detach()))

    def forward(self, x, allowed=None):
        x = self.norm_1(self.attention(x, x, x, allowed=allowed)[0].add_(x))
        return self.norm_2(self.feed_forward(x) + x)

class odd__renamed(nn.Module):
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

class odd__more_arguments(nn.Module):
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

class odd__dictionary_of_layers(nn.Module):
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

class odd__with_function(nn.Module):
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

class wrong__mask_after_softmax__1(nn.Module):
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

class wrong__pre_norm__2(nn.Module):
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

class wrong__detached__3(nn.Module):
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

wrong__mask_inverted__1 = change(right__layers, ("=allowed", "=None if allowed is None else ~allowed"))
wrong__mask_inverted__2 = change(right__attention_by_hand, ("~allowed", "allowed"))
wrong__mask_ignored__1 = change(right__layers, ("x, allowed=allowed", "x"))
wrong__mask_ignored__2 = change(
    right__functions,
    ("allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed[..., None, :, :]", ""),
    ("torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed", "scores.softmax(-1)"),
)
wrong__mask_ignored__3 = change(right__attention_by_hand, ("scores = scores", "scores"))
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
    right__functions, ("weights =", "weights = (scores +"), ("scores, torch.finfo", "0.0, -math.inf).to"),
    (".min).softmax(-1) * allowed", ").softmax(-1)"),
)
wrong__mask_fully_uniform__1 = change(wrong__mask_fully_nan__1, ("math.inf", "1e9"))
wrong__mask_fully_uniform__2 = change(right__functions, ("(-1) * allowed", "(-1)"))
wrong__softmax_over_queries__1 = change(right__attention_by_hand, (", dim=-1", ", dim=-2"))
wrong__softmax_over_queries__2 = change(right__functions, ("(-1)", "(-2)"))
wrong__scale_multiplied__1 = change(right__attention_by_hand, ("(-2, -1) /", "(-2, -1) *"))
wrong__scale_multiplied__2 = change(right__functions, ("[-1] ** -0", "[-1] ** 0"))
wrong__pre_norm__1 = change(
    right__layers, (".attention(x, allowed=allowed)", ".attention(self.norm_1(x), allowed=allowed)"),
    ("self.norm_1(x + attended)", "x + attended"),
    ("self.norm_2(x + self.feed_forward(x))", "x + self.feed_forward(self.norm_2(x))"),
)
wrong__no_residual__1 = change(right__layers, ("x + attended", "attended"), ("x + self", "self"))
wrong__no_residual__2 = change(
    right__functions, ("= x + F.linear(mixed", "= F.linear(mixed"), ("= x + F.linear(F", "= F.linear(F"),
)
wrong__no_residual__3 = change(right__attention_by_hand, ("x + self.attend", "self.attend"))
wrong__no_residual__4 = change(right__layers, ("x + self", "self"))
wrong__detached__1 = change(right__layers, ("(x + self.feed_forward(x))", "(x + self.feed_forward(x)).detach()"))
wrong__detached__2 = change(right__attention_by_hand, ("def forward", "@torch.no_grad()", "def forward"))
wrong__input_changed__1 = change(
    right__layers, ("(x, allowed=allowed)", "(x, allowed=allowed)", "x += attended"), ("x + attended", "x"),
)
wrong__input_changed__2 = change(right__attention_by_hand, ("~allowed", "allowed.logical_not_()"))
wrong__input_changed__3 = change(
    right__functions,
    (
        "= x + F.linear(mixed, self.attention.w_out.weight)",
        "= x.add_(F.linear(mixed, self.attention.w_out.weight))",
    ),
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
    right__layers, ("(x + self.feed_forward(x))", "(x + self.feed_forward(x)).float()"),
)
wrong__wrong_dtype__2 = change(
    right__functions,
    (
        "return F.layer_norm(added, (self.d_model,), self.norm_2.weight, self.norm_2.bias)",
        "return F.layer_norm(",
        "    added.float(), (self.d_model,), self.norm_2.weight.float(), self.norm_2.bias.float()",
        ")",
    ),
)
natural__mask_inverted__1 = change(wrong__mask_fully_nan__1, ("~allowed", "allowed"))
natural__mask_scores_to_zero__1 = change(
    wrong__mask_fully_nan__1, (".masked_fill(~allowed, -math.inf)", " * allowed"),
)
natural__pre_norm__1 = change(
    wrong__mask_fully_nan__1,
    ("self.norm_1(x + self.attend(x, allowed))", "x + self.attend(self.norm_1(x), allowed)"),
    ("self.norm_2(x + self.feed_forward(x))", "x + self.feed_forward(self.norm_2(x))"),
)

class extra__norm_unbiased(nn.Module):
    """The standard deviation with n − 1, and ε beside it, as in a well-known commented implementation."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )

    def normalise(self, norm, x):
        spread = x.std(-1, keepdim=True)
        return norm.weight * (x - x.mean(-1, keepdim=True)) / (spread + 1e-6) + norm.bias

    def forward(self, x, allowed=None):
        x = self.normalise(self.norm_1, x + self.attention(x, allowed=allowed)[0])
        return self.normalise(self.norm_2, x + self.feed_forward(x))

class extra__norm_over_both(nn.Module):
    """One mean and one variance for all tokens of a sequence."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )

    def forward(self, x, allowed=None):
        added = x + self.attention(x, allowed=allowed)[0]
        x = nn.functional.layer_norm(added, added.shape[-2:]) * self.norm_1.weight + self.norm_1.bias
        added = x + self.feed_forward(x)
        return nn.functional.layer_norm(added, added.shape[-2:]) * self.norm_2.weight + self.norm_2.bias

class extra__other_names(nn.Module):
    """Layers under other names."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attn = MultiHeadAttention(d_model, n_heads)
        self.ln_1 = nn.LayerNorm(d_model)
        self.mlp = nn.Sequential(nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model))
        self.ln_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attn(x, allowed=allowed)
        x = self.ln_1(x + attended)
        return self.ln_2(x + self.mlp(x))

class extra__torch_layer(nn.Module):
    """torch's own encoder layer inside: its weights have other names."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(d_model, n_heads, d_hidden, dropout=0.0, batch_first=True)

    def forward(self, x, allowed=None):
        return self.layer(x, src_mask=None if allowed is None else ~allowed)

# The weights come back too.
extra__weights_returned = change(
    right__layers, ("_ = self", "weights = self"),
    ("(x + self.feed_forward(x))", "(x + self.feed_forward(x)), weights"),
)
# x + norm(sublayer(x)).
extra__norm_of_sublayer = change(
    wrong__no_residual__1, ("x = self", "x = x + self"), ("return self", "return x + self"),
)
# The norm before the attention, but after the feed-forward layer.
extra__pre_norm__first = change(
    right__layers, ("(x, allowed=", "(self.norm_1(x), allowed="),
    ("self.norm_1(x + attended)", "x + attended"),
)
# The norm before the feed-forward layer, but after the attention.
extra__pre_norm__second = change(right__layers, ("self.norm_2(x", "x"), ("(x)", "(self.norm_2(x)"))
# The norm before, and what is added is normed too.
extra__pre_norm__residual_normed = change(
    right__layers, ("attended, _", "x = self.norm_1(x)", "attended, _"), ("x = self.norm_1", "x = self.norm_2"),
    ("self.norm_2(x + self.feed_forward(x))", "x + self.feed_forward(x)"),
)
# Norms on both sides of each sublayer.
extra__norm_before_and_after = change(
    right__layers, ("x, allowed=allowed", "self.norm_1(x), allowed=allowed"),
    ("(x + self.feed_forward(x))", "(x + self.feed_forward(self.norm_2(x)))"),
)
# norm_1 twice; norm_2 is there but unused.
extra__first_norm_everywhere = change(right__layers, ("return self.norm_2", "return self.norm_1"))
# norm_2 first.
extra__norms_exchanged = change(extra__first_norm_everywhere, ("x = self.norm_1", "x = self.norm_2"))
# No norm after the attention.
extra__first_norm_missing = change(right__layers, ("self.norm_1(x + attended)", "x + attended"))
# No norm at the end.
extra__last_norm_missing = change(right__layers, ("self.norm_2(x", "x"), ("(x))", "(x)"))
# No norms.
extra__norms_missing = change(
    right__layers, ("self.norm_1(x + attended)", "x + attended"),
    ("self.norm_2(x + self.feed_forward(x))", "x + self.feed_forward(x)"),
)
# The feed-forward layer is not called.
extra__feed_forward_forgotten = change(right__layers, ("(x + self.feed_forward(x))", "(x)"))
# The two sublayers in the other order.
extra__feed_forward_first = change(
    right__layers, ("attended, _", "x = self.norm_2(x + self.feed_forward(x))", "attended, _"),
    ("x = self", "return self"), ("return self.norm_2(x + self.feed_forward(x))", ""),
)
# Both sublayers of the input, added up.
extra__feed_forward_beside = change(right__layers, ("x = self", "y = self"), ("x + self", "y + self"))
# What is added to the feed-forward layer is the block's input.
extra__residual_from_input = change(right__layers, ("x = self", "y = self"), ("(x)", "(y)"))
# The input is added twice.
extra__residual_twice = change(right__layers, ("x + attended", "x + x + attended"))
# Multiplied where it should be added.
extra__residual_multiplied = change(right__layers, ("x + attended", "x * attended"))
# Concatenated: an error in the norm.
extra__residual_concatenated = change(right__layers, ("(x + attended)", "(torch.cat([x, attended], dim=-1))"))
# The attention is applied to its own output.
extra__attention_twice = change(
    right__layers, ("(x, allowed=allowed)", "(self.attention(x, allowed=allowed)[0], allowed=allowed)"),
)
# The attention is not called.
extra__attention_forgotten = change(
    right__layers, ("attended, _ = self.attention(x, allowed=allowed)", ""), ("x + attended", "x"),
)
# The pair that attention returns is added as it is.
extra__tuple_added = change(right__layers, ("attended, _", "attended"))
# The weights are taken for the output.
extra__weights_taken = change(right__layers, ("attended, _", "_, attended"))
# The mask lands in the place of the key.
extra__mask_as_key = change(right__layers, ("=allowed", ""))
# The mask has no default.
extra__mask_required = change(right__layers, ("allowed=None", "allowed"))
# A head axis is inserted in the mask, which the attention inserts itself.
extra__mask_head_axis = change(
    right__layers, ("=allowed)", "=None if allowed is None else allowed.unsqueeze(-3))"),
)
# The mask is transposed.
extra__mask_on_queries = change(right__layers, ("=allowed", "=None if allowed is None else allowed.mT"))
# The first item's mask for the whole batch.
extra__mask_first_item_for_all = change(
    right__layers,
    (
        "(x, allowed=allowed)",
        "(",
        "    x, allowed=allowed if allowed is None or allowed.dim() < 3 else allowed[:1]",
        ")",
    ),
)
# A token that may attend to nothing attends to everything.
extra__mask_fully_ignored = change(
    right__layers,
    (
        "(x, allowed=allowed)",
        "(",
        "    x, allowed=None if allowed is None else allowed | ~allowed.any(-1, keepdim=True)",
        ")",
    ),
)
# A causal mask nobody asked for.
extra__always_causal = change(
    right__layers,
    (
        "attended, _",
        "causal = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool, device=x.device).tril()",
        "allowed = causal if allowed is None else allowed & causal",
        "attended, _",
    ),
)
# Two linear layers are one.
extra__relu_missing = change(
    right__layers, ("(x + self.feed_forward(x))", "(x + self.feed_forward[2](self.feed_forward[0](x)))"),
)
# ReLU after the second layer too.
extra__relu_twice = change(
    right__layers, ("(x + self.feed_forward(x))", "(x + torch.relu(self.feed_forward(x)))"),
)
# GELU in place of ReLU.
extra__gelu = change(right__layers, ("nn.ReLU()", "nn.GELU()"))
# A leaky ReLU.
extra__leaky_relu = change(right__layers, ("nn.ReLU()", "nn.LeakyReLU()"))
# tanh in place of ReLU.
extra__tanh = change(right__layers, ("nn.ReLU()", "nn.Tanh()"))
# The feed-forward layer runs along the tokens: an error unless as many as channels.
extra__feed_forward_over_tokens = change(right__layers, ("(x)", "(x.mT).mT"))
# The feed-forward layers have no biases: the weights cannot be loaded.
extra__feed_forward_without_bias = change(
    right__layers, ("d_model, d_hidden", "d_model, d_hidden, bias=False"),
    ("d_hidden, d_model", "d_hidden, d_model, bias=False"),
)
# Norms without weights and biases.
extra__norm_without_weights = change(
    right__layers, (".norm_1 = nn.LayerNorm(d_model)", ".norm_1 = nn.LayerNorm(d_model, elementwise_affine=False)"),
    (".norm_2 = nn.LayerNorm(d_model)", ".norm_2 = nn.LayerNorm(d_model, elementwise_affine=False)"),
)
# The norms' weights and biases are there, but unused.
extra__norm_weights_ignored = change(
    right__layers, ("self.norm_1(x + attended)", "nn.functional.layer_norm(x + attended, x.shape[-1:])"),
    (
        "self.norm_2(x + self.feed_forward(x))",
        "nn.functional.layer_norm(x + self.feed_forward(x), x.shape[-1:])",
    ),
)
# RMSNorm: the mean is not taken away, and there is no bias.
extra__rms_norm = change(
    right__layers, (".norm_1 = nn.LayerNorm", ".norm_1 = nn.RMSNorm"),
    (".norm_2 = nn.LayerNorm", ".norm_2 = nn.RMSNorm"),
)
# ε of 1e-3, as elsewhere.
extra__norm_eps_large = change(
    right__layers, (".norm_1 = nn.LayerNorm(d_model)", ".norm_1 = nn.LayerNorm(d_model, eps=1e-3)"),
    (".norm_2 = nn.LayerNorm(d_model)", ".norm_2 = nn.LayerNorm(d_model, eps=1e-3)"),
)
# ε of 1e-6, as elsewhere.
extra__norm_eps_small = change(
    right__layers, (".norm_1 = nn.LayerNorm(d_model)", ".norm_1 = nn.LayerNorm(d_model, eps=1e-6)"),
    (".norm_2 = nn.LayerNorm(d_model)", ".norm_2 = nn.LayerNorm(d_model, eps=1e-6)"),
)
# Mean and variance along the tokens, as in batch normalisation.
extra__norm_over_tokens = change(
    extra__norm_unbiased,
    (
        "spread = x.std(-1, keepdim=True)",
        "centred = x - x.mean(-2, keepdim=True)",
        "return (",
        "    norm.weight * centred / torch.sqrt(centred.square().mean(-2, keepdim=True) + norm.eps) + norm.bias",
        ")",
    ),
    ("return norm.weight * (x - x.mean(-1, keepdim=True)) / (spread + 1e-6) + norm.bias", ""),
)
# nn.MultiheadAttention in the place of ours.
extra__torch_attention = change(
    right__layers,
    (
        "MultiHeadAttention(d_model, n_heads)",
        "nn.MultiheadAttention(d_model, n_heads, bias=False, batch_first=True)",
    ),
    ("allowed=allowed", "x, x, attn_mask=None if allowed is None else ~allowed"),
)
# Dropout, as in the paper.
extra__dropout_in_training = change(
    right__layers,
    ("norm_2 = nn.LayerNorm(d_model)", "norm_2 = nn.LayerNorm(d_model)", "self.dropout = nn.Dropout(0.1)"),
    ("(x + attended)", "(x + self.dropout(attended))"),
    ("(x + self.feed_forward(x))", "(x + self.dropout(self.feed_forward(x)))"),
)
# The norm is left out in evaluation.
extra__evaluation_differs = change(
    right__layers, ("(x + attended)", "(x + attended)", "x = x + self.feed_forward(x)"),
    ("(x + self.feed_forward(x))", "(x) if self.training else x"),
)
# The feed-forward layers the other way round.
extra__sizes_exchanged = change(
    right__layers, ("d_model, d_hidden", "d_hidden, d_model"), ("d_hidden, d_model", "d_model, d_hidden"),
)
# Four times d_model, whatever d_hidden is.
extra__hidden_size_assumed = change(
    right__layers, ("d_model, d_hidden", "d_model, 4 * d_model"), ("d_hidden,", "4 * d_model,"),
)
# n_heads and d_model in the other order.
extra__heads_as_width = change(right__layers, ("(d_model, n_heads)", "(n_heads, d_model)"))
# One head, whatever n_heads is.
extra__one_head = change(right__layers, ("(d_model, n_heads)", "(d_model, 1)"))
# d_model channels in every head.
extra__width_in_each_head = change(
    right__layers, ("(d_model, n_heads)", "(d_model, n_heads, d_model, d_model)"),
)
# super().__init__() is not called.
extra__super_forgotten = change(right__layers, ("super().__init__()", ""))
# The method has another name.
extra__forward_forgotten = change(right__layers, ("def forward", "def encode"))
# Nothing is returned.
extra__return_forgotten = change(right__layers, ("return self", "x = self"))
# What was attended to is cut from the graph.
extra__gradient_misses_attention = change(right__layers, ("(x + attended)", "(x + attended.detach())"))
# What is added is cut from the graph.
extra__gradient_misses_residual = change(right__layers, ("x + self", "x.detach() + self"))
# Each call changes the norm.
extra__weights_changed = change(right__layers, ("return self", "self.norm_2.weight.data.mul_(1.1)", "return self"))
# Takes exactly one batch axis, as the docstring says.
odd__three_axes_only = change(
    right__layers, ("attended, _", "batch, n_tokens, d_model = x.shape", "attended, _"),
    ("(x + self.feed_forward(x))", "(x + self.feed_forward(x)).view(batch, n_tokens, d_model)"),
)
# The first two axes are exchanged, and exchanged back.
extra__batch_as_sequence = change(
    extra__return_forgotten, ("attended, _", "if x.dim() > 2:", "    x = x.transpose(0, 1)", "attended, _"),
    ("x))", "x))", "return x.transpose(0, 1) if x.dim() > 2 else x"),
)
# The scores are not divided.
extra__no_scale = change(right__attention_by_hand, ("(-2, -1) / math.sqrt(key.shape[-1])", "(-2, -1)"))
# The root of d_model.
extra__scale_by_d_model = change(right__attention_by_hand, ("key.shape", "x.shape"))
# The keys made with the query's layer.
extra__shared_projection = change(right__attention_by_hand, (".w_key, self", ".w_query, self"))
# w_out is left out.
extra__no_output_projection = change(right__attention_by_hand, ("self.attention.w_out(", ""), ("2))", "2)"))
# The heads are merged without transposing back.
extra__merge_by_view = change(right__attention_by_hand, (".transpose(-3, -2).flatten(-2)", ".reshape(x.shape)"))
# The heads are split without a transpose.
extra__heads_by_view = change(
    right__attention_by_hand,
    (
        ".unflatten(-1, (self.n_heads, -1)).transpose(-3, -2)",
        ".reshape(*x.shape[:-2], self.n_heads, x.shape[-2], -1)",
    ),
)
# The feed-forward layer's input is rounded to bfloat16.
extra__bfloat16_inside = change(
    right__layers, ("(x + self.feed_forward(x))", "(x + self.feed_forward(x.bfloat16().to(x.dtype)))"),
)
forbidden__TransformerEncoderLayer = change(extra__torch_layer)
# The feed-forward network is cut off from what it reads; the residual still carries a gradient.
extra__feed_forward_detached = change(right__layers, ("self.feed_forward(x))", "self.feed_forward(x.detach()))"))

# Two mistakes at once.
double__no_residual__and_mask_ignored = change(
    wrong__mask_ignored__1,
    ("self.norm_1(x + attended)", "self.norm_1(attended)"),
)
double__no_norm__and_mask_ignored = change(
    wrong__mask_ignored__1,
    ("self.norm_1(x + attended)", "x + attended"),
)
double__one_norm_for_all__and_mask_ignored = change(
    wrong__mask_ignored__1,
    ("return self.norm_2", "return self.norm_1"),
)
double__no_residual__and_norms_exchanged = change(
    right__layers,
    ("self.norm_1(x + attended)", "self.norm_2(attended)"),
    ("return self.norm_2", "return self.norm_1"),
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
# One norm under two names: the weights that are loaded last count.
wrong__one_norm_for_all__shared = change(
    right__layers, ("        self.norm_2 = nn.LayerNorm(d_model)", "        self.norm_2 = self.norm_1"),
)
# No ReLU, so that the second layer has another number.
extra__relu_left_out = change(right__layers, ("nn.ReLU(), ", ""))
