"""The simulated tensors, and the mode that sees every operation while the simulation is on."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_iter, tree_map_only

from tests.simulated_cuda.rules import CPU, CUDA, PACKED, check, check_generator


class CudaTensor(Tensor):
    """A tensor that is on the GPU as far as anybody can tell."""

    # The mode below says where a result is. Looking at the class of the arguments as well would only take time.
    __torch_function__ = torch._C._disabled_torch_function_impl


class CudaParameter(CudaTensor, nn.Parameter):
    """A parameter that was moved there."""


def on_cuda(tensor: Tensor) -> bool:
    return isinstance(tensor, CudaTensor)


def moved(tensor: Tensor, device: torch.device) -> Tensor:
    """The tensor as one of that device: the object itself, whose class says where it is.

    A class is changed and no copy made, so that views, gradients and what holds the tensor stay as they are.
    """
    if device.type == "cuda" and not on_cuda(tensor):
        tensor.__class__ = CudaParameter if isinstance(tensor, nn.Parameter) else CudaTensor
    elif device.type == "cpu" and on_cuda(tensor):
        tensor.__class__ = nn.Parameter if isinstance(tensor, CudaParameter) else Tensor
    return tensor


class Simulation(TorchFunctionMode):
    """Sees every operation of torch: checks where its tensors are, and says where its results are."""

    def __torch_function__(
        self,
        function: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        kwargs = dict(kwargs or {})
        if (special := _SPECIAL.get(function)) is not None:
            return special(*args, **kwargs)
        tensors = list(_tensors_in((*args, *kwargs.values())))
        check(function, tensors, on_cuda)
        args, kwargs, asked = _asked_device(function, args, kwargs)
        device = asked or (CUDA if any(map(on_cuda, tensors)) else CPU)
        if "generator" in kwargs and kwargs["generator"] is not None:
            check_generator(kwargs["generator"], device)
        result = function(*args, **kwargs)
        given = {id(tensor) for tensor in tensors}
        if getattr(function, "__name__", "") in PACKED:
            given |= {id(tensor) for tensor in _tensors_in((result,)) if not tensor.is_floating_point()}
        return _placed(result, device, given, asked is not None)


_PLAIN = (int, float, str, torch.dtype, torch.device, torch.Size, type(None))  # most of what is no tensor


def _tensors_in(values: Iterable[Any]) -> Iterator[Tensor]:
    """The tensors among values and in their containers. PyTorch's own walk takes as long as a small operation."""
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif not isinstance(value, _PLAIN):
            yield from (leaf for leaf in tree_iter(value) if isinstance(leaf, Tensor))


def _placed(result: Any, device: torch.device, given: set[int], copy: bool) -> Any:
    """The result with its new tensors on the device; a tensor that was given is where it was."""
    if isinstance(result, Tensor):
        return _place(result, device, given, copy)
    if isinstance(result, _PLAIN) or next(_tensors_in((result,)), None) is None:
        return result
    return tree_map_only(Tensor, lambda tensor: _place(tensor, device, given, copy), result)


def _place(tensor: Tensor, device: torch.device, given: set[int], copy: bool) -> Tensor:
    if id(tensor) not in given:
        return moved(tensor, device)
    if copy and on_cuda(tensor) != (device.type == "cuda"):
        # `.to` gave the tensor itself, as both devices are one memory here: the copy that CUDA makes
        return moved(tensor.clone(), device)
    return tensor


def _asked_device(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any], torch.device | None]:
    """The arguments with the CPU in the place of the GPU, where they name it, and the device that they name."""
    asked: torch.device | None = None
    if kwargs.get("device") is not None:
        asked = _device(kwargs["device"])
        kwargs["device"] = _holds(asked)
    if function is Tensor.to:
        rest = list(args[1:])
        for at, value in enumerate(rest):
            if isinstance(value, (str, torch.device)) or (
                isinstance(value, int) and at == 0 and not isinstance(value, bool)
            ):
                asked = _device(value)
                rest[at] = _holds(asked)
            elif isinstance(value, Tensor):  # x.to(other)
                asked, rest[at : at + 1] = (CUDA if on_cuda(value) else CPU), [value.dtype]
        if "other" in kwargs:
            other = kwargs.pop("other")
            asked, kwargs["dtype"] = (CUDA if on_cuda(other) else CPU), other.dtype
        args = (args[0], *rest)
    return args, kwargs, asked


