"""What stands for `torch.cuda` and `torch.Generator` while a GPU is simulated."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import torch

from tests.simulated_cuda.rules import CPU, CUDA
from tests.simulated_cuda.tensors import Simulation


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


class Generator(torch.Generator):
    """A generator that belongs to a device; the CPU draws for either, so that both draw the same numbers."""

    def __new__(cls, device: Any = "cpu") -> Generator:
        made = super().__new__(cls)
        made._belongs_to = CUDA if torch.device(device).type == "cuda" else CPU
        return made

    @property
    def device(self) -> torch.device:
        return self._belongs_to


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
    # Its memory is the CPU's, which nobody counts: a program that reads these runs, and what it reads says nothing.
    cuda.memory_allocated = cuda.max_memory_allocated = lambda device=None: 0
    cuda.reset_peak_memory_stats = lambda device=None: None
    cuda.get_device_properties = lambda device=None: SimpleNamespace(name="simulated", total_memory=2**34)
    cuda.manual_seed = cuda.manual_seed_all = lambda seed: None
    torch.Generator = Generator  # type: ignore[misc, assignment]
    # A GPU's own kernels for recurrent layers are looked for where a tensor says it is on a GPU.
    torch.backends.cudnn.is_acceptable = lambda tensor: False  # type: ignore[assignment]
    Simulation().__enter__()
