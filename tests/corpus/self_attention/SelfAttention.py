"""Answers to `SelfAttention` of notebook 03."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_attention import self_attention
from tests.corpus import change

class right__matmul(nn.Module):
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

class right__einsum(nn.Module):
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

class right__one_product(nn.Module):
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

class right__helper_methods(nn.Module):
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

class right__loop_over_queries(nn.Module):
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

class right__interaction_matrix(nn.Module):
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

class right__own_attention_method(nn.Module):
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

class right__softmax_in_float32(nn.Module):
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

class right__earlier_helpers(nn.Module):
    def __init__(self, d_model, d_key, d_value):
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(self, x, allowed=None):
        return self_attention(x, self.w_query.weight.T, self.w_key.weight.T, self.w_value.weight.T, allowed)

class odd__renamed(nn.Module):
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

class odd__remembers(nn.Module):
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

# torch's own function gives the output.
odd__torch_sdpa = change(
    right__earlier_helpers,
    (
        "return self_attention(x, self.w_query.weight.T, self.w_key.weight.T, self.w_value.weight.T, allowed)",
        "q, k, v = self.w_query(x), self.w_key(x), self.w_value(x)",
        "scores = q @ k.mT / math.sqrt(q.shape[-1])",
        "if allowed is None:",
        "    return F.scaled_dot_product_attention(q, k, v), scores.softmax(-1)",
        "some = allowed.any(-1, keepdim=True)",
        "weights = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min).softmax(-1) * allowed",
        "return F.scaled_dot_product_attention(q, k, v, attn_mask=allowed | ~some) * some, weights",
    ),
)
# Arguments more, with defaults: a dropout of 0, and the mask by name only.
odd__more_arguments = change(
    right__earlier_helpers, ("d_key, d_value", "d_key, d_value, dropout=0.0"),
    ("d_value, bias=False)", "d_value, bias=False)", "self.dropout = nn.Dropout(dropout)"),
    ("allowed=", "*, allowed=None, scale="),
    (
        "return self_attention(x, self.w_query.weight.T, self.w_key.weight.T, self.w_value.weight.T, allowed)",
        "scale = self.w_key.out_features**-0.5 if scale is None else scale",
        "s = self.w_query(x) @ self.w_key(x).mT * scale",
        "w = (s if allowed is None else s.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()",
        "return self.dropout(w) @ self.w_value(x), w",
    ),
)
# The layers of query and key are exchanged.
wrong__roles_swapped__1 = change(right__matmul, (".w_query(x), self.w_key", ".w_key(x), self.w_query"))
# Q = K = V = X.
wrong__no_projection__1 = change(right__matmul, ("self.w_query(x), self.w_key(x), self.w_value(x)", "x, x, x"))
wrong__mask_inverted__1 = change(right__matmul, ("~allowed", "allowed"))
wrong__mask_inverted__2 = change(
    right__einsum, ("allowed = torch.ones_like", "blocked = torch.zeros_like"), ("allowed, scores", "blocked"),
    (".min", ".min, scores"), ("* allowed", "* ~blocked"),
)
wrong__mask_ignored__1 = change(
    right__matmul, ("if allowed is not None:", ""), ("scores = scores.masked_fill(~allowed, -math.inf)", ""),
    ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=-1)"),
)
wrong__mask_ignored__2 = change(
    right__einsum, ("allowed = torch.ones_like(scores, dtype=torch.bool) if", "if"),
    ("None else allowed", "not None:", '    scores.masked_fill(~allowed, float("-inf"))'),
    (
        ".where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed",
        ".softmax(scores, dim=-1).nan_to_num()",
    ),
)
wrong__mask_after_softmax__1 = change(
    wrong__mask_ignored__1, ("return", "if allowed is not None:", "    weights = weights * allowed", "return"),
)
wrong__mask_after_softmax__2 = change(
    wrong__mask_ignored__2, ("if", "weights = torch.exp(scores - scores.logsumexp(-1, keepdim=True))", "if"),
    ("scores.", "weights = weights."), ('(~allowed, float("-inf"))', "(~allowed, 0.0)"),
    ("weights = torch.softmax(scores, dim=-1).nan_to_num()", ""),
)
wrong__mask_scores_to_zero__1 = change(
    right__matmul,
    (
        "if allowed is not None:",
        "if allowed is None:",
        "    weights = F.softmax(scores, dim=-1)",
        "else:",
        "    weights = F.softmax(scores * allowed, dim=-1) * allowed.any(-1, keepdim=True)",
    ),
    ("scores = scores.masked_fill(~allowed, -math.inf)", ""),
    ("weights = torch.nan_to_num(F.softmax(scores, dim=-1))", ""),
)
wrong__mask_scores_to_zero__2 = change(
    right__einsum,
    (
        "torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed",
        "scores.masked_fill(~allowed, 0).softmax(-1).masked_fill(~allowed.any(-1, keepdim=True), 0)",
    ),
)
wrong__mask_tiny_fill__1 = change(
    wrong__mask_scores_to_zero__1, ("scores * allowed", "scores.masked_fill(~allowed, -10)"),
)
wrong__mask_tiny_fill__2 = change(
    right__einsum, ("torch.finfo(scores.dtype).min", "-10.0"), ("* allowed", "* allowed.any(-1, keepdim=True)"),
)
wrong__mask_added_as_01__1 = change(wrong__mask_scores_to_zero__1, ("scores *", "scores +"))
wrong__mask_added_as_01__2 = change(
    wrong__mask_tiny_fill__2, ("torch.where(allowed, scores, -10.0)", "scores.add(allowed.type_as(scores))"),
)
wrong__mask_fully_nan__1 = change(
    right__matmul, ("torch.nan_to_num(F.softmax(scores, dim=-1))", "F.softmax(scores, dim=-1)"),
)
wrong__mask_fully_nan__2 = change(
    right__einsum,
    (
        "allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed",
        "if allowed is not None:",
        "    scores = scores + torch.where(allowed, 0.0, -math.inf).to(scores.dtype)",
        "parts = torch.exp(scores - scores.amax(-1, keepdim=True))",
    ),
    (
        "torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed",
        "parts / parts.sum(-1, keepdim=True)",
    ),
)
wrong__mask_fully_uniform__1 = change(wrong__mask_fully_nan__1, ("math.inf", "1e9"))
wrong__mask_fully_uniform__2 = change(right__einsum, ("(-1) * allowed", "(-1)"))
wrong__keepdims_forgotten__1 = change(right__interaction_matrix, ("parts.sum(-1, keepdim=True)", "parts.sum(-1)"))
wrong__keepdims_forgotten__2 = change(right__interaction_matrix, ("scores.amax(-1, keepdim=True)", "scores.amax(-1)"))
wrong__softmax_over_queries__1 = change(right__matmul, (", dim=-1", ", dim=-2"))
wrong__softmax_over_queries__2 = change(right__einsum, ("1", "2"))
wrong__no_scale__1 = change(right__matmul, ("(-2, -1) / math.sqrt(key.shape[-1])", "(-2, -1)"))
wrong__no_scale__2 = change(right__einsum, ("self.scale = d_key**-0.5", ""), (") * self.scale", ")"))
wrong__scale_by_d__1 = change(right__matmul, ("math.sqrt(key.shape[-1])", "key.shape[-1]"))
wrong__scale_by_d__2 = change(right__einsum, ("d_key**-0.5", "1 / d_key"))
wrong__scale_multiplied__1 = change(right__matmul, ("(-2, -1) /", "(-2, -1) *"))
wrong__scale_multiplied__2 = change(right__einsum, ("d_key**-0", "d_key**0"))
wrong__value_not_projected__1 = change(right__matmul, ("self.w_value(x)", "x"))
wrong__value_not_projected__2 = change(
    right__einsum, ('value = torch.einsum("...nc,vc->...nv", x, self.w_value.weight)', ""),
    ('("...qk,...kv->...qv", weights, value)', '("...qk,...kc->...qc", weights, x)'),
)
wrong__detached__1 = change(
    right__matmul, ("weights @", "(weights @"), (", weights", ").detach(), weights.detach()"),
)
wrong__detached__2 = change(
    right__einsum, ("None):", "None):", "    x = x.data"), (".w_query.weight", ".w_query.weight.data"),
    (".w_key.weight", ".w_key.weight.data"), (".w_value.weight", ".w_value.weight.data"),
)
wrong__detached__3 = change(right__matmul, ("def forward", "@torch.no_grad()", "def forward"))
wrong__input_changed__1 = change(right__matmul, ("w_value(x)", "w_value(x)", "x -= x.mean()"))
wrong__input_changed__2 = change(right__einsum, ('"...nc,vc->...nv", x', '"...cn,vc->...nv", x.transpose_(-2, -1)'))
wrong__input_changed__3 = change(right__matmul, ("~allowed", "allowed.logical_not_()"))
wrong__wrong_device__1 = change(
    right__matmul,
    ("query, key", "scale = torch.tensor([self.w_key.out_features], dtype=x.dtype).sqrt()", "query, key"),
    ("math.sqrt(key.shape[-1])", "scale"),
)
wrong__wrong_device__2 = change(
    right__einsum, ("d_key**-0.5", "torch.full((1,), d_key**-0.5, dtype=torch.float64)"),
    ("* self.scale", "* self.scale.to(x.dtype)"),
)
wrong__wrong_device__3 = change(
    right__matmul,
    (
        "query, key",
        "if allowed is None:",
        "    allowed = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool)",
        "query, key",
    ),
    ("if allowed is not None:", "scores = scores.masked_fill(~allowed, -math.inf)"),
    ("scores = scores.masked_fill(~allowed, -math.inf)", ""),
)
wrong__wrong_dtype__1 = change(wrong__detached__1, (".detach(), weights.detach", ".float(), weights.float"))
wrong__wrong_dtype__2 = change(
    right__einsum,
    (
        "weights = torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1) * allowed",
        "weights = (",
        "    torch.where(allowed, scores, torch.finfo(scores.dtype).min).softmax(-1).to(torch.float32)",
        "    * allowed",
        ")",
        'return torch.einsum("...qk,...kv->...qv", weights, value.to(torch.float32)), weights',
    ),
    ('return torch.einsum("...qk,...kv->...qv", weights, value), weights', ""),
)

class natural__mask_inverted__1(nn.Module):
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

natural__mask_inverted__2 = change(natural__mask_inverted__1, ("math.inf", "1e9"))
natural__mask_scores_to_zero__1 = change(
    natural__mask_inverted__1, (".masked_fill(allowed, -math.inf)", " * allowed"),
)
natural__mask_tiny_fill__1 = change(natural__mask_inverted__1, ("allowed, -math.inf", "~allowed, -10"))
natural__mask_added_as_01__1 = change(natural__mask_inverted__1, (".masked_fill(allowed, -math.inf)", " + allowed"))
natural__softmax_over_queries__1 = change(natural__mask_inverted__1, ("allowed,", "~allowed,"), ("1", "2"))
natural__softmax_over_queries__2 = change(
    natural__mask_inverted__1, ("allowed, -math.inf", "~allowed, -1e9"), ("-1", "1"),
)
natural__no_scale__1 = change(
    natural__mask_inverted__1, ("(query, key.mT) / self.d_key**0.5", "(query, key.mT)"), ("allowed,", "~allowed,"),
)
natural__no_scale__2 = change(
    natural__mask_inverted__1, ("(query, key.mT) / self.d_key**0.5", "(query, key.mT)"),
    ("allowed, -math.inf", "~allowed, -1e9"),
)
natural__scale_by_d__1 = change(natural__mask_inverted__1, (".d_key**0.5", ".d_key"), ("allowed,", "~allowed,"))
natural__scale_multiplied__1 = change(
    natural__mask_inverted__1, ("/", "*"), ("allowed, -math.inf", "~allowed, -1e9"),
)
natural__value_not_projected__1 = change(
    natural__mask_inverted__1, ("self.w_value(x)", "x"), ("allowed, -math.inf", "~allowed, -1e9"),
)
# The weights are not returned.
extra__weights_forgotten = change(right__matmul, (", weights", ""))
# (weights, output).
extra__return_order_swapped = change(extra__weights_forgotten, ("return weights", "return weights, weights"))
# Layers with biases: weights without them cannot be loaded.
extra__bias_added = change(
    right__matmul, (".w_query = nn.Linear(d_model, d_key, bias=False)", ".w_query = nn.Linear(d_model, d_key)"),
    (".w_key = nn.Linear(d_model, d_key, bias=False)", ".w_key = nn.Linear(d_model, d_key)"),
    ("d_value, bias=False", "d_value"),
)
# A bias in one layer.
extra__bias_added__value = change(right__matmul, ("d_value, bias=False", "d_value"))
# Layers under names of its own.
extra__other_names = change(
    right__matmul, (".w_query =", ".q_proj ="), (".w_key =", ".k_proj ="), (".w_value =", ".v_proj ="),
    (".w_query(x), self.w_key(x), self.w_value", ".q_proj(x), self.k_proj(x), self.v_proj"),
)
# One layer for all three: its weights have another name.
extra__one_layer = change(
    right__matmul, (".w_query = nn.Linear(d_model, d_key, bias=False)", ".sizes = [d_key, d_key, d_value]"),
    (
        ".w_key = nn.Linear(d_model, d_key, bias=False)",
        ".w_all = nn.Linear(d_model, sum(self.sizes), bias=False)",
    ),
    ("self.w_value = nn.Linear(d_model, d_value, bias=False)", ""),
    (".w_query(x), self.w_key(x), self.w_value(x)", ".w_all(x).split(self.sizes, -1)"),
)
# Bare parameters (d_model, d_key) in place of layers.
extra__parameters = change(
    right__matmul,
    (
        ".w_query = nn.Linear(d_model, d_key, bias=False)",
        ".w_query = nn.Parameter(torch.randn(d_model, d_key))",
    ),
    (".w_key = nn.Linear(d_model, d_key, bias=False)", ".w_key = nn.Parameter(torch.randn(d_model, d_key))"),
    ("nn.Linear(d_model, d_value, bias=False)", "nn.Parameter(torch.randn(d_model, d_value))"),
    ("self.w_query(x), self.w_key(x), self.w_value(x)", "x @ self.w_query, x @ self.w_key, x @ self.w_value"),
)
# Layers from d_key to d_model.
extra__sizes_exchanged = change(
    right__matmul,
    (".w_query = nn.Linear(d_model, d_key, bias=False)", ".w_query = nn.Linear(d_key, d_model, bias=False)"),
    (".w_key = nn.Linear(d_model, d_key, bias=False)", ".w_key = nn.Linear(d_key, d_model, bias=False)"),
)
# d_value is not used.
extra__value_as_wide_as_key = change(right__matmul, ("d_value,", "d_key,"))
# d_key and d_value in the other order.
extra__arguments_exchanged = change(right__matmul, ("d_key, d_value", "d_value, d_key"))
# Query and key share one layer: the loaded key overwrites the query.
extra__shared_layer = change(
    right__matmul, (".w_key = nn.Linear(d_model, d_key, bias=False)", ".w_key = self.w_query"),
)
# The key made with the query's layer.
extra__shared_projection = change(right__matmul, (".w_key(x)", ".w_query(x)"))
# Weights times keys.
extra__weights_times_keys = change(
    right__matmul, ("key, value", "key"), (", self.w_value(x)", ""), ("@ value,", "@ key,"),
)
# x @ weight: an error unless the layers are square.
extra__weights_transposed = change(
    right__matmul,
    (
        "= self.w_query(x), self.w_key(x), self.w_value(x)",
        "= x @ self.w_query.weight, x @ self.w_key.weight, x @ self.w_value.weight",
    ),
)
# The root of d_model.
extra__scale_by_d_model = change(right__matmul, ("key.shape", "x.shape"))
# The scale is a parameter of its own: one name too many in the state_dict.
extra__scale_learnt = change(
    right__matmul, ("__init__()", "__init__()", "self.scale = nn.Parameter(torch.tensor(d_key**-0.5))"),
    ("/ math.sqrt(key.shape[-1])", "* self.scale"),
)
# The scores are the weights.
extra__softmax_missing = change(
    right__matmul, ("-math.inf", "0"), ("torch.nan_to_num(F.softmax(scores, dim=-1))", "scores"),
)
# exp without the shift.
extra__softmax_overflows = change(
    right__matmul, ("F.softmax(scores, dim=-1)", "torch.exp(scores) / torch.exp(scores).sum(-1, keepdim=True)"),
)
# Dropout, switched off in evaluation only.
extra__dropout_in_training = change(
    right__matmul, ("__init__()", "__init__()", "self.dropout = nn.Dropout(0.1)"),
    (
        "torch.nan_to_num(F.softmax(scores, dim=-1))",
        "self.dropout(torch.nan_to_num(F.softmax(scores, dim=-1)))",
    ),
)
# A layer norm of the output.
extra__norm_added = change(
    right__matmul, ("__init__()", "__init__()", "self.norm = nn.LayerNorm(d_value, elementwise_affine=False)"),
    ("weights @ value", "self.norm(weights @ value)"),
)
# x is added to the output: an error unless d_value equals d_model.
extra__residual_added = change(right__matmul, (", weights", " + x, weights"))
# The mask is transposed.
extra__mask_on_queries = change(right__matmul, ("~allowed", "~allowed.mT"))
# A query that may attend to nothing attends to everything.
extra__mask_fully_ignored = change(right__matmul, ("~allowed", "~allowed & allowed.any(-1, keepdim=True)"))
# None is not provided for.
extra__mask_required = change(
    right__matmul, ("if allowed is not None:", "scores = scores.masked_fill(~allowed, -math.inf)"),
    ("scores = scores.masked_fill(~allowed, -math.inf)", ""),
)
# New layers at each call: nothing is learnt.
extra__layers_in_forward = change(
    right__matmul,
    (
        "None):",
        "None):",
        "    w_query, w_key = (nn.Linear(*w.weight.T.shape, bias=False).to(x) for w in (self.w_query, self.w_key))",
    ),
    ("self.w_query(x), self.", "w_query(x), "),
)
# super().__init__() is not called.
extra__super_forgotten = change(right__matmul, ("super().__init__()", ""))
# The method has another name.
extra__forward_forgotten = change(right__matmul, ("def forward", "def attend"))
# forward takes no mask.
extra__no_mask_argument = change(
    right__matmul, ("x, allowed=None", "x"), ("if allowed is not None:", ""),
    ("scores = scores.masked_fill(~allowed, -math.inf)", ""),
)
# The layer is scaled in place: each call changes it.
extra__weights_changed = change(
    wrong__no_scale__1,
    ("query, key", "self.w_query.weight.data /= math.sqrt(self.w_key.out_features)", "query, key"),
)
# The first axis is taken as the tokens, and turned back.
extra__batch_as_sequence = change(
    right__matmul, ("query, key", "x = x.transpose(0, -2) if x.dim() > 2 else x", "query, key"),
    ("return weights", "output = weights"),
    (", weights", "", "return (output.transpose(0, -2) if x.dim() > 2 else output), weights"),
)
# The first two axes are exchanged, and exchanged back.
extra__batch_as_sequence__first_two_axes = change(
    right__matmul, ("query, key", "x = x.transpose(0, 1)", "query, key"),
    ("weights @ value", "(weights @ value).transpose(0, 1)"),
)
# The keys are reshaped in place of transposed.
wrong__key_reshaped__1 = change(right__matmul, (".transpose(-2, -1)", ".reshape(*key.shape[:-2], key.shape[-1], -1)"))
# One softmax over each whole matrix.
extra__softmax_over_everything = change(
    right__matmul, ("(F.softmax(scores, dim=-1))", "(F.softmax(scores.flatten(-2), dim=-1)).view(scores.shape)"),
)
# Softmax over axis 0.
extra__softmax_over_batch = change(right__matmul, (", dim=-1", ", dim=0"))
# The first item's mask for the whole batch.
extra__mask_first_item_for_all = change(
    right__matmul, ("~allowed", "~(allowed[0] if allowed.dim() > 2 else allowed)"),
)
# The weights are rounded to the best key in evaluation.
extra__evaluation_differs = change(
    right__matmul,
    (
        "return",
        "if not self.training:",
        "    weights = F.one_hot(weights.argmax(-1), weights.shape[-1]).to(weights.dtype)",
        "return",
    ),
)
# bmm: an error without a batch axis and with two.
extra__three_axes_only = change(right__matmul, ("query @ key", "torch.bmm(query, key"), ("(-2, -1)", "(1, 2))"))
# The weights are cut from the graph.
extra__gradient_misses_query = change(
    right__matmul, ("(F.softmax(scores, dim=-1))", "(F.softmax(scores, dim=-1)).detach()"),
)
# float32 inside and cast back.
extra__float64_rounded = change(
    right__matmul,
    ("w_value(x)", "w_value(x)", "query, key, value = query.float(), key.float(), value.float()"),
    ("weights @", "(weights @"), (", weights", ").to(x.dtype), weights.to(x.dtype)"),
)

wrong__key_not_transposed__1 = change(right__matmul, ("key.transpose(-2, -1)", "key"))

# Two mistakes at once.
double__no_scale__and_mask_ignored = change(wrong__mask_ignored__1, (" / math.sqrt(key.shape[-1])", ""))
double__value_not_projected__and_mask_ignored = change(wrong__mask_ignored__1, (", self.w_value(x)", ", x"))
double__scale_by_d__and_mask_added_as_01 = change(
    right__matmul,
    ("math.sqrt(key.shape[-1])", "key.shape[-1]"),
    ("scores.masked_fill(~allowed, -math.inf)", "scores + allowed"),
)
# Along the second batch axis, the first mask is taken for all.
extra__mask_of_one_batch_axis = change(
    right__matmul, ("~allowed", "~(allowed[:, :1] if allowed.dim() == 4 else allowed)")
)
# The blocked weights are set to 0 after the softmax, and the others divided by what is left.
wrong__mask_after_renormalised__1 = change(
    right__matmul,
    ("scores = scores.masked_fill(~allowed, -math.inf)", "pass"),
    (
        "torch.nan_to_num(F.softmax(scores, dim=-1))",
        "F.softmax(scores, dim=-1)",
        "if allowed is not None:",
        "    weights = weights * allowed",
        "    weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)",
    ),
)
