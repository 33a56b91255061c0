"""Attention with Gaussian scores is Nadaraya–Watson regression, and behaves like it."""

from __future__ import annotations

import numpy as np
import pytest

from course_attention.experiments.attention.kernel_regression import (
    compare_with_dot_product,
    error_against_truth,
    leave_one_out,
    nadaraya_watson,
    noisy_sample,
)

WIDTHS = np.geomspace(0.02, 3, 25)


def test_formula():
    """The prediction is Σ exp(−(g−x)²/2w²) y / Σ exp(−(g−x)²/2w²), written out with NumPy alone."""
    sample, width = noisy_sample(20), 0.4
    kernel = np.exp(-((sample.grid[:, None] - sample.x) ** 2) / (2 * width**2))
    predicted, weights = nadaraya_watson(sample.grid, sample, width)
    assert np.allclose(predicted, kernel @ sample.y / kernel.sum(1))
    assert np.allclose(weights.sum(1), 1)


@pytest.mark.parametrize("seed", range(10))
def test_best_width_is_between(seed):
    """Leave-one-out prefers a width between too narrow and too wide, good for the truth as well."""
    sample = noisy_sample(seed=seed)
    error, truth = leave_one_out(sample, WIDTHS), error_against_truth(sample, WIDTHS)
    best = error.argmin()
    assert 0.05 < WIDTHS[best] < 0.5
    assert error[best] < 0.9 * error[0]
    assert error[best] < 0.5 * error[-1]
    assert truth[best] < truth[0]
    assert truth[best] < 0.2 * truth[-1]


def test_widths_at_the_ends():
    """Very narrow repeats the nearest measurement, very wide predicts the mean of all."""
    sample = noisy_sample()
    assert np.allclose(nadaraya_watson(sample.x, sample, 1e-5)[0], sample.y)
    assert np.allclose(nadaraya_watson(sample.x, sample, 1e4)[0], sample.y.mean(), atol=1e-5)


def test_leave_one_out_leaves_one_out():
    """Each error is that of predicting a point from a sample without it."""
    sample, width = noisy_sample(8), 0.5
    errors = []
    for index in range(8):
        rest = type(sample)(np.delete(sample.x, index), np.delete(sample.y, index), sample.grid, sample.truth)
        predicted = nadaraya_watson(sample.x[index : index + 1], rest, width)[0][0]
        errors.append((predicted - sample.y[index]) ** 2)
    assert np.isclose(leave_one_out(sample, [width])[0], np.mean(errors))


@pytest.mark.parametrize("seed", range(10))
def test_kin_of_the_dot_product(seed):
    """For keys of one length Gaussian and dot product give the same weights, for others they do not."""
    kinship = compare_with_dot_product(seed=seed)
    assert kinship.equal_norms < 1e-12
    assert kinship.spread < 1e-12
    assert kinship.different_norms > 0.05
