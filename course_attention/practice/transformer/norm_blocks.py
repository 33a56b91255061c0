"""Blocks that have the layers of the notebook's blocks, for the trials of the two pre-norm passes."""

from typing import TypeVar

import torch
from torch import Tensor, nn

from course_attention.mechanisms.attention import attention

Block = TypeVar("Block", bound=nn.Module)


class MeanAttention(nn.Module):
    """Attention without weights of its own to learn: what it attends to is query, key and value at once."""

    def forward(
        self, x: Tensor, memory: Tensor | None = None, *, allowed: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Attend from x to the memory, or to x. Returns the output and the weights, as one head: (batch, 1, n, m)."""
        read = x if memory is None else memory
        output, weights = attention(x, read, read, allowed)
        return output, weights.unsqueeze(1)


class PlainBlock(nn.Module):
    """The layers of an `EncoderBlock`.

    Args:
        feed_forward: the network, d_model to d_model; its first weight says how large d_model is.
    """

    def __init__(self, feed_forward: nn.Linear) -> None:
        super().__init__()
        self.attention = MeanAttention()
        self.norm_1, self.norm_2 = (nn.LayerNorm(feed_forward.in_features) for _ in range(2))
        self.feed_forward = feed_forward


class PlainDecoderBlock(nn.Module):
    """The layers of a `DecoderBlock`.

    Args:
        feed_forward: the network, d_model to d_model; its first weight says how large d_model is.
    """

    def __init__(self, feed_forward: nn.Linear) -> None:
        super().__init__()
        self.self_attention, self.cross_attention = MeanAttention(), MeanAttention()
        self.norm_1, self.norm_2, self.norm_3 = (nn.LayerNorm(feed_forward.in_features) for _ in range(3))
        self.feed_forward = feed_forward


def drawn_block(generator: torch.Generator) -> PlainBlock:
    """Return an encoder block of d_model 4 with drawn weights, so that its two norms differ."""
    return _drawn(PlainBlock(nn.Linear(4, 4)), generator)


def drawn_decoder_block(generator: torch.Generator) -> PlainDecoderBlock:
    """Return a decoder block of d_model 4 with drawn weights, so that its three norms differ."""
    return _drawn(PlainDecoderBlock(nn.Linear(4, 4)), generator)


def _drawn(block: Block, generator: torch.Generator) -> Block:
    with torch.no_grad():
        for parameter in block.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator))
    return block
