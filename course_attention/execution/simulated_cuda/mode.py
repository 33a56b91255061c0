"""The mode that sees every function of torch that Python calls while a GPU is simulated.

`TorchFunctionMode` is torch's own way to do this: torch calls `__torch_function__` in the place of each function.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_map_only

from course_attention.execution.simulated_cuda.memory import CPU, CUDA, device_of, place_of, put, settled
from course_attention.execution.simulated_cuda.methods import SPECIAL
from course_attention.execution.simulated_cuda.rules import (
    FACTORIES,
    FROM_NUMBERS,
    LIKE_THE_FIRST,
    PACKED,
    check,
    check_generator,
    tensors_in,
)


class Simulation(TorchFunctionMode):
    """Checks where an operation's tensors are, and says where its results are."""

    def __torch_function__(
        self,
        function: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        kwargs = dict(kwargs or {})
        if (special := SPECIAL.get(function)) is not None:
            return special(*args, **kwargs)
        tensors = list(tensors_in((*args, *kwargs.values())))
        on_the_gpu = [settled(tensor) is CUDA for tensor in tensors]
        if any(on_the_gpu) and not all(on_the_gpu):
            check(function, args, kwargs, tensors)
        args, kwargs, asked = _asked_device(function, args, kwargs)
        deciding = on_the_gpu[:1] if function in LIKE_THE_FIRST else on_the_gpu
        device = asked or (CUDA if any(deciding) else CPU)
        check_generator(kwargs.get("generator"), device)
        result = self.run(function, args, kwargs, device)
        lengths_on_the_cpu = getattr(function, "__name__", "") in PACKED

        def placed(tensor: Tensor) -> Tensor:
            if lengths_on_the_cpu and not tensor.is_floating_point():
                return put(tensor, CPU)
            return _placed(tensor, device, asked is not None)

        if isinstance(result, Tensor):
            return placed(result)
        if type(result) in (list, tuple) and all(isinstance(one, Tensor) for one in result):
            return type(result)(map(placed, result))
        if next(tensors_in((result,)), None) is None:  # a number or a shape, say
            return result
        return tree_map_only(Tensor, placed, result)

    def run(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        device: torch.device,
    ) -> Any:
        """Run an operation on the CPU. Its result will be marked as being on `device`.

        The tests have a simulation that does more here.
        """
        return function(*args, **kwargs)


def _placed(tensor: Tensor, device: torch.device, asked: bool) -> Tensor:
    """Put a result on the device. One that has a place, as a view has, keeps it unless a device was asked for."""
    at = place_of(tensor)
    if at is None:
        return put(tensor, device)
    if asked and at != device and device.type != "meta":
        return put(tensor.clone(), device)
    return tensor


def _asked_device(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any], torch.device | None]:
    """Return a call's arguments with "cpu" wherever they say "cuda", and the device for which it asks.

    The device is None where the call names none: then its result is where its tensors are.
    """
    asked: torch.device | None = None
    if function in FACTORIES and kwargs.get("out") is None:
        # Otherwise torch would fill in the default later, and look for a real GPU.
        if kwargs.get("device") is None:
            kwargs["device"] = getattr(default_context(), "device", None)
        asked = CPU
    if function in FROM_NUMBERS:  # a tensor stays where it is; numbers in a list come to the CPU
        numbers = args[0] if args else kwargs.get("data", kwargs.get("obj"))
        asked = device_of(numbers) if isinstance(numbers, Tensor) else CPU
    if kwargs.get("device") is not None:
        asked = _device(kwargs["device"])
        kwargs["device"] = _holds(asked)
    if function is Tensor.type_as:
        asked = device_of(args[1] if len(args) > 1 else kwargs["other"])
    if function is Tensor.to:
        rest = list(args[1:])
        for at, value in enumerate(rest):
            if isinstance(value, (str, torch.device)) or (
                isinstance(value, int) and at == 0 and not isinstance(value, bool)
            ):
                asked = _device(value)
                rest[at] = _holds(asked)
            elif isinstance(value, Tensor):  # x.to(other)
                asked, rest[at : at + 1] = device_of(value), [value.dtype]
        if "tensor" in kwargs:
            other = kwargs.pop("tensor")
            asked, kwargs["dtype"] = device_of(other), other.dtype
        args = (args[0], *rest)
    return args, kwargs, asked


def default_context() -> Any:
    """Return the mode with the device that `torch.set_default_device` was given in this thread, or None."""
    return getattr(torch._GLOBAL_DEVICE_CONTEXT, "device_context", None)


def _holds(device: torch.device) -> torch.device:
    """Return the device on which the numbers really are: the CPU for the simulated GPU."""
    return CPU if device.type == "cuda" else device


def _device(named: Any) -> torch.device:
    device = torch.device("cuda", named) if isinstance(named, int) else torch.device(named)
    if device.type == "cuda" and (device.index or 0) != 0:
        raise RuntimeError("CUDA error: invalid device ordinal")
    return {"cuda": CUDA, "cpu": CPU}.get(device.type, device)
