"""CUDA's rules on devices: which tensors may meet in one operation, and what is raised where they may not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

CUDA = torch.device("cuda", 0)
CPU = torch.device("cpu")
# These copy from one device to the other.
COPIES = {
    Tensor.copy_,
    Tensor.to,
    Tensor.cpu,
    Tensor.cuda,
    Tensor.type_as,
    Tensor.set_,
    torch._has_compatible_shallow_copy_type,
}
# These join tensors of one rank: a tensor without axes is no number to them.
JOINS = {torch.cat, torch.stack, torch.concat, torch.concatenate, torch.hstack, torch.vstack}
INDEXES = {Tensor.__getitem__, Tensor.__setitem__}
# What these know of the lengths in a batch stays on the CPU, as integers; only their numbers are on the GPU.
PACKED = {"_pack_padded_sequence", "_pad_packed_sequence", "gru", "lstm", "rnn_tanh", "rnn_relu"}
TO_NUMPY = {Tensor.numpy, Tensor.__array__}


def check(function: Callable[..., Any], tensors: Sequence[Tensor], on_cuda: Callable[[Tensor], bool]) -> None:
    """Raise CUDA's error where an operation's tensors lie on two devices.

    Raises:
        RuntimeError: they do.
        TypeError: a tensor on the GPU is made into an array.
    """
    if function in TO_NUMPY and on_cuda(tensors[0]):
        raise TypeError(
            "can't convert cuda:0 device type tensor to numpy. "
            "Use Tensor.cpu() to copy the tensor to host memory first."
        )
    if function in COPIES or getattr(function, "__name__", "") == "__set__":
        return
    if function in INDEXES:
        _check_index(tensors, on_cuda)
        return
    if getattr(function, "__name__", "") in PACKED:
        tensors = [t for t in tensors if t.is_floating_point() or on_cuda(t)]
    if function not in JOINS:
        tensors = [t for t in tensors if t.dim() or on_cuda(t)]
    if any(map(on_cuda, tensors)) and not all(map(on_cuda, tensors)):
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!"
        )


def _check_index(tensors: Sequence[Tensor], on_cuda: Callable[[Tensor], bool]) -> None:
    """An index may be on the CPU, whatever it indexes; on the GPU it indexes only what is there."""
    if tensors and not on_cuda(tensors[0]) and any(on_cuda(t) and t.dim() for t in tensors[1:]):
        raise RuntimeError(
            "indices should be either on cpu or on the same device as the indexed tensor (cpu)"
        )


def check_generator(generator: Any, wanted: torch.device) -> None:
    """Raise CUDA's error where numbers for one device are drawn by a generator of another.

    Raises:
        RuntimeError: they are.
    """
    if generator is not None and generator.device.type != wanted.type:
        raise RuntimeError(
            f"Expected a '{wanted.type}' device type for generator but found '{generator.device.type}'"
        )
