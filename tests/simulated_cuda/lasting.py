"""The judge's simulated GPU with what a whole program needs: random numbers of its own, and a count of its memory."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import torch

from course_attention.execution.simulated_cuda.memory import CUDA, place_of
from course_attention.execution.simulated_cuda.mode import Simulation
from course_attention.execution.simulated_cuda.rules import tensors_in
from tests.simulated_cuda.random_numbers import RANDOM, drawn_on_the_gpu


class Memory:
    """How many bytes of tensors were placed on the GPU so far. They are never given back here."""

    allocated = 0


class LastingSimulation(Simulation):
    """Draws other numbers on the GPU than the CPU does, and counts the memory that is used there."""

    def run(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        device: torch.device,
    ) -> Any:
        draws = device is CUDA and kwargs.get("generator") is None and getattr(function, "__name__", "") in RANDOM
        with drawn_on_the_gpu() if draws else contextlib.nullcontext():
            result = super().run(function, args, kwargs, device)
        if device is CUDA:
            new = (tensor for tensor in tensors_in((result,)) if place_of(tensor) is None)
            Memory.allocated += sum(tensor.numel() * tensor.element_size() for tensor in new)
        return result
