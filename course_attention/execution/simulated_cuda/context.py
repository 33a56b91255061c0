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
        operators: mark the results of operators that Python does not call, such as TorchScript's, as well. That takes
            twice the time.

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
    # For a recurrent layer on a GPU torch would call cuDNN, which needs a real one.
    cudnn = torch.backends.cudnn
    enabled, cudnn.enabled = cudnn.enabled, False
    default = default_device()
    simulation = Simulation()
    try:
        with below:
            simulation.__enter__()
            yield
    finally:
        while simulation in _get_current_function_mode_stack():  # above it may be modes that an answer left
            _pop_mode()
        cudnn.enabled = enabled
        if default_device() != default:  # an answer may have made the simulated GPU the default
            torch.set_default_device(default)
