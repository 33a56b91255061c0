"""CUDA's rules on devices: which tensors may meet in one operation, and what is raised where they may not."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.utils._pytree import tree_iter

from course_attention.execution.simulated_cuda.memory import on_cuda

# These copy from one device to the other.
_COPIES = {Tensor.copy_, Tensor.to, Tensor.type_as, Tensor.set_}
# These make a tensor out of numbers, on whatever device the numbers are.
FROM_NUMBERS = {torch.tensor, torch.as_tensor, torch.asarray}
# These make a tensor on the CPU unless a device is named. A tensor among their arguments is read as a number.
FACTORIES = {
    *FROM_NUMBERS,
    *(torch.zeros, torch.ones, torch.empty, torch.full, torch.eye, torch.scalar_tensor),
    *(torch.arange, torch.range, torch.linspace, torch.logspace, torch.tril_indices, torch.triu_indices),
    *(torch.rand, torch.randn, torch.randint, torch.randperm),
}
# Their result is where their first tensor is. The others are read as a shape or as numbers, or copied into it.
LIKE_THE_FIRST = {
    *(Tensor.expand_as, Tensor.view_as, Tensor.reshape_as, Tensor.resize_as_, torch.resize_as_),
    *(torch.slice_scatter, torch.select_scatter, torch.diagonal_scatter),
    *(Tensor.slice_scatter, Tensor.select_scatter, Tensor.diagonal_scatter),
    *(Tensor.new_tensor, Tensor.new_full, Tensor.new_zeros, Tensor.new_ones, Tensor.new_empty),
    *(torch.full_like, torch.fill, torch.fill_, Tensor.fill_),
}
# All these take tensors on two devices.
_FREE = {
    *_COPIES,
    *FACTORIES,
    *LIKE_THE_FIRST,
    torch.broadcast_tensors,
    torch._has_compatible_shallow_copy_type,
}
_INDEXED_WRITES = {Tensor.__setitem__, Tensor.index_put, Tensor.index_put_, torch.index_put, torch.index_put_}
# To most operations a tensor without axes is a number, which may come from the CPU. To these it is not.
_JOINS = {
    *(torch.cat, torch.concat, torch.concatenate, torch.stack),
    *(torch.hstack, torch.vstack, torch.dstack, torch.column_stack, torch.row_stack),
}
_IN_PLACE = ("__iand__", "__ior__", "__ixor__")  # the other operators with `=` have names such as `add_`
# These take or make packed sequences. Their lengths are integers on the CPU; only the numbers are on the GPU.
PACKED = {"_pack_padded_sequence", "_pad_packed_sequence", "gru", "lstm", "rnn_tanh", "rnn_relu"}
_OF_SLICES = (int, slice, type(None), type(...))  # an index of these alone is a view of the tensor
_PLAIN = (int, float, str, torch.dtype, torch.device, torch.Size, type(None))  # they hold no tensor


def tensors_in(values: Iterable[Any]) -> Iterator[Tensor]:
    """Yield the tensors among values and in their containers.

    What is plain is left out first, and torch's own walk comes last: `tree_iter` takes as long as a small operation.
    """
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, _PLAIN):
            continue
        elif isinstance(value, (list, tuple)):
            yield from tensors_in(value)
        elif isinstance(value, dict):
            yield from tensors_in(value.values())
        else:
            yield from (leaf for leaf in tree_iter(value) if isinstance(leaf, Tensor))


def check(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any], tensors: Sequence[Tensor]
) -> None:
    """Raise CUDA's error where an operation does not take tensors on two devices.

    Args:
        function: the operation.
        args: its arguments by position.
        kwargs: its arguments by name.
        tensors: all tensors among its arguments. Some are on the GPU and some are not.

    Raises:
        RuntimeError: it does not.
    """
    name = getattr(function, "__name__", "")
    if function in _FREE or name == "__set__":  # `x.data = y`, for example
        return
    if function is Tensor.__getitem__:
        _check_index(tensors[0], tensors[1:])
        return
    if function in _INDEXED_WRITES:
        if len(args) > 2:  # what is given by keyword, which is rare, is not checked
            _check_write(*args[:3])
        return
    if name in PACKED:
        tensors = [t for t in tensors if t.is_floating_point() or on_cuda(t)]
    if function not in _JOINS:
        # A number may come from the CPU, but what the GPU computes is not written into a number there.
        written = args[0] if args and _is_in_place(name) else kwargs.get("out")
        tensors = [t for t in tensors if t.dim() or t is written or on_cuda(t)]
    if any(map(on_cuda, tensors)) and not all(map(on_cuda, tensors)):
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!"
        )


def check_generator(generator: Any, wanted: torch.device) -> None:
    """Raise CUDA's error where numbers for one device are drawn by a generator of another.

    Raises:
        RuntimeError: they are.
    """
    if generator is not None and generator.device.type != wanted.type:
        raise RuntimeError(f"Expected a '{wanted.type}' device type for generator but found '{generator.device.type}'")


def _is_in_place(name: str) -> bool:
    return name in _IN_PLACE or (name.endswith("_") and not name.endswith("__"))


def _check_index(indexed: Tensor, indices: Sequence[Tensor]) -> None:
    """Refuse an index on the GPU for a tensor on the CPU. An index on the CPU may index any tensor."""
    if not on_cuda(indexed) and any(on_cuda(index) and index.dim() for index in indices):
        raise RuntimeError("indices should be either on cpu or on the same device as the indexed tensor (cpu)")


def _check_write(indexed: Tensor, index: Any, value: Any) -> None:
    """Refuse to write what is on another device by an index of tensors. A slice takes values from any device."""
    entries = index if isinstance(index, tuple) else (index,)
    _check_index(indexed, list(tensors_in(entries)))
    is_slice = all(isinstance(entry, _OF_SLICES) or getattr(entry, "ndim", 1) == 0 for entry in entries)
    if not is_slice and isinstance(value, Tensor) and value.dim() and on_cuda(value) != on_cuda(indexed):
        raise RuntimeError("Expected all tensors to be on the same device: an index writes values from another device")
