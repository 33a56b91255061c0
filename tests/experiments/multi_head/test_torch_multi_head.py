"""The comparison with PyTorch's layer finds what differs."""

from __future__ import annotations

import torch

from course_attention.experiments.multi_head.torch_multi_head import differences
from course_attention.mechanisms.multi_head import MultiHeadAttention, transplant


def test_finds_a_wrong_order() -> None:
    """Query and key exchanged on the way come out as far more than rounding."""

    def exchanged(theirs):
        weights = transplant(theirs)
        return weights | {
            "w_query.weight": weights["w_key.weight"],
            "w_key.weight": weights["w_query.weight"],
        }

    apart = differences(torch.float32, move=exchanged)
    assert apart["weights"] > 1e4 and apart["output"] > 1e4


def test_finds_a_wrong_gradient() -> None:
    """A layer that is right forward and wrong backward is found."""

    class Halved(MultiHeadAttention):
        def forward(self, query, key=None, value=None, allowed=None):
            output, weights = super().forward(query, key, value, allowed)
            return output / 2 + output.detach() / 2, weights

    apart = differences(torch.float64, layer=Halved)
    assert apart["output"] < 32 and apart["gradient of x"] > 1e4


def test_finds_an_ignored_mask() -> None:
    """With a mask, a layer that ignores it comes apart."""

    class Blind(MultiHeadAttention):
        def forward(self, query, key=None, value=None, allowed=None):
            return super().forward(query, key, value)

    assert max(differences(torch.float64, layer=Blind).values()) < 32
    assert differences(torch.float64, masked=True, layer=Blind)["weights"] > 1e4
