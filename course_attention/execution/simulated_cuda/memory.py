"""Which memory counts as the GPU's: a mark on a tensor's storage says so.

The mark is on the storage and not on the tensor, because a tensor has views, which are where it is. Some of them are
made where Python sees nothing, as in `torch.vmap`. There are two marks. `_simulated_place` is where a function that
Python called has put the tensor. `_simulated_origin` says that it was made of the GPU's tensors, by whatever.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

CUDA = torch.device("cuda", 0)
CPU = torch.device("cpu")


def place_of(tensor: Tensor) -> torch.device | None:
    """Where a tensor was put, or None where no function that Python called has put it anywhere."""
    return getattr(_memory(tensor), "_simulated_place", None)


def on_cuda(tensor: Tensor) -> bool:
    """Whether it is on the simulated GPU: it was put there, or came of what is there below Python's sight."""
    memory = _memory(tensor)
    place = getattr(memory, "_simulated_place", None)
    return hasattr(memory, "_simulated_origin") if place is None else place is CUDA


def device_of(tensor: Tensor) -> torch.device:
    """The device that a tensor is on as far as anybody can tell."""
    return CUDA if on_cuda(tensor) else Tensor.device.__get__(tensor)


def settled(tensor: Tensor) -> torch.device:
    """The device that a tensor is on. It is marked as put there, so that no operation on two devices moves it."""
    place = place_of(tensor)
    if place is None:
        place = device_of(tensor)
        put(tensor, place)
    return place


def put(tensor: Tensor, device: torch.device) -> Tensor:
    """Say that this tensor, and so every view of it, is on a device; gives the tensor."""
    _memory(tensor)._simulated_place = device
    return tensor


def came_of_cuda(tensor: Tensor) -> None:
    """Say that a tensor was made of tensors on the GPU. Where it is put by a function of Python counts more."""
    _memory(tensor)._simulated_origin = CUDA


def _memory(tensor: Tensor) -> Any:
    """The storage; the tensor itself, where it is sparse and has none."""
    try:
        return tensor.untyped_storage()
    except NotImplementedError:
        functorch = torch._C._functorch  # of `vmap` and `grad`, whose tensors stand for others
        if functorch.is_functorch_wrapped_tensor(tensor):
            return _memory(functorch.get_unwrapped(tensor))
        return tensor
