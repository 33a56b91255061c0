"""The mode that sees every operation of torch while the simulation is on."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import _get_current_dispatch_mode
from torch.utils._pytree import tree_iter, tree_map_only

from tests.simulated_cuda.random_numbers import RANDOM, drawn_on_the_gpu
from tests.simulated_cuda.rules import CPU, CUDA, PACKED, check, check_generator
from tests.simulated_cuda.tensors import SPECIAL, moved, on_cuda


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
        if isinstance(_get_current_dispatch_mode(), FakeTensorMode):  # it has a GPU of its own
            return function(*args, **kwargs)
        if (special := SPECIAL.get(function)) is not None:
            return special(*args, **kwargs)
        tensors = list(_tensors_in((*args, *kwargs.values())))
        check(function, tensors, on_cuda)
        args, kwargs, asked = _asked_device(function, args, kwargs)
        device = asked or (CUDA if any(map(on_cuda, tensors)) else CPU)
        generator = kwargs.get("generator")
        check_generator(generator, device)
        draws = device is CUDA and generator is None and getattr(function, "__name__", "") in RANDOM
        with drawn_on_the_gpu() if draws else contextlib.nullcontext():
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
