"""Answers to the practice `LlamaBlock(d_model, n_heads, n_groups, d_hidden, base, epsilon)` of notebook 14."""

import torch
import torch.nn.functional as F
from torch import nn

from course_attention import DecoderOnlyBlock, attention, merge_heads, rotary, split_heads
from tests.corpus import change

class right__from_notebook_10(DecoderOnlyBlock):
    def __init__(self, d_model, n_heads, n_groups, d_hidden, base=10000.0, epsilon=1e-6):
        super().__init__(d_model, n_heads, n_groups, d_hidden)
        self.base = base
        self.norm_1.eps = epsilon
        self.norm_2.eps = epsilon

    def attend(self, x, cache):
        query, key = split_heads(self.w_query(x), self.n_heads), split_heads(self.w_key(x), self.n_groups)
        value = split_heads(self.w_value(x), self.n_groups)
        first = 0 if cache is None else cache[0].shape[-2]
        positions = torch.arange(first, first + x.shape[-2])
        query, key = rotary(query, positions, base=self.base), rotary(key, positions, base=self.base)
        if cache is not None:
            key = torch.cat([cache[0], key], dim=-2)
            value = torch.cat([cache[1], value], dim=-2)
        copies = self.n_heads // self.n_groups
        allowed = torch.arange(key.shape[-2]) <= positions[:, None]
        output, _ = attention(query, key.repeat_interleave(copies, -3), value.repeat_interleave(copies, -3), allowed)
        return self.w_out(merge_heads(output)), (key, value)

class right__norm_by_hand(DecoderOnlyBlock):
    def __init__(self, d_model, n_heads, n_groups, d_hidden, base=10000.0, epsilon=1e-6):
        super().__init__(d_model, n_heads, n_groups, d_hidden)
        self.base, self.epsilon = base, epsilon

    def normed(self, x, norm):
        return norm.weight * x / (x.square().mean(-1, keepdim=True) + self.epsilon).sqrt()

    def turned(self, x, positions):
        angles = positions[:, None] * self.base ** (-torch.arange(0, x.shape[-1], 2) / x.shape[-1])
        even, odd = x[..., 0::2], x[..., 1::2]
        pairs = even * angles.cos() - odd * angles.sin(), even * angles.sin() + odd * angles.cos()
        return torch.stack(pairs, dim=-1).flatten(-2)

    def forward(self, x, cache=None):
        y = self.normed(x, self.norm_1)
        query, key = split_heads(self.w_query(y), self.n_heads), split_heads(self.w_key(y), self.n_groups)
        value = split_heads(self.w_value(y), self.n_groups)
        first = 0 if cache is None else cache[0].shape[-2]
        positions = torch.arange(first, first + x.shape[-2])
        query, key = self.turned(query, positions), self.turned(key, positions)
        if cache is not None:
            key, value = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
        copies = self.n_heads // self.n_groups
        allowed = torch.arange(key.shape[-2]) <= positions[:, None]
        output, _ = attention(query, key.repeat_interleave(copies, -3), value.repeat_interleave(copies, -3), allowed)
        x = x + self.w_out(merge_heads(output))
        y = self.normed(x, self.norm_2)
        return x + self.w_down(F.silu(self.w_gate(y)) * self.w_up(y)), (key, value)

wrong__llama_base_built_in__1 = change(
    right__from_notebook_10,
    (
        "rotary(query, positions, base=self.base), rotary(key, positions, base=self.base)",
        "rotary(query, positions), rotary(key, positions)",
    ),
)
wrong__llama_epsilon_built_in__1 = change(
    right__from_notebook_10, ("self.norm_1.eps = epsilon", ""), ("self.norm_2.eps = epsilon", "")
)
wrong__llama_both_built_in__1 = change(
    right__from_notebook_10,
    ("self.base = base", "self.base = 10000.0"),
    ("self.norm_1.eps = epsilon", ""),
    ("self.norm_2.eps = epsilon", ""),
)
wrong__llama_one_norm__1 = change(right__from_notebook_10, ("self.norm_2.eps = epsilon", ""))
wrong__llama_one_norm__2 = change(right__from_notebook_10, ("self.norm_1.eps = epsilon", ""))
wrong__llama_cache_position__1 = change(
    right__from_notebook_10,
    ("torch.arange(first, first + x.shape[-2])", "torch.arange(x.shape[-2])"),
    (
        "allowed = torch.arange(key.shape[-2]) <= positions[:, None]",
        "allowed = torch.arange(key.shape[-2]) <= first + positions[:, None]",
    ),
)
# The epsilon is added after the root.
extra__epsilon_after_the_root = change(
    right__norm_by_hand,
    (
        "(x.square().mean(-1, keepdim=True) + self.epsilon).sqrt()",
        "(x.square().mean(-1, keepdim=True).sqrt() + self.epsilon)",
    ),
)
# The keys are turned with another base than the queries.
extra__keys_at_the_old_base = change(
    right__from_notebook_10, ("rotary(key, positions, base=self.base)", "rotary(key, positions)")
)
