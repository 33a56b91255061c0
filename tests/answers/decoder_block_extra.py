"""Wrong answers beyond the table, as classes, to the module `DecoderBlock` of notebook 08."""

# ruff: noqa: N801 - the name of an answer says what it is, whether function or class

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_attention import MultiHeadAttention
from tests.answers.gather import gather


class extra__DecoderBlock__weights_forgotten(nn.Module):
    """The weights are not returned."""

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
        attended, _ = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x))


class extra__DecoderBlock__self_weights_returned(nn.Module):
    """The weights of the self-attention come back."""

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
        attended, weights = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, _ = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__both_weights_returned(nn.Module):
    """The weights of both attentions come back."""

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
        attended, own = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), own, weights


class extra__DecoderBlock__return_order_swapped(nn.Module):
    """(weights, x)."""

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
        return weights, self.norm_3(x + self.feed_forward(x))


class extra__DecoderBlock__weights_averaged(nn.Module):
    """The weights are averaged over the heads."""

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
        return self.norm_3(x + self.feed_forward(x)), weights.mean(-3)


class extra__DecoderBlock__context_returned(nn.Module):
    """What was found in the memory comes back in place of the weights."""

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
        attended, _ = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), attended


class extra__DecoderBlock__memory_returned(nn.Module):
    """The memory comes back in place of the weights."""

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
        attended, _ = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), memory


