"""Temperature and overflow are what notebook 00 says."""

from __future__ import annotations

import numpy as np
import pytest

from course_attention.experiments.softmax.temperature import at_temperatures, largest_exponent, naive_softmax


def test_temperature():
    """Cold weights go to the largest score, hot weights become uniform; all sum to 1."""
    weights = at_temperatures([1.0, 2.0, 3.0], (0.01, 1.0, 1000.0))
    assert np.allclose(weights.sum(1), 1)
    assert np.allclose(weights[0], [0, 0, 1])
    assert np.allclose(weights[2], 1 / 3, atol=1e-3)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_largest_exponent(dtype):
    """exp of the score is finite, and of 0.01 more it is not."""
    limit = largest_exponent(dtype)
    with np.errstate(over="ignore"):
        assert np.isfinite(np.exp(dtype(limit)))
        assert np.isinf(np.exp(dtype(limit + 0.01)))


def test_plain_softmax_breaks():
    """The handout's softmax gives NaN for large scores, and one sum for a whole matrix."""
    assert np.isnan(naive_softmax([1000.0, 0.0])).any()
    assert np.allclose(naive_softmax(np.zeros((2, 2))), 0.25)


def test_uses_what_is_passed():
    """The student's softmax is the one used."""
    assert (at_temperatures([1.0, 2.0], (1.0,), softmax=lambda scores: scores * 0) == 0).all()
