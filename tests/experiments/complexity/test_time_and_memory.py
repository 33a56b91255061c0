"""Measurements of time and memory: their form, and that they follow what is measured."""

from __future__ import annotations

import torch

from course_attention import fit_exponent
from course_attention.experiments.common.cost_counters import peak_bytes
from course_attention.experiments.complexity import layers, time_and_memory


def test_form(device: str) -> None:
    """The least and the median for each length, and bytes; threads are as many as before."""
    threads = torch.get_num_threads()
    found = time_and_memory.measure(layers.convolution, (4, 8, 16), device, n_tries=4)
    assert torch.get_num_threads() == threads
    assert found.lengths.tolist() == [4, 8, 16]
    assert found.seconds.shape == (2, 3) and (found.seconds[0] > 0).all()
    assert (found.seconds[0] <= found.seconds[1]).all()
    assert found.bytes.shape == (3,) and (found.bytes > 0).all()


def test_longer_takes_longer(device: str) -> None:
    """Self-attention of 1024 tokens takes longer than that of 128, and about 64 times the memory, less its rows."""
    found = time_and_memory.measure(layers.self_attention, (128, 1024), device)
    assert found.seconds[0, 1] > found.seconds[0, 0]
    assert 1.5 < fit_exponent(found.lengths, found.bytes) < 2


def test_bytes_on_the_cpu():
    """On the CPU the memory is that of our tally, weights included."""
    found = time_and_memory.measure(layers.dense, (3, 5), n_tries=1)
    assert found.bytes.tolist() == [peak_bytes(lambda n=n: layers.dense(n)()) for n in (3, 5)]
    assert (found.bytes >= 4 * (found.lengths * 64) ** 2).all()
