"""The simulated tensors: what says that they are on the GPU, moves them there and back, and prints them."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from tests.simulated_cuda.rules import CPU, CUDA


class CudaTensor(Tensor):
    """A tensor that is on the GPU as far as anybody can tell."""

    # The mode says where a result is. Looking at the class of the arguments as well would only take time.
    __torch_function__ = torch._C._disabled_torch_function_impl


class CudaParameter(CudaTensor, nn.Parameter):
    """A parameter that was moved there."""


class Memory:
    """Bytes that were placed on the GPU so far. Here none are ever given back."""

    allocated = 0


def on_cuda(tensor: Tensor) -> bool:
    return isinstance(tensor, CudaTensor)


def moved(tensor: Tensor, device: torch.device) -> Tensor:
    """The tensor as one of that device: the object itself, whose class says where it is.

    A class is changed and no copy made, so that views, gradients and what holds the tensor stay as they are.
    """
    if device.type == "cuda" and not on_cuda(tensor):
        if tensor._base is None:  # a view has no memory of its own
            Memory.allocated += tensor.nbytes
        tensor.__class__ = CudaParameter if isinstance(tensor, nn.Parameter) else CudaTensor
    elif device.type == "cpu" and on_cuda(tensor):
        tensor.__class__ = nn.Parameter if isinstance(tensor, CudaParameter) else Tensor
    return tensor


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


def _parse_to(*args: Any, **kwargs: Any) -> tuple[Any, ...]:
    """What `Module.to` is asked for."""
    device, *rest = torch._C._nn._parse_to(*args, **kwargs)
    like = next((value for value in (*args, *kwargs.values()) if isinstance(value, Tensor)), None)
    return (device if like is None else _where(like), *rest)


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


SPECIAL: dict[Any, Callable[..., Any]] = {
    Tensor.device.__get__: _where,  # type: ignore[attr-defined]
    Tensor.is_cuda.__get__: on_cuda,  # type: ignore[attr-defined]
    Tensor.is_cpu.__get__: lambda tensor: not on_cuda(tensor) and not tensor.is_meta,  # type: ignore[attr-defined]
    Tensor.get_device: lambda tensor: 0 if on_cuda(tensor) else -1,
    Tensor.data.__set__: _data_set,  # type: ignore[attr-defined]
    Tensor.grad.__get__: _grad_get,  # type: ignore[attr-defined]
    torch._C._nn._parse_to: _parse_to,
    Tensor.cpu: _cpu,
    Tensor.cuda: _cuda,
    Tensor.__repr__: _repr,
    Tensor.__format__: _format,
    Tensor.__deepcopy__: _deepcopy,
}
