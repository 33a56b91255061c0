"""Measurements of time and memory: their form, and that they follow what is measured."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_attention import fit_exponent
from course_attention.experiments.complexity import growth, layers
from course_attention.experiments.complexity.cost_counters import peak_bytes


def test_form(device: str) -> None:
    """The least and the median for each length, and bytes; threads are as many as before."""
    threads = torch.get_num_threads()
    found = growth.measure(layers.convolution, (4, 8, 16), device, n_tries=4)
    assert torch.get_num_threads() == threads
    assert found.lengths.tolist() == [4, 8, 16]
    assert found.seconds.shape == (2, 3) and (found.seconds[0] > 0).all()
    assert (found.seconds[0] <= found.seconds[1]).all()
    assert found.bytes.shape == (3,) and (found.bytes > 0).all()


def test_tries():
    """A computation warms up once, and is tried as often as asked, or three times where it takes long."""
    for enough, tries in ((1e9, 7), (0.0, 3)):
        called = []
        growth.seconds(
            lambda called=called: called.append(torch.ones(9).sum()), "cpu", n_tries=7, enough=enough
        )
        assert len(called) == 1 + tries


def test_longer_takes_longer(device: str) -> None:
    """Self-attention of 1024 tokens takes longer than that of 128, and about 64 times the memory, less its rows."""
    found = growth.measure(layers.self_attention, (128, 1024), device)
    assert found.seconds[0, 1] > found.seconds[0, 0]
    assert 1.5 < fit_exponent(found.lengths, found.bytes) < 2


def test_bytes_on_the_cpu():
    """On the CPU the memory is that of our tally, weights included."""
    found = growth.measure(layers.dense, (3, 5), n_tries=1)
    assert found.bytes.tolist() == [peak_bytes(lambda n=n: layers.dense(n)()) for n in (3, 5)]
    assert (found.bytes >= 4 * (found.lengths * 64) ** 2).all()


@pytest.mark.parametrize("seconds", [[0.3, 0.1, 0.2]])
def test_least_and_median(monkeypatch: pytest.MonkeyPatch, seconds: list[float]) -> None:
    """The first try warms up; of the others the least and the median are kept."""
    times = iter([9.0, *seconds])
    monkeypatch.setattr(growth, "_by_processor", lambda compute: next(times))
    assert np.array_equal(growth.seconds(lambda: None, "cpu", n_tries=3), [0.1, 0.2])