class extra__DecoderBlock__norm_of_sublayer(nn.Module):
    """x + norm(sublayer(x))."""

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
        x = x + self.norm_1(attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = x + self.norm_2(attended)
        return x + self.norm_3(self.feed_forward(x)), weights


class extra__DecoderBlock__pre_norm__first(nn.Module):
    """Only the self-attention has its norm before."""

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
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__pre_norm__cross(nn.Module):
    """Only the cross-attention has its norm before."""

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
        attended, weights = self.cross_attention(self.norm_2(x), memory, allowed=memory_allowed)
        x = x + attended
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__pre_norm__memory(nn.Module):
    """The norms before, and the memory is normed too."""

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
        attended, weights = self.cross_attention(self.norm_2(x), self.norm_2(memory), allowed=memory_allowed)
        x = x + attended
        return x + self.feed_forward(self.norm_3(x)), weights


class extra__DecoderBlock__memory_normed(nn.Module):
    """The memory is normed."""

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
        attended, weights = self.cross_attention(x, self.norm_2(memory), allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__first_norm_everywhere(nn.Module):
    """norm_1 three times."""

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
        x = self.norm_1(x + attended)
        return self.norm_1(x + self.feed_forward(x)), weights


class extra__DecoderBlock__norms_exchanged(nn.Module):
    """norm_2 and norm_3 exchanged."""

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
        x = self.norm_3(x + attended)
        return self.norm_2(x + self.feed_forward(x)), weights


class extra__DecoderBlock__last_norm_missing(nn.Module):
    """No norm at the end."""

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
        return x + self.feed_forward(x), weights


class extra__DecoderBlock__middle_norm_missing(nn.Module):
    """No norm after the cross-attention."""

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
        x = x + attended
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__feed_forward_forgotten(nn.Module):
    """The feed-forward layer is not called."""

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
        return self.norm_3(x), weights


class extra__DecoderBlock__feed_forward_between(nn.Module):
    """The feed-forward layer between the attentions."""

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
        x = self.norm_3(x + self.feed_forward(x))
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        return self.norm_2(x + attended), weights


class extra__DecoderBlock__cross_forgotten(nn.Module):
    """The memory is not looked at; its weights come back all the same."""

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
        _, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__self_forgotten(nn.Module):
    """The self-attention is not called."""

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
        x = self.norm_1(x)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__cross_queries_from_input(nn.Module):
    """The query of the cross-attention is the block's input."""

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
        y = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(y + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__residual_from_input(nn.Module):
    """What is added to the feed-forward layer is the block's input."""

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
        y = self.norm_1(x + attended)
        attended, weights = self.cross_attention(y, memory, allowed=memory_allowed)
        y = self.norm_2(y + attended)
        return self.norm_3(x + self.feed_forward(y)), weights


class extra__DecoderBlock__residual_memory(nn.Module):
    """The memory is added: an error unless as long as x."""

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
        x = self.norm_2(memory + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__roles_swapped(nn.Module):
    """Queries from the memory: an error unless as long as x."""

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
        attended, weights = self.cross_attention(memory, x, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__value_from_target(nn.Module):
    """Keys from the memory, values from x: an error unless as long as x."""

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
        attended, weights = self.cross_attention(x, memory, x, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__key_from_target(nn.Module):
    """Keys from x, values from the memory: an error unless as long as x."""

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
        attended, weights = self.cross_attention(x, x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__self_sees_memory(nn.Module):
    """The self-attention looks at the memory."""

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
        attended, _ = self.self_attention(x, memory, allowed=memory_allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__one_attention_for_both(nn.Module):
    """The self-attention's layers are used for the cross-attention."""

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
        attended, weights = self.self_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__attentions_exchanged(nn.Module):
    """The layers of the two attentions are exchanged."""

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
        attended, _ = self.cross_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.self_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__masks_as_keys(nn.Module):
    """The mask lands in the place of the value."""

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
        attended, weights = self.cross_attention(x, memory, memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__masks_exchanged__self_only(nn.Module):
    """The memory's mask in both attentions."""

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
        attended, _ = self.self_attention(x, allowed=memory_allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__masks_joined(nn.Module):
    """Both masks in the self-attention: an error unless they fit."""

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
        attended, _ = self.self_attention(
            x,
            allowed=allowed
            if memory_allowed is None
            else memory_allowed
            if allowed is None
            else allowed & memory_allowed,
        )
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__mask_required(nn.Module):
    """The memory's mask has no default."""

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

    def forward(self, x, memory, allowed, memory_allowed):
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__mask_on_queries(nn.Module):
    """The memory's mask is transposed."""

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
            x, memory, allowed=None if memory_allowed is None else memory_allowed.mT
        )
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__mask_first_item_for_all(nn.Module):
    """The first item's mask of the memory for the whole batch."""

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
            x,
            memory,
            allowed=memory_allowed
            if memory_allowed is None or memory_allowed.dim() < 3
            else memory_allowed[:1],
        )
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__mask_fully_ignored(nn.Module):
    """A token that may attend to nothing in the memory attends to all of it."""

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
            x,
            memory,
            allowed=None
            if memory_allowed is None
            else memory_allowed | ~memory_allowed.any(-1, keepdim=True),
        )
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__always_causal(nn.Module):
    """A causal mask of its own."""

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
        causal = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool, device=x.device).tril()
        allowed = causal if allowed is None else allowed & causal
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__causal_by_default(nn.Module):
    """A causal mask where none is given."""

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
        if allowed is None:
            allowed = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool, device=x.device).tril()
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__masks_positional_order(nn.Module):
    """memory_allowed before allowed."""

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

    def forward(self, x, memory, memory_allowed=None, allowed=None):
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__relu_missing(nn.Module):
    """Two linear layers are one."""

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
        return self.norm_3(x + self.feed_forward[2](self.feed_forward[0](x))), weights


class extra__DecoderBlock__gelu(nn.Module):
    """GELU in place of ReLU."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.GELU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__norm_eps_large(nn.Module):
    """ε of 1e-3 in the last norm."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model, eps=1e-3)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__other_names(nn.Module):
    """The attentions under other names."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.attention_2 = MultiHeadAttention(d_model, n_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.attention_2(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__encoder_block(nn.Module):
    """A block of the encoder: there is no cross-attention."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_3 = nn.LayerNorm(d_model)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        weights = None
        x = self.norm_2(x)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__torch_layer(nn.Module):
    """torch's own decoder layer inside: its weights have other names."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.layer = nn.TransformerDecoderLayer(d_model, n_heads, d_hidden, dropout=0.0, batch_first=True)

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        tgt_mask = None if allowed is None else ~allowed
        return self.layer(x, memory, tgt_mask, None if memory_allowed is None else ~memory_allowed), None


class extra__DecoderBlock__dropout_in_training(nn.Module):
    """Dropout, as in the paper."""

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
        x = x + nn.functional.dropout(self.feed_forward(x), 0.1, self.training)
        return self.norm_3(x), weights


class extra__DecoderBlock__one_head(nn.Module):
    """One head in the cross-attention."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.cross_attention = MultiHeadAttention(d_model, 1)
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


class extra__DecoderBlock__super_forgotten(nn.Module):
    """super().__init__() is not called."""

    def __init__(self, d_model, n_heads, d_hidden):
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


class extra__DecoderBlock__memory_required_to_fit(nn.Module):
    """An error unless x and memory are of one length."""

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
        if x.shape != memory.shape:
            raise ValueError("x and memory must have the same shape")
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__gradient_misses_memory(nn.Module):
    """The memory is cut from the graph: the encoder would not learn."""

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
        attended, weights = self.cross_attention(x, memory.detach(), allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__gradient_misses_weights(nn.Module):
    """The weights that come back are cut from the graph."""

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
        return self.norm_3(x + self.feed_forward(x)), weights.detach()


class extra__DecoderBlock__three_axes_only(nn.Module):
    """An error without a batch axis and with two."""

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
        batch, n_tokens, d_model = x.shape
        attended, _ = self.self_attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        attended, weights = self.cross_attention(x, memory, allowed=memory_allowed)
        x = self.norm_2(x + attended)
        return self.norm_3(x + self.feed_forward(x)).view(batch, n_tokens, d_model), weights


class extra__DecoderBlock__softmax_over_queries__cross(nn.Module):
    """Softmax over the queries, in the cross-attention only."""

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
        weights = torch.nan_to_num(F.softmax(scores, dim=-1 if x is context else -2))
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__scale_multiplied__self(nn.Module):
    """Multiplied by √d_key in the self-attention."""

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
        scores = query @ key.transpose(-2, -1) * key.shape[-1] ** (0.5 if x is context else -0.5)
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


class extra__DecoderBlock__no_scale(nn.Module):
    """The scores are not divided."""

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
        scores = query @ key.transpose(-2, -1)
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


class extra__DecoderBlock__scale_by_d_model(nn.Module):
    """The root of d_model."""

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
        scores = query @ key.transpose(-2, -1) / math.sqrt(x.shape[-1])
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


class extra__DecoderBlock__no_output_projection(nn.Module):
    """w_out is left out."""

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
        return (weights @ value).transpose(-3, -2).flatten(-2), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


class extra__DecoderBlock__shared_projection(nn.Module):
    """The keys made with the query's layer."""

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
            for w, tokens in ((layer.w_query, x), (layer.w_query, context), (layer.w_value, context))
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


class extra__DecoderBlock__mask_no_head_axis(nn.Module):
    """The masks are laid on the scores as they are."""

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
            allowed = allowed
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return layer.w_out((weights @ value).transpose(-3, -2).flatten(-2)), weights

    def forward(self, x, memory, allowed=None, memory_allowed=None):
        x = self.norm_1(x + self.attend(self.self_attention, x, x, allowed)[0])
        output, weights = self.attend(self.cross_attention, x, memory, memory_allowed)
        x = self.norm_2(x + output)
        return self.norm_3(x + self.feed_forward(x)), weights


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
