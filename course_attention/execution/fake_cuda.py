"""Tensors that say they are on a GPU and hold no numbers: they find what was left on the CPU, without a GPU.

`FakeTensorMode` follows shapes, dtypes and devices through every operation. In a torch without CUDA, Python's indexing
and `tensor.to(device)` ask for a CUDA driver before they get there; `_Detour` takes another way to the same operations.
A graph of fake CUDA tensors would ask for the driver in a thread of its own, where no error can be caught and the
process dies: no gradients are tracked here, whatever the code asks for.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.overrides import TorchFunctionMode


@contextlib.contextmanager
def fake_cuda() -> Iterator[None]:
    """Within it, tensors made on "cuda" are fake, and so is what becomes of them."""
    with FakeTensorMode(allow_non_fake_inputs=True), _Detour():
        yield


class _Detour(TorchFunctionMode):
    """Does `tensor[index]`, assignments to it, and `tensor.to(device)` by the operations that they stand for.

    Switching gradients on does nothing.
    """

    def __torch_function__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if function is torch._C._set_grad_enabled:
            return None
        if function is Tensor.__getitem__:
            tensor, index = args
            viewed, advanced = _view(tensor, index)
            return torch.ops.aten.index(viewed, advanced) if advanced else viewed
        if function is Tensor.__setitem__:
            tensor, index, value = args
            viewed, advanced = _view(tensor, index)
            if not isinstance(value, Tensor):
                value = torch.full((), value, dtype=tensor.dtype, device=tensor.device)
            if advanced:
                return torch.ops.aten.index_put_(viewed, advanced, value)
            return torch.ops.aten.copy_(viewed, value)
        if (
            function is Tensor.to
            and len(args) == 2
            and isinstance(args[1], (str, torch.device))
            and not kwargs
        ):
            return torch.ops.aten._to_copy(args[0], device=torch.device(args[1]))
        return function(*args, **(kwargs or {}))


def _view(tensor: Tensor, index: Any) -> tuple[Tensor, list[Tensor | None]]:
    """The view that integers, slices, None and … make; and the index tensors that remain, one entry for each axis."""
    entries = list(index) if isinstance(index, tuple) else [index]
    used = sum(_axes(entry) for entry in entries)
    if not any(entry is ... for entry in entries):
        entries.append(...)
    axis = 0
    advanced: list[Tensor | None] = []
    for entry in entries:
        if entry is ...:
            skipped = tensor.ndim - axis - used
            advanced += [None] * skipped
            axis += skipped
        elif entry is None:
            tensor = tensor.unsqueeze(axis)
            advanced.append(None)
            axis += 1
        elif isinstance(entry, slice):
            tensor = torch.ops.aten.slice(tensor, axis, entry.start, entry.stop, entry.step or 1)
            advanced.append(None)
            axis += 1
            used -= 1
        elif isinstance(entry, (Tensor, list)) and not (isinstance(entry, Tensor) and entry.ndim == 0):
            entry = entry if isinstance(entry, Tensor) else torch.tensor(entry)
            advanced.append(entry)
            axis += _axes(entry)
            used -= _axes(entry)
        else:
            tensor = tensor.select(axis, int(entry))
            used -= 1
    return tensor, advanced if any(entry is not None for entry in advanced) else []


def _axes(entry: Any) -> int:
    """How many axes of the tensor an entry of an index uses up."""
    if entry is None or entry is ...:
        return 0
    return entry.ndim if isinstance(entry, Tensor) and entry.dtype is torch.bool else 1
