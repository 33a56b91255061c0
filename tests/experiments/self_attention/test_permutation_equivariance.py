"""Self-attention alone moves its outputs along with its tokens."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.self_attention.permutation_equivariance import equivariance_gap, layers


@pytest.mark.parametrize("seed", range(5))
def test_who_is_equivariant(seed):
    """Plain self-attention is, to rounding; with a positional feature, a causal mask, or fixed weights it is not."""
    generator = torch.Generator().manual_seed(seed)
    x, *projections = (torch.randn(n, 5, generator=generator, dtype=torch.float64) for n in (6, 5, 5, 5))
    changes = {name: equivariance_gap(layer, x) for name, layer in layers(tuple(projections), 2.0, 6).items()}
    plain = changes.pop("self-attention")
    assert max(plain.shuffled, plain.shifted) < 1e-12 * plain.size
    assert all(found.shuffled > 0.01 * found.size for found in changes.values())


def test_feature_of_weight_zero():
    """A positional feature that no key takes up changes nothing: it is the use of it that counts."""
    x, *projections = (torch.randn(n, 5, dtype=torch.float64) for n in (6, 5, 5, 5))
    plain, with_feature, *_ = layers(tuple(projections), 0.0, 6).values()
    torch.testing.assert_close(plain(x), with_feature(x))


def test_change_is_seen():
    """A layer that treats the first token apart is caught."""
    found = equivariance_gap(lambda x: torch.cat([x[:1], 2 * x[1:]]), torch.eye(4))
    assert found.shuffled == found.shifted == 1 and found.size == 2
