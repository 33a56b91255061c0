"""Profiles and Gaussians: the sinusoidal encoding has no Gaussian profile, a weighted Fourier series has."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_attention import position_similarity, sinusoidal_encoding
from course_attention.experiments.positions.positional_kernel import (
    fourier_encoding,
    gaussian,
    nearest_gaussian,
    profile,
)


@pytest.mark.parametrize("rate", [0.005, 0.02, 0.1])
def test_series(rate: float) -> None:
    """With enough pairs the Fourier series is the Gaussian, and with few it is not."""
    full, few = (profile(position_similarity(fourier_encoding(64, d, rate))) for d in (128, 6))
    np.testing.assert_allclose(full, gaussian(rate, 64), atol=1e-6)
    assert np.abs(few - gaussian(rate, 64)).max() > 0.02


def test_sinusoidal_profile() -> None:
    """The profile is the mean of the cosines of the offset, and no Gaussian comes near."""
    frequency = 1e4 ** -(np.arange(32) / 32)
    expected = np.cos(np.arange(64)[:, None] * frequency).mean(1)
    found = profile(position_similarity(sinusoidal_encoding(64, 64, dtype=torch.float64)))
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert np.abs(found - gaussian(nearest_gaussian(found), 64)).max() > 0.2


@pytest.mark.parametrize("rate", [0.001, 0.3])
def test_nearest(rate: float) -> None:
    """A Gaussian's nearest Gaussian is itself, to one per cent."""
    assert abs(nearest_gaussian(gaussian(rate, 64)) / rate - 1) < 0.01
