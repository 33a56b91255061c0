"""Answers to `DecoderOnlyBlock(d_model, n_heads, n_groups, d_hidden)` of notebook 10."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_attention import causal_mask, grouped_query_attention, rotary
from tests.corpus import change

class right__earlier_functions(nn.Module):
    def __init__(self, d_model, n_heads, n_groups, d_hidden):
        super().__init__()
        self.n_heads, self.n_groups = n_heads, n_groups
        d_head = d_model // n_heads
        self.norm_1 = nn.RMSNorm(d_model, eps=1e-6)
        self.w_query = nn.Linear(d_model, d_model, bias=False)
        self.w_key = nn.Linear(d_model, n_groups * d_head, bias=False)
        self.w_value = nn.Linear(d_model, n_groups * d_head, bias=False)
        self.w_out = nn.Linear(d_model, d_model, bias=False)
        self.norm_2 = nn.RMSNorm(d_model, eps=1e-6)
        self.w_gate = nn.Linear(d_model, d_hidden, bias=False)
        self.w_up = nn.Linear(d_model, d_hidden, bias=False)
        self.w_down = nn.Linear(d_hidden, d_model, bias=False)

    def forward(self, x, cache=None):
        y = self.norm_1(x)
        query = self.w_query(y).unflatten(-1, (self.n_heads, -1)).transpose(-2, -3)
        key = self.w_key(y).unflatten(-1, (self.n_groups, -1)).transpose(-2, -3)
        value = self.w_value(y).unflatten(-1, (self.n_groups, -1)).transpose(-2, -3)
        n_past = 0 if cache is None else cache[0].shape[-2]
        positions = torch.arange(n_past, n_past + x.shape[-2], device=x.device)
        query, key = rotary(query, positions), rotary(key, positions)
        if cache is not None:
            key = torch.cat([cache[0], key], dim=-2)
            value = torch.cat([cache[1], value], dim=-2)
        allowed = causal_mask(query.shape[-2], key.shape[-2]).to(x.device)
        mixed, _ = grouped_query_attention(query, key, value, allowed)
        x = x + self.w_out(mixed.transpose(-2, -3).flatten(-2))
        y = self.norm_2(x)
        hidden = F.silu(self.w_gate(y)) * self.w_up(y)
        return x + self.w_down(hidden), (key, value)

class right__all_by_hand(nn.Module):
    def __init__(self, d_model, n_heads, n_groups, d_hidden):
        super().__init__()
        self.h, self.g, self.d = n_heads, n_groups, d_model // n_heads
        for name, size_in, size_out in (
            ("w_query", d_model, d_model),
            ("w_key", d_model, n_groups * self.d),
            ("w_value", d_model, n_groups * self.d),
            ("w_out", d_model, d_model),
            ("w_gate", d_model, d_hidden),
            ("w_up", d_model, d_hidden),
            ("w_down", d_hidden, d_model),
        ):
            setattr(self, name, nn.Linear(size_in, size_out, bias=False))
        self.norm_1, self.norm_2 = nn.RMSNorm(d_model, eps=1e-6), nn.RMSNorm(d_model, eps=1e-6)

    def turn(self, x, start):
        d = x.shape[-1]
        places = torch.arange(start, start + x.shape[-2], device=x.device, dtype=torch.float64)
        angles = places[:, None] * 10000.0 ** (-torch.arange(0, d, 2, device=x.device, dtype=torch.float64) / d)
        pairs = torch.view_as_complex(x.double().unflatten(-1, (-1, 2)).contiguous())
        return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2).to(x.dtype)

    def attend(self, y, cache):
        heads = lambda t, n: t.reshape(*t.shape[:-1], n, self.d).transpose(-3, -2)
        start = cache[0].size(-2) if cache is not None else 0
        q = self.turn(heads(self.w_query(y), self.h), start)
        k = self.turn(heads(self.w_key(y), self.g), start)
        v = heads(self.w_value(y), self.g)
        if cache is not None:
            k, v = torch.cat((cache[0], k), -2), torch.cat((cache[1], v), -2)
        wide_k, wide_v = (t.repeat_interleave(self.h // self.g, dim=-3) for t in (k, v))
        scores = q @ wide_k.transpose(-2, -1) / math.sqrt(self.d)
        n, m = scores.shape[-2:]
        future = torch.ones(n, m, dtype=torch.bool, device=y.device).triu(m - n + 1)
        weights = scores.masked_fill(future, -math.inf).softmax(-1)
        merged = (weights @ wide_v).transpose(-3, -2)
        return self.w_out(merged.reshape(*y.shape[:-1], -1)), (k, v)

    def forward(self, x, cache=None):
        mixed, cache = self.attend(self.norm_1(x), cache)
        x = x + mixed
        y = self.norm_2(x)
        gate = self.w_gate(y)
        return x + self.w_down(gate * torch.sigmoid(gate) * self.w_up(y)), cache

class right__einsum_over_groups(nn.Module):
    def __init__(self, d_model, n_heads, n_groups, d_hidden):
        super().__init__()
        self.n_groups, self.d_head = n_groups, d_model // n_heads
        linear = lambda a, b: nn.Linear(a, b, bias=False)
        self.norm_1, self.norm_2 = (nn.RMSNorm(d_model, eps=1e-6) for _ in range(2))
        self.w_query, self.w_out = linear(d_model, d_model), linear(d_model, d_model)
        self.w_key, self.w_value = (linear(d_model, n_groups * self.d_head) for _ in range(2))
        self.w_gate, self.w_up = linear(d_model, d_hidden), linear(d_model, d_hidden)
        self.w_down = linear(d_hidden, d_model)

    def forward(self, x, cache=None):
        y, n_new, n_past = self.norm_1(x), x.size(-2), 0
        q = self.w_query(y).unflatten(-1, (self.n_groups, -1, self.d_head)).movedim(-4, -2)  # ... g r n d
        k, v = (w(y).unflatten(-1, (self.n_groups, self.d_head)).movedim(-3, -2) for w in (self.w_key, self.w_value))
        if cache is not None:
            n_past = cache[0].size(-2)
        at = torch.arange(n_past + n_new, device=x.device)
        q, k = rotary(q, at[n_past:]), rotary(k, at[n_past:])
        if cache is not None:
            k, v = (torch.cat(pair, dim=-2) for pair in zip(cache, (k, v), strict=True))
        scores = torch.einsum("...grnd,...gmd->...grnm", q, k) * self.d_head**-0.5
        scores = torch.where(at <= at[n_past:, None], scores, -torch.inf)
        mixed = torch.einsum("...grnm,...gmd->...grnd", F.softmax(scores, dim=-1), v)
        x = x + self.w_out(mixed.movedim(-2, -4).flatten(-3))
        y = self.norm_2(x)
        return x + self.w_down(F.silu(self.w_gate(y)).mul(self.w_up(y))), (k, v)

class right__heads_in_a_loop(nn.Module):
    def __init__(self, d_model, n_heads, n_groups, d_hidden):
        super().__init__()
        self.n_heads, self.n_groups, d_head = n_heads, n_groups, d_model // n_heads
        self.norm_1, self.norm_2 = nn.RMSNorm(d_model, 1e-6), nn.RMSNorm(d_model, 1e-6)
        self.w_query, self.w_out = nn.Linear(d_model, d_model, False), nn.Linear(d_model, d_model, False)
        self.w_key = nn.Linear(d_model, n_groups * d_head, False)
        self.w_value = nn.Linear(d_model, n_groups * d_head, False)
        self.w_gate, self.w_up = nn.Linear(d_model, d_hidden, False), nn.Linear(d_model, d_hidden, False)
        self.w_down = nn.Linear(d_hidden, d_model, False)

    def forward(self, x, cache=None):
        y = self.norm_1(x)
        n_past = cache[0].shape[-2] if cache else 0
        at = torch.arange(n_past, n_past + x.shape[-2], device=x.device)
        keys = [rotary(k, at) for k in self.w_key(y).chunk(self.n_groups, -1)]
        values = list(self.w_value(y).chunk(self.n_groups, -1))
        if cache:
            keys = [torch.cat([old, new], -2) for old, new in zip(cache[0].unbind(-3), keys)]
            values = [torch.cat([old, new], -2) for old, new in zip(cache[1].unbind(-3), values)]
        blocked = torch.arange(keys[0].shape[-2], device=x.device) > at.unsqueeze(-1)
        mixed = []
        for head, q in enumerate(self.w_query(y).chunk(self.n_heads, -1)):
            group = head // (self.n_heads // self.n_groups)
            scores = rotary(q, at) @ keys[group].mT / q.shape[-1] ** 0.5
            mixed.append(scores.masked_fill(blocked, float("-inf")).softmax(-1) @ values[group])
        x = x + self.w_out(torch.cat(mixed, -1))
        y = self.norm_2(x)
        x = x + self.w_down(F.silu(self.w_gate(y)) * self.w_up(y))
        return x, (torch.stack(keys, -3), torch.stack(values, -3))

class right__whole_tensors(nn.Module):
    def __init__(self, d_model, n_heads, n_groups, d_hidden):
        super().__init__()
        self.n_heads, self.n_groups = n_heads, n_groups
        self.norm_1, self.norm_2 = nn.RMSNorm(d_model, eps=1e-6), nn.RMSNorm(d_model, eps=1e-6)
        sizes = {"query": d_model, "key": d_model // n_heads * n_groups, "value": d_model // n_heads * n_groups}
        for name, size in sizes.items():
            self.add_module(f"w_{name}", nn.Linear(d_model, size, bias=False))
        self.w_out = nn.Linear(d_model, d_model, bias=False)
        self.w_gate = nn.Linear(d_model, d_hidden, bias=False)
        self.w_up = nn.Linear(d_model, d_hidden, bias=False)
        self.w_down = nn.Linear(d_hidden, d_model, bias=False)

    def normed(self, norm, x):
        return F.rms_norm(x, x.shape[-1:], norm.weight, eps=1e-6)

    def forward(self, x, cache=None):
        y = self.normed(self.norm_1, x)
        q, k, v = (
            torch.stack(w(y).chunk(n, -1), -3)
            for w, n in ((self.w_query, self.n_heads), (self.w_key, self.n_groups), (self.w_value, self.n_groups))
        )
        past = (k[..., :0, :], v[..., :0, :]) if cache is None else cache
        at = past[0].shape[-2] + torch.arange(x.shape[-2], device=x.device)
        k, v = torch.cat([past[0], rotary(k, at)], -2), torch.cat([past[1], v], -2)
        copies = self.n_heads // self.n_groups
        allowed = torch.arange(k.shape[-2], device=x.device)[None, :] <= at[:, None]
        scores = rotary(q, at) @ k.repeat_interleave(copies, -3).mT / math.sqrt(k.shape[-1])
        mixed = scores.masked_fill(~allowed, -math.inf).softmax(-1) @ v.repeat_interleave(copies, -3)
        x = x + self.w_out(torch.cat(mixed.unbind(-3), -1))
        y = self.normed(self.norm_2, x)
        return x + self.w_down(F.silu(self.w_gate(y)) * self.w_up(y)), (k, v)

odd__torch_sdpa = change(
    right__whole_tensors,
    (
        "scores = rotary(q, at) @ k.repeat_interleave(copies, -3).mT / math.sqrt(k.shape[-1])",
        "k_all, v_all = k.repeat_interleave(copies, -3), v.repeat_interleave(copies, -3)",
    ),
    (
        "scores.masked_fill(~allowed, -math.inf).softmax(-1) @ v.repeat_interleave(copies, -3)",
        "F.scaled_dot_product_attention(rotary(q, at), k_all, v_all, attn_mask=allowed)",
    ),
)
forbidden__scaled_dot_product_attention = change(odd__torch_sdpa)

# A parameter more, with a default, and other names.
odd__renamed = change(
right__earlier_functions,
("__init__(self, d_model, n_heads, n_groups, d_hidden)",
"__init__(self, d_model, n_heads, n_groups, d_hidden, dropout=0.0)",),
("def forward(self, x, cache=None):",
"def forward(self, tokens, past=None):\n        x, cache = tokens, past",),
)
odd__pair_in_a_list = change(
right__earlier_functions,
("return x + self.w_down(hidden), (key, value)",
"return [x + self.w_down(hidden), [key, value]]",),
)

wrong__post_norm__1 = change(
right__all_by_hand,
("self.attend(self.norm_1(x), cache)",
"self.attend(x, cache)",),
("x = x + mixed",
"x = self.norm_1(x + mixed)",),
("y = self.norm_2(x)",
"y = x",),
("return x + self.w_down(gate * torch.sigmoid(gate) * self.w_up(y)), cache",
"return self.norm_2(x + self.w_down(gate * torch.sigmoid(gate) * "
"self.w_up(y))), cache",),
)
wrong__no_norm__1 = change(right__earlier_functions, ("y = self.norm_2(x)", "y = x"))
wrong__no_norm__2 = change(right__earlier_functions, ("y = self.norm_1(x)", "y = x"))
wrong__norm_of_branch__1 = change(
right__all_by_hand,
("self.attend(self.norm_1(x), cache)",
"self.attend(x, cache)",),
("x = x + mixed",
"x = x + self.norm_1(mixed)",),
)
# The norm overwrites what should be carried on.
wrong__residual_normalised__1 = change(
right__earlier_functions,
("y = self.norm_1(x)",
"y = x = self.norm_1(x)",),
)
wrong__residual_normalised__2 = change(
right__earlier_functions,
("y = self.norm_2(x)",
"y = x = self.norm_2(x)",),
)
wrong__no_residual__1 = change(right__earlier_functions, ("x = x + self.w_out(mixed", "x = self.w_out(mixed"))
wrong__residual_from_start__1 = change(
    right__earlier_functions,
    ("y = self.norm_1(x)", "start, y = x, self.norm_1(x)"),
    ("return x + self.w_down(hidden)", "return start + self.w_down(hidden)"),
)
wrong__branches_in_parallel__1 = change(
right__earlier_functions,
("y = self.norm_1(x)",
"start, y = x, self.norm_1(x)",),
("y = self.norm_2(x)",
"y = self.norm_2(start)",),
)
wrong__feed_forward_first__1 = change(
    right__all_by_hand,
    ("        mixed, cache = self.attend(self.norm_1(x), cache)\n        x = x + mixed\n", ""),
    (
        "return x + self.w_down(gate * torch.sigmoid(gate) * self.w_up(y)), cache",
        "x = x + self.w_down(gate * torch.sigmoid(gate) * self.w_up(y))",
        "mixed, cache = self.attend(self.norm_1(x), cache)",
        "return x + mixed, cache",
    ),
)
wrong__norms_exchanged__1 = change(
right__earlier_functions,
("y = self.norm_1(x)",
"y = self.norm_2(x)",),
("y = self.norm_2(x)",
"y = self.norm_1(x)",),
)
wrong__one_norm_for_all__1 = change(right__earlier_functions, ("y = self.norm_2(x)", "y = self.norm_1(x)"))
wrong__mean_subtracted__1 = change(
right__whole_tensors,
("return F.rms_norm(x, x.shape[-1:], norm.weight, eps=1e-6)",
"return F.layer_norm(x, x.shape[-1:], norm.weight, eps=1e-6)",),
)
wrong__norm_without_mean__1 = change(
right__whole_tensors,
("return F.rms_norm(x, x.shape[-1:], norm.weight, eps=1e-6)",
"return x / (x.pow(2).sum(-1, keepdim=True) + 1e-6).sqrt() * norm.weight",),
)
wrong__norm_without_mean__2 = change(
    right__whole_tensors,
    ("F.rms_norm(x, x.shape[-1:], norm.weight, eps=1e-6)", "F.normalize(x, dim=-1) * norm.weight"),
)
wrong__norm_without_root__1 = change(
right__whole_tensors,
("return F.rms_norm(x, x.shape[-1:], norm.weight, eps=1e-6)",
"return x / (x.pow(2).mean(-1, keepdim=True) + 1e-6) * norm.weight",),
)
wrong__norm_epsilon__1 = change(
    right__earlier_functions,
    ("self.norm_1 = nn.RMSNorm(d_model, eps=1e-6)", "self.norm_1 = nn.RMSNorm(d_model)"),
    ("self.norm_2 = nn.RMSNorm(d_model, eps=1e-6)", "self.norm_2 = nn.RMSNorm(d_model)"),
)
wrong__norm_epsilon__2 = change(
right__all_by_hand,
("nn.RMSNorm(d_model, eps=1e-6), nn.RMSNorm(d_model, eps=1e-6)",
"nn.RMSNorm(d_model, eps=1e-5), nn.RMSNorm(d_model, eps=1e-5)",),
)
# No epsilon at all.
wrong__norm_epsilon__3 = change(
    right__whole_tensors,
    (
        "F.rms_norm(x, x.shape[-1:], norm.weight, eps=1e-6)",
        "F.normalize(x, dim=-1) * x.shape[-1] ** 0.5 * norm.weight",
    ),
)
wrong__attention_left_out__1 = change(right__all_by_hand, ("x = x + mixed", "x + mixed"))
wrong__feed_forward_left_out__1 = change(
right__earlier_functions,
("return x + self.w_down(hidden), (key",
"return x, (key",),
)
wrong__positions_from_zero__1 = change(
right__earlier_functions,
("torch.arange(n_past, n_past + x.shape[-2], device",
"torch.arange(x.shape[-2], device",),
)
wrong__positions_from_zero__2 = change(
    right__whole_tensors,
    ("scores = rotary(q, at)", "scores = rotary(q, at - past[0].shape[-2])"),
)
wrong__rotary_forgotten__1 = change(
right__earlier_functions,
("query, key = rotary(query, positions), rotary(key, positions)",
"rotary(query, positions), rotary(key, positions)",),
)
wrong__only_one_turned__1 = change(
right__earlier_functions,
("rotary(query, positions), rotary(key, positions)",
"rotary(query, positions), key",),
)
wrong__values_turned__1 = change(
right__earlier_functions,
("query, key = rotary(query, positions), rotary(key, positions)",
"query, key, value = (rotary(t, positions) for t in (query, key, value))",),
)
wrong__rotary_half_split__1 = change(
    right__all_by_hand,
    ("x.double().unflatten(-1, (-1, 2)).contiguous()", "x.double().unflatten(-1, (2, -1)).mT.contiguous()"),
    (".flatten(-2).to(x.dtype)", ".mT.flatten(-2).to(x.dtype)"),
)
wrong__rotary_backwards__1 = change(
right__all_by_hand,
("torch.polar(torch.ones_like(angles), angles)",
"torch.polar(torch.ones_like(angles), -angles)",),
)
wrong__rotary_before_heads__1 = change(
right__earlier_functions,
("query = self.w_query(y).unflatten",
"n_past = 0 if cache is None else cache[0].shape[-2]\n        positions = "
"torch.arange(n_past, n_past + x.shape[-2], device=x.device)\n        query = "
"rotary(self.w_query(y), positions).unflatten",),
("key = self.w_key(y).unflatten",
"key = rotary(self.w_key(y), positions).unflatten",),
("        n_past = 0 if cache is None else cache[0].shape[-2]\n        positions "
"= torch.arange(n_past, n_past + x.shape[-2], device=x.device)\n        query, "
"key = rotary(query, positions), rotary(key, positions)\n",
"",),
)
# Everything is turned afresh at each step.
wrong__cache_unturned__1 = change(
right__earlier_functions,
("query, key = rotary(query, positions), rotary(key, positions)",
"query = rotary(query, positions)",),
("allowed = causal_mask",
"everything = torch.arange(key.shape[-2], device=x.device)\n        allowed = "
"causal_mask",),
("grouped_query_attention(query, key, value",
"grouped_query_attention(query, rotary(key, everything), value",),
)
wrong__cache_unturned__2 = change(
right__whole_tensors,
("k, v = torch.cat([past[0], rotary(k, at)], -2), torch.cat([past[1], v], -2)",
"kept = torch.cat([past[0], k], -2)\n        k, v = torch.cat([past[0], "
"rotary(k, at)], -2), torch.cat([past[1], v], -2)",),
("self.w_up(y)), (k, v)",
"self.w_up(y)), (kept, v)",),
)
wrong__cache_turned_again__1 = change(
right__earlier_functions,
("query, key = rotary(query, positions), rotary(key, positions)",
"query = rotary(query, positions)",),
("allowed = causal_mask",
"key = rotary(key, torch.arange(key.shape[-2], device=x.device))\n        "
"allowed = causal_mask",),
)
wrong__cache_order__1 = change(
    right__earlier_functions,
    ("torch.cat([cache[0], key], dim=-2)", "torch.cat([key, cache[0]], dim=-2)"),
    ("torch.cat([cache[1], value], dim=-2)", "torch.cat([value, cache[1]], dim=-2)"),
)
wrong__cache_not_extended__1 = change(
right__earlier_functions,
("self.w_down(hidden), (key, value)",
"self.w_down(hidden), (key, value) if cache is None else cache",),
)
wrong__cache_ignored__1 = change(
right__earlier_functions,
("        if cache is not None:\n            key = torch.cat([cache[0], key], "
"dim=-2)\n            value = torch.cat([cache[1], value], dim=-2)\n",
"",),
)
wrong__cache_only_newest__1 = change(
    right__earlier_functions,
    ("if cache is not None:", "new = key, value\n        if cache is not None:"),
    ("self.w_down(hidden), (key, value)", "self.w_down(hidden), new"),
)
wrong__cache_exchanged__1 = change(
    right__earlier_functions,
    ("torch.cat([cache[0], key], dim=-2)", "torch.cat([cache[1], key], dim=-2)"),
    ("torch.cat([cache[1], value], dim=-2)", "torch.cat([cache[0], value], dim=-2)"),
    ("self.w_down(hidden), (key, value)", "self.w_down(hidden), (value, key)"),
)
# The copies are made first.
wrong__cache_of_all_heads__1 = change(
right__earlier_functions,
("n_past = 0 if",
"key, value = (t.repeat_interleave(self.n_heads // self.n_groups, dim=-3) for "
"t in (key, value))\n        n_past = 0 if",),
)
wrong__future_seen__1 = change(right__earlier_functions, ("value, allowed)", "value)"))
wrong__causal_top_left__1 = change(
    right__all_by_hand, (".triu(m - n + 1)", ".triu(1)")
)
wrong__causal_only_without_cache__1 = change(
    right__earlier_functions, ("value, allowed)", "value, allowed if cache is None else None)")
)
wrong__causal_strict__1 = change(right__all_by_hand, (".triu(m - n + 1)", ".triu(m - n)"))
wrong__causal_off_by_one__1 = change(right__all_by_hand, (".triu(m - n + 1)", ".triu(m - n + 2)"))
wrong__causal_upper__1 = change(right__all_by_hand, (".triu(m - n + 1)", ".tril(m - n - 1)"))
# Multiplied once the softmax has run.
wrong__mask_after_softmax__1 = change(
right__all_by_hand,
("scores.masked_fill(future, -math.inf).softmax(-1)",
"scores.softmax(-1).masked_fill(future, 0.0)",),
)
wrong__mask_scores_to_zero__1 = change(
right__all_by_hand,
("masked_fill(future, -math.inf)",
"masked_fill(future, 0.0)",),
)
wrong__mask_tiny_fill__1 = change(
right__all_by_hand,
("masked_fill(future, -math.inf)",
"masked_fill(future, -10.0)",),
)
wrong__mask_added_as_01__1 = change(
right__all_by_hand,
("scores.masked_fill(future, -math.inf)",
"(scores + (~future).to(scores.dtype))",),
)
wrong__groups_tiled__1 = change(
    right__whole_tensors,
    ("k.repeat_interleave(copies, -3)", "torch.cat([k] * copies, -3)"),
    ("v.repeat_interleave(copies, -3)", "torch.cat([v] * copies, -3)"),
)
wrong__first_group_everywhere__1 = change(
right__heads_in_a_loop,
("group = head // (self.n_heads // self.n_groups)",
"group = 0",),
)
wrong__heads_by_view__1 = change(
right__all_by_hand,
("t.reshape(*t.shape[:-1], n, self.d).transpose(-3, -2)",
"t.reshape(*t.shape[:-2], n, t.shape[-2], self.d)",),
)
wrong__heads_interleaved__1 = change(
right__all_by_hand,
("t.reshape(*t.shape[:-1], n, self.d).transpose(-3, -2)",
"t.reshape(*t.shape[:-1], self.d, n).movedim(-1, -3)",),
)
wrong__merge_by_view__1 = change(
right__all_by_hand,
("(weights @ wide_v).transpose(-3, -2)",
"weights @ wide_v",),
)
wrong__no_output_projection__1 = change(
right__all_by_hand,
("self.w_out(merged.reshape(*y.shape[:-1], -1))",
"merged.reshape(*y.shape[:-1], -1)",),
)
wrong__no_scale__1 = change(right__all_by_hand, (" / math.sqrt(self.d)", ""))
wrong__scale_by_d__1 = change(right__all_by_hand, ("math.sqrt(self.d)", "self.d"))
wrong__scale_multiplied__1 = change(right__all_by_hand, ("/ math.sqrt(self.d)", "* math.sqrt(self.d)"))
wrong__scale_by_d_model__1 = change(right__all_by_hand, ("math.sqrt(self.d)", "math.sqrt(y.shape[-1])"))
wrong__softmax_over_queries__1 = change(
right__all_by_hand,
("masked_fill(future, -math.inf).softmax(-1)",
"masked_fill(future, -math.inf).softmax(-2)",),
)
wrong__softmax_overflows__1 = change(
right__all_by_hand,
("weights = scores.masked_fill(future, -math.inf).softmax(-1)",
"parts = scores.exp().masked_fill(future, 0.0)",
"weights = parts / parts.sum(-1, keepdim=True)",),
)
wrong__gate_on_up__1 = change(
right__earlier_functions,
("F.silu(self.w_gate(y)) * self.w_up(y)",
"self.w_gate(y) * F.silu(self.w_up(y))",),
)
wrong__gate_on_both__1 = change(
right__earlier_functions,
("F.silu(self.w_gate(y)) * self.w_up(y)",
"F.silu(self.w_gate(y)) * F.silu(self.w_up(y))",),
)
wrong__gate_on_product__1 = change(
right__earlier_functions,
("F.silu(self.w_gate(y)) * self.w_up(y)",
"F.silu(self.w_gate(y) * self.w_up(y))",),
)
wrong__gate_linear__1 = change(
right__earlier_functions,
("F.silu(self.w_gate(y)) * self.w_up(y)",
"self.w_gate(y) * self.w_up(y)",),
)
wrong__gate_added__1 = change(
right__earlier_functions,
("F.silu(self.w_gate(y)) * self.w_up(y)",
"F.silu(self.w_gate(y)) + self.w_up(y)",),
)
wrong__gate_alone__1 = change(
right__earlier_functions,
("F.silu(self.w_gate(y)) * self.w_up(y)",
"F.silu(self.w_gate(y))",),
)
wrong__another_nonlinearity__1 = change(
right__earlier_functions,
("F.silu(self.w_gate(y))",
"F.gelu(self.w_gate(y))",),
)
wrong__another_nonlinearity__2 = change(
right__earlier_functions,
("F.silu(self.w_gate(y))",
"torch.sigmoid(self.w_gate(y))",),
)

# Adds in place.
wrong__input_changed__1 = change(right__all_by_hand, ("x = x + mixed", "x += mixed"))
wrong__wrong_dtype__1 = change(
right__earlier_functions,
("return x + self.w_down(hidden), (key, value)",
"return (x + self.w_down(hidden)).float(), (key, value)",),
)
wrong__detached__1 = change(
    right__earlier_functions,
    (
        "return x + self.w_down(hidden), (key, value)",
        "return (x + self.w_down(hidden)).detach(), (key.detach(), value.detach())",
    ),
)
wrong__wrong_device__1 = change(right__earlier_functions, ("x.shape[-2], device=x.device)", "x.shape[-2])"))

# The tokens alone come back, and no cache.
extra__cache_not_returned = change(
right__earlier_functions,
("return x + self.w_down(hidden), (key, value)",
"return x + self.w_down(hidden)",),
)
# The mask of the first call serves all calls: the next token that a model writes finds it too small.
extra__mask_of_the_first_call = change(
    right__earlier_functions,
    (
        "mixed, _ =",
        "self.kept = allowed if getattr(self, 'kept', None) is None else self.kept\n        allowed = self.kept\n"
        "        mixed, _ =",
    ),
)
# Axes counted from the front: right only with exactly one batch axis.
extra__one_batch_axis = change(
right__earlier_functions,
("y = self.norm_1(x)",
"batch, n_tokens, d_model = x.shape\n        y = self.norm_1(x)",),
)


double__causal_off_by_one__and_no_scale = change(wrong__causal_off_by_one__1, (" / math.sqrt(self.d)", ""))
