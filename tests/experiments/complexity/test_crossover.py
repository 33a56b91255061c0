"""Stages timed apart, and the length at which one curve overtakes another."""

from __future__ import annotations

import numpy as np
import pytest

from course_attention import crossover_length
from course_attention.experiments.complexity.crossover import measured_crossover, time_stages


def test_stages(device: str) -> None:
    """The least and the median time of each stage at each length."""
    stages = time_stages(16, 4, 4, lengths=(8, 16, 32), device=device, n_tries=3)
    for seconds in (stages.projections, stages.products, stages.softmax):
        assert seconds.shape == (2, 3)
        assert (seconds[0] > 0).all() and (seconds[0] <= seconds[1]).all()


def test_overtakes_where_the_formula_says():
    """With the counts in the place of seconds it finds the crossover of the formula, between lengths as well."""
    lengths = np.array([64.0, 512.0, 4096.0])
    found = measured_crossover(lengths, slower=lengths * 512 * 192, faster=lengths**2 * 128)
    assert found == pytest.approx(crossover_length(512, 64, 64))


def test_no_crossing():
    """Where one is above the other at all lengths, or still below at the last, there is none."""
    lengths = np.array([1.0, 2.0, 4.0])
    assert measured_crossover(lengths, slower=lengths, faster=2 * lengths) is None
    assert measured_crossover(lengths, slower=2 * lengths, faster=lengths) is None


def test_last_crossing():
    """Noise may cross more than once: the last one counts."""
    lengths = np.array([1.0, 2.0, 4.0, 8.0])
    found = measured_crossover(lengths, slower=np.ones(4), faster=np.array([0.5, 2.0, 0.5, 2.0]))
    assert 4 < found < 8
