"""The measurements of scaling agree with theory, with autograd and with each other."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_attention.experiments.attention.scaling import (
    measure_scaling,
    normalised_entropy,
    through_softmax,
    unscaled,
)
from course_attention.mechanisms.attention import attention


@pytest.fixture(scope="module")
def both():
    return measure_scaling(True), measure_scaling(False)


def test_gradient_of_the_scores_is_autograds():
    """The closed form of the way back through the softmax is what autograd finds."""
    scores = torch.tensor([[0.3, -1.0, 2.0, 0.0], [4.0, 1.0, 0.0, -9.0]], dtype=torch.float64).requires_grad_()
    gradient = torch.tensor([[1.0, 2.0, -1.0, 0.5], [0.0, -3.0, 1.0, 2.0]], dtype=torch.float64)
    weights = scores.softmax(-1)
    (weights * gradient).sum().backward()
    assert torch.allclose(through_softmax(weights.detach(), gradient), scores.grad)


def test_variance_is_d_key(both):
    """The variance of the scores is d_key, and 1 when scaled, at every size of 64 or more."""
    scaled, plain = both
    large = plain.d_keys >= 64
    assert np.allclose(plain.variance.mean(0)[large] / plain.d_keys[large], 1, atol=0.05)
    assert np.allclose(scaled.variance.mean(0)[large], 1, atol=0.05)


def test_scaled_start_is_alike(both):
    """With scaling the entropy hardly depends on d_key; without it, it falls at every doubling."""
    scaled, plain = both
    assert np.ptp(scaled.entropy.mean(0)[1:]) < 0.02
    assert (np.diff(plain.entropy.mean(0)) < 0).all()
    assert plain.entropy[:, -1].max() < 0.05


def test_half_the_gradients_vanish(both):
    """Unscaled at d_key 1024 the typical gradient is small, the root mean square large, at every seed."""
    scaled, plain = both
    assert (plain.typical_gradient[:, -1] < 0.1 * scaled.typical_gradient[:, -1]).all()
    assert (plain.gradient[:, -1] > 10 * scaled.gradient[:, -1]).all()


def test_gradients_of_scores_vanish_for_long_keys(both):
    """Unscaled, a query's scores get more gradient than scaled at d_key 8, and next to none at 1024, at every seed."""
    scaled, plain = (measurements.score_gradient for measurements in both)
    assert (plain[:, 3] > scaled[:, 3]).all()
    assert (plain[:, 10] < scaled[:, 10] / 100).all()


def test_unscaled_undoes_the_root():
    """The unscaled attention has the softmax of plain dot products as its weights."""
    query, key = torch.randn(3, 7, dtype=torch.float64), torch.randn(5, 7, dtype=torch.float64)
    assert torch.allclose(unscaled(attention)(query, key, key)[1], (query @ key.T).softmax(-1))


def test_measures_what_is_passed():
    """The attention handed in is the one measured: a uniform one has entropy 1 and no gradient."""

    def uniform(query, key, value):
        weights = (query @ key.mT * 0).softmax(-1)
        return weights @ value, weights

    measured = measure_scaling(d_keys=(4,), n_seeds=2, attend=uniform)
    assert np.allclose(measured.entropy, 1)
    assert np.allclose(measured.gradient, 0)


def test_entropy_of_certainty():
    """Weights on a single key have entropy 0, not NaN."""
    assert normalised_entropy(torch.tensor([0.0, 1.0, 0.0])) == 0
