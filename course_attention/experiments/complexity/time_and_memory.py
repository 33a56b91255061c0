"""Measures how the time and the memory of a layer grow with the length of the sequence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch

from course_attention.experiments.common.cost_counters import peak_bytes
from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.common.timing import seconds
from course_attention.experiments.complexity.layers import Device

LENGTHS = tuple(2**power for power in range(6, 14))  # 64 … 8192

Compute = Callable[[], object]


@dataclass(frozen=True)
class TimeAndMemory:
    """Time and memory at each length.

    Attributes:
        lengths: (n_lengths,).
        seconds: (2, n_lengths): the least of all tries, and their median.
        bytes: (n_lengths,): the most memory taken at once, inputs and weights included.
    """

    lengths: np.ndarray
    seconds: np.ndarray
    bytes: np.ndarray


def peak_memory(make: Callable[[], Compute], device: Device) -> int:
    """The most bytes taken at once while a layer is made and run; on a GPU as CUDA counts, else by `peak_bytes`."""
    if torch.device(device).type != "cuda":
        return peak_bytes(lambda: make()())
    before = torch.cuda.memory_allocated(device)
    torch.cuda.reset_peak_memory_stats(device)
    with torch.no_grad():
        make()()
    return torch.cuda.max_memory_allocated(device) - before


@one_thread()
def measure(
    make: Callable[..., Compute], lengths: Sequence[int] = LENGTHS, device: Device = "cpu", n_tries: int = 10
) -> TimeAndMemory:
    """Run a layer at each length, on one thread of the CPU or on a GPU.

    Args:
        make: from a length, and `device` by name, to a function without arguments that runs the layer.
        lengths: of the sequence.
        device: where it runs.
        n_tries: for each length; fewer where they take long.
    """
    memory = [peak_memory(partial(make, n, device=device), device) for n in lengths]
    times = [seconds(make(n, device=device), device, n_tries) for n in lengths]
    return TimeAndMemory(np.array(lengths), np.array(times).T, np.array(memory))
