"""Each part that is taken out of the small Transformer is really gone, and nothing else."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from course_attention.experiments.transformer.ablation import ablate
from course_attention.experiments.transformer.model import Transformer
from course_attention.mechanisms.transformer import EncoderBlock


def build():
    return Transformer(9, 9, d_model=8, n_heads=2, d_hidden=16, n_blocks=1)


def test_without_residuals():
    """The block gives norm(sublayer(x)), twice over."""
    whole, model = build().encoder[0], ablate("residuals", build()).encoder[0]
    x = torch.randn(2, 5, 8)
    expected = whole.norm_1(whole.attention(x)[0])
    expected = whole.norm_2(whole.feed_forward(expected))
    assert torch.allclose(model(x), expected, atol=1e-4)
    assert not torch.allclose(whole(x), expected, atol=1e-2)


def test_without_residuals_in_the_decoder():
    """Cross-attention, too, replaces what came in, and its weights are left alone."""
    whole, model = build().decoder[0], ablate("residuals", build()).decoder[0]
    x, memory = torch.randn(2, 5, 8), torch.randn(2, 3, 8)
    hidden = whole.norm_1(whole.self_attention(x)[0])
    attended, weights = whole.cross_attention(hidden, memory)
    expected = whole.norm_3(whole.feed_forward(whole.norm_2(attended)))
    output, received = model(x, memory)
    assert torch.allclose(output, expected, atol=1e-4) and torch.allclose(received, weights, atol=1e-4)


def test_residuals_of_one_stack():
    """The other stack is as it was, and a decoder may lack the road past its cross-attention alone."""
    x, memory = torch.randn(2, 5, 8), torch.randn(2, 3, 8)
    whole, without = build(), ablate("residuals", build())
    for stack, other, reads in (("encoder", "decoder", (x,)), ("decoder", "encoder", (x, memory))):
        model = ablate(f"residuals of the {stack}", build())
        cut, expected = (getattr(one, stack)[0](*reads) for one in (model, without))
        assert torch.allclose(cut[0], expected[0], atol=1e-5)
        reads = (x, memory) if other == "decoder" else (x,)
        left, expected = (getattr(one, other)[0](*reads) for one in (model, whole))
        assert torch.allclose(left[0], expected[0], atol=1e-5)
    block, cut = whole.decoder[0], ablate("residuals past cross-attention", build()).decoder[0]
    hidden = block.norm_1(x + block.self_attention(x)[0])
    hidden = block.norm_2(block.cross_attention(hidden, memory)[0])
    assert torch.allclose(cut(x, memory)[0], block.norm_3(hidden + block.feed_forward(hidden)), atol=1e-5)


def test_without_the_norm():
    """No layer norm is left, and the block is the sum alone."""
    whole, model = build().encoder[0], ablate("norm", build()).encoder[0]
    assert not any(isinstance(layer, nn.LayerNorm) for layer in model.modules())
    x = torch.randn(2, 5, 8)
    expected = x + whole.attention(x)[0]
    assert torch.allclose(model(x), expected + whole.feed_forward(expected), atol=1e-5)


def test_sublayers_called_by_name():
    """A block may name the arguments of its sublayers."""

    class Named(EncoderBlock):
        def forward(self, x, allowed=None):
            x = self.norm_1(x + self.attention(query=x, allowed=allowed)[0])
            return self.norm_2(x + self.feed_forward(input=x))

    whole, model = build(), build()
    model.encoder[0] = Named(8, 2, 16)
    model.encoder[0].load_state_dict(whole.encoder[0].state_dict())
    x = torch.randn(2, 5, 8)
    expected = ablate("residuals", whole).encoder[0](x)
    assert torch.allclose(ablate("residuals", model).encoder[0](x), expected, atol=1e-5)


def test_without_the_feed_forward_network():
    """Its sum and its norm are left, and no weight of it."""
    whole, model = build().encoder[0], ablate("feed-forward", build()).encoder[0]
    x = torch.randn(2, 5, 8)
    expected = whole.norm_2(whole.norm_1(x + whole.attention(x)[0]))
    assert torch.allclose(model(x), expected, atol=1e-5) and not list(model.feed_forward.parameters())


def test_flags():
    """Positions and mask are switched off in the model; None leaves all as it was."""
    assert not ablate("positions", build()).positions and not ablate("mask", build()).causal
    whole = ablate(None, build())
    assert whole.positions and whole.causal


def test_unknown():
    """A part that there is not is an error that names those there are."""
    with pytest.raises(ValueError, match="positions, residuals, norm, mask, feed-forward"):
        ablate("dropout", build())
