"""Counters of what a computation costs, read while torch runs it: multiply–adds, products, steps, bytes of memory."""

import weakref
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import FlopCounterMode, flop_registry
from torch.utils.weak import WeakIdKeyDictionary


def _tensors(*arguments: Any) -> Iterator[Tensor]:
    return (leaf for leaf in tree_leaves(arguments) if isinstance(leaf, Tensor))


class _Products(TorchDispatchMode):
    """Counts the matrix products that torch is called for."""

    def __init__(self) -> None:
        super().__init__()
        self.number = 0

    def __torch_dispatch__(self, function: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        self.number += function._overloadpacket in flop_registry
        return function(*args, **(kwargs or {}))


class _LongestChain(TorchDispatchMode):
    """Records for each tensor the longest chain of matrix products that it depends on.

    A record belongs to a tensor's memory, which its views share: a row may be written through one view and read through
    another.
    """

    def __init__(self) -> None:
        super().__init__()
        self._before = WeakIdKeyDictionary()
        self.longest = 0

    def __torch_dispatch__(self, function: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        result = function(*args, **(kwargs or {}))
        read = (tensor.untyped_storage() for tensor in _tensors(args, kwargs))
        waited = max((self._before.get(storage, 0) for storage in read), default=0)
        waited += function._overloadpacket in flop_registry
        for tensor in _tensors(result):
            self._before[tensor.untyped_storage()] = waited
        self.longest = max(self.longest, waited)
        return result


class _AliveBytes(TorchDispatchMode):
    """Adds up the memory of all tensors that a computation made and that are alive; a view has no memory of its own."""

    def __init__(self) -> None:
        super().__init__()
        self._known: set[int] = set()
        self._now = self.most = 0

    def __torch_dispatch__(self, function: Any, types: Any, args: tuple = (), kwargs: dict | None = None) -> Any:
        for tensor in _tensors(args, kwargs):
            self._enter(tensor.untyped_storage(), counted=False)
        result = function(*args, **(kwargs or {}))
        for tensor in _tensors(result):
            self._enter(tensor.untyped_storage(), counted=True)
        return result

    def _enter(self, storage: torch.UntypedStorage, counted: bool) -> None:
        if storage._cdata not in self._known:
            size = storage.nbytes() if counted else 0
            self._known.add(storage._cdata)
            self._now += size
            self.most = max(self.most, self._now)
            weakref.finalize(storage, self._leave, storage._cdata, size)

    def _leave(self, address: int, size: int) -> None:
        self._known.discard(address)
        self._now -= size


def multiply_adds(compute: Callable[[], object]) -> int:
    """Return the multiply–adds of all matrix products in a computation, counted by torch.

    Example:
        >>> multiply_adds(lambda: torch.ones(2, 3) @ torch.ones(3, 4))
        24
    """
    with FlopCounterMode(display=False) as counter:
        compute()
    return counter.get_total_flops() // 2


@torch.no_grad()
def products(compute: Callable[[], object]) -> int:
    """How many times a computation calls torch for a matrix product; those of a batch are made in one call.

    Example:
        >>> a, batch = torch.ones(2, 2), torch.ones(5, 2, 2)
        >>> products(lambda: a @ a + a @ a), products(lambda: batch @ batch)
        (2, 1)
    """
    with _Products() as counter:
        compute()
    return counter.number


@torch.no_grad()
def sequential_steps(compute: Callable[[], object]) -> int:
    """Return the longest chain of matrix products in a computation, each of which needs the result of the one before.

    Example:
        >>> a = torch.ones(2, 2)
        >>> sequential_steps(lambda: (a @ a) @ (a @ a)), sequential_steps(lambda: a @ a + a @ a)
        (2, 1)
    """
    with _LongestChain() as steps:
        compute()
    return steps.longest


@torch.no_grad()
def peak_bytes(compute: Callable[[], object]) -> int:
    """Return the most memory, in bytes, that a computation's tensors take at once, on any device, "meta" included.

    Memory that an operation uses internally while it runs is not counted.

    Example:
        >>> peak_bytes(lambda: torch.ones(10, 10) + 1)  # two at once, of 100 numbers of 4 bytes
        800
    """
    with _AliveBytes() as counter:
        compute()
    return counter.most
