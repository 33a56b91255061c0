"""Wrong answers beyond the table, as classes, to the module `EncoderBlock` of notebook 08."""

# ruff: noqa: N801 - the name of an answer says what it is, whether function or class

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn

from course_attention import MultiHeadAttention
from tests.answers.gather import gather


class extra__EncoderBlock__weights_returned(nn.Module):
    """The weights come back too."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, weights = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x)), weights


class extra__EncoderBlock__norm_of_sublayer(nn.Module):
    """x + norm(sublayer(x))."""

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
        x = x + self.norm_1(attended)
        return x + self.norm_2(self.feed_forward(x))


class extra__EncoderBlock__pre_norm__first(nn.Module):
    """The norm before the attention, but after the feed-forward layer."""

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
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__pre_norm__second(nn.Module):
    """The norm before the feed-forward layer, but after the attention."""

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
        return x + self.feed_forward(self.norm_2(x))


class extra__EncoderBlock__pre_norm__residual_normed(nn.Module):
    """The norm before, and what is added is normed too."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        x = self.norm_1(x)
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_2(x + attended)
        return x + self.feed_forward(x)


class extra__EncoderBlock__norm_before_and_after(nn.Module):
    """Norms on both sides of each sublayer."""

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
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(self.norm_2(x)))


class extra__EncoderBlock__first_norm_everywhere(nn.Module):
    """norm_1 twice; norm_2 is there but unused."""

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
        return self.norm_1(x + self.feed_forward(x))


class extra__EncoderBlock__norms_exchanged(nn.Module):
    """norm_2 first."""

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
        x = self.norm_2(x + attended)
        return self.norm_1(x + self.feed_forward(x))


class extra__EncoderBlock__first_norm_missing(nn.Module):
    """No norm after the attention."""

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
        x = x + attended
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__last_norm_missing(nn.Module):
    """No norm at the end."""

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
        return x + self.feed_forward(x)


class extra__EncoderBlock__norms_missing(nn.Module):
    """No norms."""

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
        x = x + attended
        return x + self.feed_forward(x)


class extra__EncoderBlock__feed_forward_forgotten(nn.Module):
    """The feed-forward layer is not called."""

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
        return self.norm_2(x)


class extra__EncoderBlock__feed_forward_first(nn.Module):
    """The two sublayers in the other order."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        x = self.norm_2(x + self.feed_forward(x))
        attended, _ = self.attention(x, allowed=allowed)
        return self.norm_1(x + attended)


class extra__EncoderBlock__feed_forward_beside(nn.Module):
    """Both sublayers of the input, added up."""

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
        y = self.norm_1(x + attended)
        return self.norm_2(y + self.feed_forward(x))


class extra__EncoderBlock__residual_from_input(nn.Module):
    """What is added to the feed-forward layer is the block's input."""

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
        y = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(y))


