"""Which memory counts as the GPU's: a mark on a tensor's storage says so.

The mark is on the storage and not on the tensor, because all views of a tensor share its storage and are where it is.
Some views are made where Python sees nothing, as in `torch.vmap`.

There are two marks. `Simulation` sets `_simulated_place`, the device on which a function of torch put the tensor.
`Dispatched` sets `_simulated_origin`, which says that an operator made the tensor out of tensors on the GPU. Where both
are there, the place counts.
"""

from typing import Any

import torch
from torch import Tensor

CUDA = torch.device("cuda", 0)
CPU = torch.device("cpu")


def place_of(tensor: Tensor) -> torch.device | None:
    """Return the device on which a function of torch put a tensor, or None where no function did."""
    return getattr(_memory(tensor), "_simulated_place", None)


def on_cuda(tensor: Tensor) -> bool:
    """Whether a tensor is on the simulated GPU: a function put it there, or an operator made it of what is there."""
    memory = _memory(tensor)
    place = getattr(memory, "_simulated_place", None)
    return hasattr(memory, "_simulated_origin") if place is None else place is CUDA


def device_of(tensor: Tensor) -> torch.device:
    """Return the device that a tensor says it is on: the simulated GPU, or where it really is."""
    return CUDA if on_cuda(tensor) else Tensor.device.__get__(tensor)


def settled(tensor: Tensor) -> torch.device:
    """Return the device that a tensor is on, which from now on is its place.

    Otherwise a tensor of the CPU that was made before the simulation began would count as the GPU's as soon as
    something is copied into it from there.
    """
    place = place_of(tensor)
    if place is None:
        place = device_of(tensor)
        put(tensor, place)
    return place


def put(tensor: Tensor, device: torch.device) -> Tensor:
    """Mark this tensor, and so every view of it, as being on a device; returns the tensor."""
    _memory(tensor)._simulated_place = device
    return tensor


def came_of_cuda(tensor: Tensor) -> None:
    """Mark a tensor as made out of tensors on the GPU."""
    _memory(tensor)._simulated_origin = CUDA


def _memory(tensor: Tensor) -> Any:
    """Return the storage; the tensor itself, where it is sparse and has none."""
    try:
        return tensor.untyped_storage()
    except NotImplementedError:
        functorch = torch._C._functorch  # in `vmap` and `grad`, a tensor stands for another one
        if functorch.is_functorch_wrapped_tensor(tensor):
            return _memory(functorch.get_unwrapped(tensor))
        return tensor
