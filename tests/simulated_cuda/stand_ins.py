"""What stands for `torch.cuda` and `torch.Generator` while a GPU is simulated."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import torch

from tests.simulated_cuda import random_numbers
from tests.simulated_cuda.lasting import LastingSimulation, Memory


class Event:
    """A CUDA event that reads this machine's clock."""

    def __init__(self, enable_timing: bool = False, **kwargs: Any) -> None:
        self._at = 0.0

    def record(self, stream: Any = None) -> None:
        self._at = time.perf_counter()

    def synchronize(self) -> None:
        """Nothing is under way."""

    def elapsed_time(self, end: Event) -> float:
        """Milliseconds from this event to another."""
        return 1000 * (end._at - self._at)


def install() -> None:
    """Make a simulated GPU the GPU of this thread, until the process ends."""
    cuda: Any = torch.cuda
    cuda.is_available = lambda: True
    cuda.device_count = lambda: 1
    cuda.current_device = lambda: 0
    cuda.get_device_name = lambda device=None: "simulated"
    cuda.synchronize = lambda device=None: None
    cuda.empty_cache = lambda: None
    cuda.Event = Event
    cuda.memory_allocated = cuda.max_memory_allocated = lambda device=None: Memory.allocated
    cuda.reset_peak_memory_stats = lambda device=None: None
    cuda.get_device_properties = lambda device=None: SimpleNamespace(name="simulated", total_memory=2**34)
    cuda.manual_seed = cuda.manual_seed_all = random_numbers.seed
    cuda.get_rng_state, cuda.set_rng_state = random_numbers.state, random_numbers.set_state
    torch.Generator = random_numbers.Generator  # type: ignore[misc, assignment]
    # For a recurrent layer on a GPU torch would call cuDNN, which needs a real one.
    torch.backends.cudnn.enabled = False
    LastingSimulation().__enter__()