class extra__EncoderBlock__residual_twice(nn.Module):
    """The input is added twice."""

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
        x = self.norm_1(x + x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__residual_multiplied(nn.Module):
    """Multiplied where it should be added."""

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
        x = self.norm_1(x * attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__residual_concatenated(nn.Module):
    """Concatenated: an error in the norm."""

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
        x = self.norm_1(torch.cat([x, attended], dim=-1))
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__attention_twice(nn.Module):
    """The attention is applied to its own output."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(self.attention(x, allowed=allowed)[0], allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__attention_forgotten(nn.Module):
    """The attention is not called."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        x = self.norm_1(x)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__tuple_added(nn.Module):
    """The pair that attention returns is added as it is."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__weights_taken(nn.Module):
    """The weights are taken for the output."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        _, attended = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__mask_as_key(nn.Module):
    """The mask lands in the place of the key."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__mask_required(nn.Module):
    """The mask has no default."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__mask_head_axis(nn.Module):
    """A head axis is inserted in the mask, which the attention inserts itself."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=None if allowed is None else allowed.unsqueeze(-3))
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__mask_on_queries(nn.Module):
    """The mask is transposed."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=None if allowed is None else allowed.mT)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__mask_first_item_for_all(nn.Module):
    """The first item's mask for the whole batch."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(
            x, allowed=allowed if allowed is None or allowed.dim() < 3 else allowed[:1]
        )
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__mask_fully_ignored(nn.Module):
    """A token that may attend to nothing attends to everything."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(
            x, allowed=None if allowed is None else allowed | ~allowed.any(-1, keepdim=True)
        )
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__always_causal(nn.Module):
    """A causal mask nobody asked for."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        causal = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool, device=x.device).tril()
        allowed = causal if allowed is None else allowed & causal
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__relu_missing(nn.Module):
    """Two linear layers are one."""

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
        return self.norm_2(x + self.feed_forward[2](self.feed_forward[0](x)))


class extra__EncoderBlock__relu_twice(nn.Module):
    """ReLU after the second layer too."""

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
        return self.norm_2(x + torch.relu(self.feed_forward(x)))


class extra__EncoderBlock__gelu(nn.Module):
    """GELU in place of ReLU."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.GELU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__leaky_relu(nn.Module):
    """A leaky ReLU."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.LeakyReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__tanh(nn.Module):
    """tanh in place of ReLU."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.Tanh(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__feed_forward_over_tokens(nn.Module):
    """The feed-forward layer runs along the tokens: an error unless as many as channels."""

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
        return self.norm_2(x + self.feed_forward(x.mT).mT)


class extra__EncoderBlock__feed_forward_without_bias(nn.Module):
    """The feed-forward layers have no biases: the weights cannot be loaded."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden, bias=False), nn.ReLU(), nn.Linear(d_hidden, d_model, bias=False)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__norm_without_weights(nn.Module):
    """Norms without weights and biases."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model, elementwise_affine=False)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model, elementwise_affine=False)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__norm_weights_ignored(nn.Module):
    """The norms' weights and biases are there, but unused."""

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
        x = nn.functional.layer_norm(x + attended, x.shape[-1:])
        return nn.functional.layer_norm(x + self.feed_forward(x), x.shape[-1:])


class extra__EncoderBlock__rms_norm(nn.Module):
    """RMSNorm: the mean is not taken away, and there is no bias."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.RMSNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.RMSNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__norm_eps_large(nn.Module):
    """ε of 1e-3, as elsewhere."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model, eps=1e-3)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model, eps=1e-3)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__norm_eps_small(nn.Module):
    """ε of 1e-6, as elsewhere."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model, eps=1e-6)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model, eps=1e-6)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__norm_unbiased(nn.Module):
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


class extra__EncoderBlock__norm_over_tokens(nn.Module):
    """Mean and variance along the tokens, as in batch normalisation."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )

    def normalise(self, norm, x):
        centred = x - x.mean(-2, keepdim=True)
        return (
            norm.weight * centred / torch.sqrt(centred.square().mean(-2, keepdim=True) + norm.eps) + norm.bias
        )

    def forward(self, x, allowed=None):
        x = self.normalise(self.norm_1, x + self.attention(x, allowed=allowed)[0])
        return self.normalise(self.norm_2, x + self.feed_forward(x))


class extra__EncoderBlock__norm_over_both(nn.Module):
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


class extra__EncoderBlock__other_names(nn.Module):
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


class extra__EncoderBlock__torch_attention(nn.Module):
    """nn.MultiheadAttention in the place of ours."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = nn.MultiheadAttention(d_model, n_heads, bias=False, batch_first=True)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, x, x, attn_mask=None if allowed is None else ~allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__torch_layer(nn.Module):
    """torch's own encoder layer inside: its weights have other names."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(d_model, n_heads, d_hidden, dropout=0.0, batch_first=True)

    def forward(self, x, allowed=None):
        return self.layer(x, src_mask=None if allowed is None else ~allowed)


class extra__EncoderBlock__dropout_in_training(nn.Module):
    """Dropout, as in the paper."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + self.dropout(attended))
        return self.norm_2(x + self.dropout(self.feed_forward(x)))


class extra__EncoderBlock__evaluation_differs(nn.Module):
    """The norm is left out in evaluation."""

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
        x = x + self.feed_forward(x)
        return self.norm_2(x) if self.training else x


class extra__EncoderBlock__sizes_exchanged(nn.Module):
    """The feed-forward layers the other way round."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_hidden, d_model), nn.ReLU(), nn.Linear(d_model, d_hidden)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__hidden_size_assumed(nn.Module):
    """Four times d_model, whatever d_hidden is."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, 4 * d_model), nn.ReLU(), nn.Linear(4 * d_model, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__heads_as_width(nn.Module):
    """n_heads and d_model in the other order."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(n_heads, d_model)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__one_head(nn.Module):
    """One head, whatever n_heads is."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, 1)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__width_in_each_head(nn.Module):
    """d_model channels in every head."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads, d_model, d_model)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__super_forgotten(nn.Module):
    """super().__init__() is not called."""

    def __init__(self, d_model, n_heads, d_hidden):
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


class extra__EncoderBlock__forward_forgotten(nn.Module):
    """The method has another name."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def encode(self, x, allowed=None):
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__return_forgotten(nn.Module):
    """Nothing is returned."""

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
        x = self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__gradient_misses_attention(nn.Module):
    """What was attended to is cut from the graph."""

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
        x = self.norm_1(x + attended.detach())
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__gradient_misses_residual(nn.Module):
    """What is added is cut from the graph."""

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
        return self.norm_2(x.detach() + self.feed_forward(x))


class extra__EncoderBlock__weights_changed(nn.Module):
    """Each call changes the norm."""

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
        self.norm_2.weight.data.mul_(1.1)
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__three_axes_only(nn.Module):
    """An error without a batch axis and with two."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        batch, n_tokens, d_model = x.shape
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        return self.norm_2(x + self.feed_forward(x)).view(batch, n_tokens, d_model)


class extra__EncoderBlock__batch_as_sequence(nn.Module):
    """The first two axes are exchanged, and exchanged back."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_2 = nn.LayerNorm(d_model)

    def forward(self, x, allowed=None):
        if x.dim() > 2:
            x = x.transpose(0, 1)
        attended, _ = self.attention(x, allowed=allowed)
        x = self.norm_1(x + attended)
        x = self.norm_2(x + self.feed_forward(x))
        return x.transpose(0, 1) if x.dim() > 2 else x


class extra__EncoderBlock__no_scale(nn.Module):
    """The scores are not divided."""

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
        scores = query @ key.transpose(-2, -1)
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__scale_by_d_model(nn.Module):
    """The root of d_model."""

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
        scores = query @ key.transpose(-2, -1) / math.sqrt(x.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__shared_projection(nn.Module):
    """The keys made with the query's layer."""

    def __init__(self, d_model, n_heads, d_hidden):
        super().__init__()
        self.n_heads = n_heads
        self.attention = MultiHeadAttention(d_model, n_heads)
        self.feed_forward = nn.Sequential(
            nn.Linear(d_model, d_hidden), nn.ReLU(), nn.Linear(d_hidden, d_model)
        )
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def attend(self, x, allowed):
        layers = self.attention.w_query, self.attention.w_query, self.attention.w_value
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


class extra__EncoderBlock__no_output_projection(nn.Module):
    """w_out is left out."""

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
        return (weights @ value).transpose(-3, -2).flatten(-2)

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__merge_by_view(nn.Module):
    """The heads are merged without transposing back."""

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
        return self.attention.w_out((weights @ value).reshape(x.shape))

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__heads_by_view(nn.Module):
    """The heads are split without a transpose."""

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
        query, key, value = (w(x).reshape(*x.shape[:-2], self.n_heads, x.shape[-2], -1) for w in layers)
        scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
        if allowed is not None:
            allowed = allowed.unsqueeze(-3)
            scores = scores.masked_fill(~allowed, -math.inf)
        weights = torch.nan_to_num(F.softmax(scores, dim=-1))
        return self.attention.w_out((weights @ value).transpose(-3, -2).flatten(-2))

    def forward(self, x, allowed=None):
        x = self.norm_1(x + self.attend(x, allowed))
        return self.norm_2(x + self.feed_forward(x))


class extra__EncoderBlock__bfloat16_inside(nn.Module):
    """The feed-forward layer's input is rounded to bfloat16."""

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
        return self.norm_2(x + self.feed_forward(x.bfloat16().to(x.dtype)))


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
