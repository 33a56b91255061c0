"""Attention with Gaussian scores is Nadaraya–Watson regression, and behaves like it."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from course_attention.experiments.attention.kernel_regression import Sample, noisy_sample
from course_attention.mechanisms.attention import gaussian_scores

WIDTHS = np.geomspace(0.02, 3, 25)


def column(numbers: np.ndarray) -> Tensor:
    return torch.from_numpy(numbers)[:, None]


def predicted(at: np.ndarray, sample: Sample, width: float, allowed: Tensor | None = None) -> np.ndarray:
    scores = gaussian_scores(column(at), column(sample.x), width)
    scores = scores if allowed is None else scores.masked_fill(~allowed, -torch.inf)
    return (scores.softmax(dim=-1) @ column(sample.y))[:, 0].numpy()


def others(sample: Sample) -> Tensor:
    return ~torch.eye(len(sample.x), dtype=torch.bool)


def test_formula() -> None:
    """The prediction is Σ exp(−(g−x)²/2w²) y / Σ exp(−(g−x)²/2w²), written out with NumPy alone."""
    sample, width = noisy_sample(20), 0.4
    kernel = np.exp(-((sample.grid[:, None] - sample.x) ** 2) / (2 * width**2))
    assert np.allclose(predicted(sample.grid, sample, width), kernel @ sample.y / kernel.sum(1))


@pytest.mark.parametrize("seed", range(10))
def test_best_width_is_between(seed: int) -> None:
    """Leave-one-out prefers a width between too narrow and too wide, good for the truth as well."""
    sample = noisy_sample(seed=seed)
    left_out = [predicted(sample.x, sample, width, others(sample)) for width in WIDTHS]
    error = np.square(np.array(left_out) - sample.y).mean(1)
    truth = np.square(np.array([predicted(sample.grid, sample, width) for width in WIDTHS]) - sample.truth).mean(1)
    best = error.argmin()
    assert 0.05 < WIDTHS[best] < 0.5
    assert error[best] < 0.9 * error[0] and error[best] < 0.5 * error[-1]
    assert truth[best] < truth[0] and truth[best] < 0.2 * truth[-1]


def test_widths_at_the_ends() -> None:
    """Very narrow repeats the nearest measurement, very wide predicts the mean of all."""
    sample = noisy_sample()
    assert np.allclose(predicted(sample.x, sample, 1e-5), sample.y)
    assert np.allclose(predicted(sample.x, sample, 1e4), sample.y.mean(), atol=1e-5)


def test_leave_one_out_leaves_one_out() -> None:
    """The mask off the diagonal predicts each point as a sample without it does."""
    sample, width = noisy_sample(8), 0.5
    for index, guess in enumerate(predicted(sample.x, sample, width, others(sample))):
        rest = Sample(np.delete(sample.x, index), np.delete(sample.y, index), sample.grid, sample.truth)
        assert np.isclose(predicted(sample.x[index : index + 1], rest, width)[0], guess)


@pytest.mark.parametrize("seed", range(10))
def test_kin_of_the_dot_product(seed: int) -> None:
    """For keys of one length Gaussian and dot product give the same weights, for others they do not."""
    torch.manual_seed(seed)
    query, key = torch.randn(7, 5, dtype=torch.float64), torch.randn(9, 5, dtype=torch.float64)

    def apart(key: Tensor) -> float:
        gaussian, product = gaussian_scores(query, key, 1.0), query @ key.T
        return (gaussian.softmax(-1) - product.softmax(-1)).abs().max().item()

    assert apart(key / key.norm(dim=-1, keepdim=True)) < 1e-12
    assert apart(key) > 0.05
