"""How time and memory grow with the length: measured with the clock, and with what torch allocates."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.complexity.cost_counters import peak_bytes
from course_attention.experiments.complexity.layers import Device

LENGTHS = tuple(2**power for power in range(6, 14))  # 64 … 8192
FEWEST = 3  # tries of each computation, however long it takes
# Windows counts a thread's time in steps of 16 milliseconds.
_now = time.perf_counter if sys.platform == "win32" else time.thread_time

Compute = Callable[[], object]


@dataclass(frozen=True)
class Growth:
    """What was measured at each length.

    Attributes:
        lengths: (n_lengths,).
        seconds: (2, n_lengths): the least of all tries, and their median.
        bytes: (n_lengths,): the most memory taken at once, inputs and weights included.
    """

    lengths: np.ndarray
    seconds: np.ndarray
    bytes: np.ndarray


@torch.no_grad()
def seconds(compute: Compute, device: Device, n_tries: int = 10, enough: float = 1.0) -> np.ndarray:
    """How long a computation takes, (2,): the least of several tries, and their median.

    On CUDA by events, which the GPU itself stamps between its kernels; on the CPU by the time that this thread had the
    processor, so that other programs don't count. What they do to memory and caches still makes a try longer, never
    shorter: the least is the best estimate of what the computation takes.

    Args:
        compute: what is timed.
        device: where it runs.
        n_tries: how often, after a try that warms up.
        enough: seconds after which no further try is made, once there are three.

    Example:
        >>> least, median = seconds(lambda: torch.ones(1000) + 1, "cpu", n_tries=4)
        >>> bool(0 < least <= median)
        True
    """
    timed = _by_events if torch.device(device).type == "cuda" else _by_processor
    timed(compute)
    tries: list[float] = []
    while len(tries) < n_tries and (len(tries) < FEWEST or sum(tries) < enough):
        tries.append(timed(compute))
    return np.array([min(tries), np.median(tries)])


def _by_processor(compute: Compute) -> float:
    began = _now()
    compute()
    return _now() - began


def _by_events(compute: Compute) -> float:
    began, ended = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    began.record()
    compute()
    ended.record()
    torch.cuda.synchronize()
    return began.elapsed_time(ended) / 1000  # it gives milliseconds


def most_memory(make: Callable[[], Compute], device: Device) -> int:
    """The most bytes taken at once while a layer is made and run: by CUDA's own count there, else by ours."""
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
) -> Growth:
    """Run a layer at each length, on one thread of the CPU or on a GPU.

    Args:
        make: length, and `device` by name → something to be called without arguments.
        lengths: of the sequence.
        device: where it runs.
        n_tries: tries for each length; fewer where they take long.
    """
    memory = [most_memory(lambda n=n: make(n, device=device), device) for n in lengths]
    times = [seconds(make(n, device=device), device, n_tries) for n in lengths]
    return Growth(np.array(lengths), np.array(times).T, np.array(memory))
