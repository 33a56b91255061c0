"""The simulated GPU for one block of code."""

import contextlib
from collections.abc import Iterator

import torch
from torch.overrides import _get_current_function_mode_stack, _pop_mode, _push_mode
from torch.utils import _device

from course_attention.execution.simulated_cuda.dispatched import Dispatched
from course_attention.execution.simulated_cuda.mode import Simulation, default_context


@contextlib.contextmanager
def simulated_cuda(operators: bool = False) -> Iterator[None]:
    """Within it, "cuda" names the simulated GPU, in this thread. `of_a_thread` is for those that it starts.

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
    # For a recurrent layer on a GPU torch would call cuDNN, which needs a real one.
    cudnn = torch.backends.cudnn
    enabled, cudnn.enabled = cudnn.enabled, False
    try:
        with _modes_put_back(), of_a_thread(operators):
            yield
    finally:
        cudnn.enabled = enabled


@contextlib.contextmanager
def of_a_thread(operators: bool = False) -> Iterator[None]:
    """Enter the modes alone, which torch keeps for each thread by itself."""
    with Dispatched() if operators else contextlib.nullcontext():
        Simulation().__enter__()
        yield


@contextlib.contextmanager
def _modes_put_back() -> Iterator[None]:
    """Afterwards torch has the modes and the default device that it had before.

    An answer may leave modes of its own, and may make the simulated GPU the default device, which is a mode as well.
    Torch's own ways to leave them expect an order that an answer need not keep: modes would stay, or torch would raise
    an error.
    """
    modes, default, current = _get_current_function_mode_stack(), default_context(), _device.CURRENT_DEVICE
    try:
        yield
    finally:
        while _get_current_function_mode_stack():
            _pop_mode()
        for mode in modes:
            _push_mode(mode)
        if default_context() is not default:
            torch._GLOBAL_DEVICE_CONTEXT.device_context = default
        _device.CURRENT_DEVICE = current
