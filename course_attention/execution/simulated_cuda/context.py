"""The simulated GPU for one block of code."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch
from torch.overrides import _get_current_function_mode_stack, _pop_mode

from course_attention.execution.simulated_cuda.dispatched import Dispatched
from course_attention.execution.simulated_cuda.mode import Simulation, default_device


@contextlib.contextmanager
def simulated_cuda(operators: bool = False) -> Iterator[None]:
    """Within it, "cuda" names the simulated GPU, in this thread.

    Args:
        operators: follow tensors below Python as well, as TorchScript needs it. That takes twice the time.

    Example:
        >>> with simulated_cuda():
        ...     x = torch.ones(2, 3, device="cuda")
        ...     x.sum(-1)
        tensor([3., 3.], device='cuda:0')
        >>> with simulated_cuda():
        ...     x = torch.ones(2, 3, device="cuda") + torch.ones(3)
        Traceback (most recent call last):
        ...
        RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
    """
    below = Dispatched() if operators else contextlib.nullcontext()
    # A real GPU's kernels for recurrent layers are looked for where a tensor says that it is on a GPU.
    cudnn = torch.backends.cudnn
    enabled, cudnn.enabled = cudnn.enabled, False
    default = default_device()
    simulation = Simulation()
    try:
        with below:
            simulation.__enter__()
            yield
    finally:
        while simulation in _get_current_function_mode_stack():  # above it stands what an answer left there
            _pop_mode()
        cudnn.enabled = enabled
        if default_device() != default:  # it would ask for a GPU that is there no more
            torch.set_default_device(default)