def _holds(device: torch.device) -> torch.device:
    """The device that really holds the numbers; tensors on "meta" have none."""
    return CPU if device.type == "cuda" else device


def _device(named: Any) -> torch.device:
    device = torch.device("cuda", named) if isinstance(named, int) else torch.device(named)
    if device.type == "cuda" and (device.index or 0) != 0:
        raise RuntimeError("CUDA error: invalid device ordinal")
    return CUDA if device.type == "cuda" else device


def _where(tensor: Tensor) -> torch.device:
    return CUDA if on_cuda(tensor) else Tensor.device.__get__(tensor)  # type: ignore[attr-defined]


def _data_set(tensor: Tensor, value: Tensor) -> None:
    """`tensor.data = value` moves a parameter to where the value is, as `Module.to` does it."""
    Tensor.data.__set__(tensor, value)  # type: ignore[attr-defined]
    moved(tensor, CUDA if on_cuda(value) else CPU)


def _grad_get(tensor: Tensor) -> Tensor | None:
    grad = Tensor.grad.__get__(tensor)  # type: ignore[attr-defined]
    return grad if grad is None else moved(grad, CUDA if on_cuda(tensor) else CPU)


def _cpu(tensor: Tensor, **kwargs: Any) -> Tensor:
    return moved(tensor.clone(), CPU) if on_cuda(tensor) else tensor


def _cuda(tensor: Tensor, device: Any = None, **kwargs: Any) -> Tensor:
    return tensor if on_cuda(tensor) else moved(tensor.clone(), CUDA)


def _repr(tensor: Tensor, **kwargs: Any) -> str:
    """What PyTorch prints: the device stands behind the numbers, before dtype and gradient."""
    with _as_cpu(tensor) as was_on_cuda:
        text = Tensor.__repr__(tensor, **kwargs)
    if not was_on_cuda:
        return text
    return re.sub(r"(, (?:size|dtype|grad_fn|requires_grad)=.*)?\)$", r", device='cuda:0'\1)", text, count=1)


def _format(tensor: Tensor, specification: str) -> str:
    with _as_cpu(tensor):
        return Tensor.__format__(tensor, specification)


def _deepcopy(tensor: Tensor, memo: dict[int, Any]) -> Tensor:
    with _as_cpu(tensor) as was_on_cuda:
        copied = type(tensor).__deepcopy__(tensor, memo)
    return moved(copied, CUDA) if was_on_cuda else copied


@contextlib.contextmanager
def _as_cpu(tensor: Tensor) -> Iterator[bool]:
    """Within it the tensor is one of the CPU; gives whether it was on the GPU."""
    was_on_cuda = on_cuda(tensor)
    moved(tensor, CPU)
    try:
        yield was_on_cuda
    finally:
        moved(tensor, CUDA if was_on_cuda else CPU)


_SPECIAL: dict[Any, Callable[..., Any]] = {
    Tensor.device.__get__: _where,  # type: ignore[attr-defined]
    Tensor.is_cuda.__get__: on_cuda,  # type: ignore[attr-defined]
    Tensor.is_cpu.__get__: lambda tensor: not on_cuda(tensor) and not tensor.is_meta,  # type: ignore[attr-defined]
    Tensor.get_device: lambda tensor: 0 if on_cuda(tensor) else -1,
    Tensor.data.__set__: _data_set,  # type: ignore[attr-defined]
    Tensor.grad.__get__: _grad_get,  # type: ignore[attr-defined]
    Tensor.cpu: _cpu,
    Tensor.cuda: _cuda,
    Tensor.__repr__: _repr,
    Tensor.__format__: _format,
    Tensor.__deepcopy__: _deepcopy,
}
