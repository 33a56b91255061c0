"""Timings: how often a computation is tried, and what is made of the tries."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_attention.experiments.common import timing


def test_tries():
    """A computation warms up once, and is tried as often as asked, or three times where it takes long."""
    for enough, tries in ((1e9, 7), (0.0, 3)):
        called = []
        timing.seconds(lambda called=called: called.append(torch.ones(9).sum()), "cpu", n_tries=7, enough=enough)
        assert len(called) == 1 + tries


@pytest.mark.parametrize("seconds", [[0.3, 0.1, 0.2]])
def test_least_and_median(monkeypatch: pytest.MonkeyPatch, seconds: list[float]) -> None:
    """The first try warms up; of the others the least and the median are kept."""
    times = iter([9.0, *seconds])
    monkeypatch.setattr(timing, "_by_processor", lambda compute: next(times))
    assert np.array_equal(timing.seconds(lambda: None, "cpu", n_tries=3), [0.1, 0.2])
