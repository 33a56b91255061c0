"""The comparison with PyTorch's encoder layer agrees where it should, and finds what differs."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.transformer.torch_encoder import largest_difference, torch_layer
from course_attention.mechanisms.transformer import EncoderBlock


@pytest.fixture
def tokens():
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(3, 6, 8, generator=generator, dtype=torch.float64)
    return x, torch.arange(6) < torch.tensor([[6], [4], [1]])


def drawn(block):
    """Return a block in which no weight has its first value."""
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in block.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator))
    return block.double()


def test_agrees(tokens):
    """Every weight arrives: outputs agree to rounding, padding left out; with the norm first they do not."""
    block = drawn(EncoderBlock(8, 2, 16))
    assert largest_difference(block, 2, *tokens) < 1e-12
    assert largest_difference(block, 2, *tokens, normed_first=True) > 1e-2


def test_finds_an_ignored_mask(tokens):
    """A block that looks at padding comes apart."""

    class Blind(EncoderBlock):
        def forward(self, x, allowed=None):
            return super().forward(x)

    assert largest_difference(drawn(Blind(8, 2, 16)), 2, *tokens) > 1e-3


def test_copies(tokens):
    """PyTorch's layer has weights of its own: training it leaves ours as they are."""
    block = drawn(EncoderBlock(8, 2, 16))
    layer = torch_layer(block, 2)
    with torch.no_grad():
        layer.linear1.weight.zero_()
    assert (block.feed_forward[0].weight != 0).any()
