"""Degrees are measured rightly, and those of self-attention are 1, 2, 1, 3 and none."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_attention.experiments.self_attention.polynomial_degree import (
    additivity_gap,
    output_sizes,
    polynomial_degree,
    stages,
)


def draw(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@pytest.fixture(params=range(3))
def measured(request):
    x, direction = draw(6, 4, seed=request.param), draw(6, 4, seed=request.param + 10)
    projections = tuple(draw(4, d, seed=20 + d + request.param) / 2 for d in (3, 3, 5))
    return x, direction, stages(x, projections)


def test_degrees(measured):
    """Values 1, scores 2, frozen weights 1, no softmax 3; with the softmax, no polynomial fits."""
    x, direction, found = measured
    assert [polynomial_degree(stage, x, direction) for stage in found.values()] == [1, 2, 1, 3, None]


def test_growth(measured):
    """Without a softmax the output grows with the third power; with it, like the input at both ends."""
    x, _, found = measured
    ends = np.array([1e-4, 2e-4, 1e4, 2e4])
    cubic = output_sizes(found["output, without softmax"], x, ends)
    whole = output_sizes(found["output"], x, ends)
    np.testing.assert_allclose([cubic[1] / cubic[0], cubic[3] / cubic[2]], 8, rtol=1e-6)
    np.testing.assert_allclose([whole[1] / whole[0], whole[3] / whole[2]], 2, rtol=1e-2)


def test_linear_stages(measured):
    """Sums are kept by the values and by frozen weights, and by nothing else."""
    x, direction, found = measured
    kept = [additivity_gap(stage, x, direction) < 1e-12 for stage in found.values()]
    assert kept == [True, False, True, False, False]


@pytest.mark.parametrize("degree", range(6))
def test_polynomials(degree):
    """A polynomial's degree is found, whatever its lower terms."""

    def polynomial(x):
        return sum(x**power for power in range(degree + 1))

    assert polynomial_degree(polynomial, draw(5), draw(5, seed=1)) == degree
