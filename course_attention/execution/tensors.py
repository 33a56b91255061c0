"""Torch's side of calling an answer: it makes tensors, and reads results and gradients, on CPU, CUDA or fake CUDA."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.func import functional_call

from course_attention.execution.fake_cuda import fake_cuda
from course_attention.execution.largest_tensor import LargestTensor
from course_attention.execution.nesting import items_of, labelled
from course_attention.execution.protocol import Array, Call, Result, Step, TorchAttention

# What FakeTensorMode says where two devices meet, in the releases of torch that the package admits.
_MISMATCH = ("same device", "two different devices", "device propagation", "found at least two devices")
_UNDECIDED = ("DataDependentOutputException", "DynamicOutputShapeException", "UnsupportedOperatorException")
_BEYOND_FAKES = (
    "not supported for tensor subclasses",
    "not linked with support for cuda",
    "not compiled with cuda",
)
_INTEGERS = (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8)


class _TensorPlace:
    """Makes tensors on one device and reads them back."""

    def __init__(self, call: Call) -> None:
        self._device = "cpu" if call.device == "cpu" else "cuda"
        self._fake = call.device == "fake-cuda"
        self._cotangents = call.cotangents
        self._weights = call.weights

    def make(self, value: Any) -> Any:
        if isinstance(value, TorchAttention):
            return self._torch_attention(value)
        if isinstance(value, Step):
            return lambda tokens: torch.from_numpy(value.logits(tokens.cpu().numpy())).to(tokens.device)
        if isinstance(value, tuple):
            return tuple(self.make(item) for item in value)
        if not isinstance(value, Array):
            return value
        dtype = getattr(torch, value.dtype)
        shape = value.values.shape
        if not value.strided or not shape:
            tensor = torch.zeros(shape, dtype=dtype, device=self._device)
        elif len(shape) == 1:
            tensor = torch.zeros(2 * shape[0], dtype=dtype, device=self._device)[::2]
        else:
            # Stored in reverse order: no two axes can be viewed as one, nor can those of what torch makes of it.
            tensor = torch.zeros(shape[::-1], dtype=dtype, device=self._device).permute(
                *range(len(shape))[::-1]
            )
        if not self._fake:
            tensor.copy_(torch.from_numpy(np.ascontiguousarray(value.values)))
        return tensor.requires_grad_() if self._cotangents and dtype.is_floating_point else tensor

    def _torch_attention(self, value: TorchAttention) -> nn.MultiheadAttention:
        module = nn.MultiheadAttention(
            value.embed_dim, value.num_heads, bias=False, batch_first=True, device="meta"
        )
        for name, array in value.weights.items():
            owner, _, own_name = name.rpartition(".")
            setattr(module.get_submodule(owner), own_name, nn.Parameter(self.make(array).detach()))
        return module

    def watched(self, measure: bool) -> contextlib.AbstractContextManager[LargestTensor]:
        watch = LargestTensor()
        return watch if measure and not self._fake else contextlib.nullcontext(watch)

    def after(self, arguments: Mapping[str, Any]) -> dict[str, Result]:
        found: dict[str, Result] = {}
        for name, value in labelled(arguments).items():
            if isinstance(value, nn.Module):
                found |= {f"{name}.{own}": self.result(tensor) for own, tensor in value.state_dict().items()}
            elif isinstance(value, Tensor):
                found[name] = self.result(value)
        return found

    def result(self, value: Any) -> Result:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return Result("number", type(value).__name__, "cpu", (), np.array(float(value)))
        if not isinstance(value, Tensor):
            return Result(type(value).__name__)
        values = None
        if not self._fake and value.layout is torch.strided and not value.is_complex():
            values = _numbers(value)
        dtype, device = str(value.dtype).removeprefix("torch."), value.device.type
        return Result("tensor", dtype, device, tuple(value.shape), values)

    def gradients(
        self, returned: Any, arguments: dict[str, Any], answer: Any
    ) -> dict[str, np.ndarray | None]:
        items, _ = items_of(returned)
        tensors = [
            t for t in items if isinstance(t, Tensor) and t.dtype.is_floating_point and t.requires_grad
        ]
        leaves = {n: t for n, t in labelled(arguments).items() if isinstance(t, Tensor) and t.requires_grad}
        if isinstance(answer, nn.Module):
            leaves |= dict(answer.named_parameters())
        pairs = [
            (t, torch.from_numpy(d).to(t))
            for t, d in zip(items, self._cotangents, strict=False)
            if any(t is kept for kept in tensors) and t.shape == d.shape
        ]
        if not pairs:
            return dict.fromkeys(leaves)
        loss = sum((t * d).sum() for t, d in pairs)
        found = torch.autograd.grad(loss, list(leaves.values()), allow_unused=True)
        return {name: None if g is None else _numbers(g) for name, g in zip(leaves, found, strict=True)}

    def steady(self, answer: Any, again: Callable[[], Any], returned: Any) -> bool:
        """Whether a module gives the same once more, in evaluation mode."""
        answer.eval()
        (first, _), (second, _) = items_of(returned), items_of(again())
        return len(first) == len(second) and all(map(_alike, first, second))

    def load(self, module: nn.Module) -> Any:
        """The module with the call's weights, on the call's device and in the weights' dtype."""
        if not isinstance(module, nn.Module):
            raise TypeError(f"the class should be an nn.Module; it made a {type(module).__name__}")
        weights = {name: self.make(array).detach() for name, array in self._weights.items()}
        if not self._fake:
            module.to(device=self._device, dtype=next((w.dtype for w in weights.values()), None))
            module.load_state_dict(weights)
            return module
        buffers = {name: torch.zeros_like(b, device=self._device) for name, b in module.named_buffers()}
        return lambda *args, **kwargs: functional_call(module, {**weights, **buffers}, args, kwargs)


def _alike(first: Any, second: Any) -> bool:
    if not isinstance(first, Tensor) or not isinstance(second, Tensor):
        return type(first) is type(second)
    return first.shape == second.shape and torch.allclose(first, second, equal_nan=True)


def _numbers(tensor: Tensor) -> np.ndarray:
    plain = tensor.detach().cpu()
    if plain.dtype is torch.bool:
        return plain.numpy().copy()
    return plain.to(torch.int64 if plain.dtype in _INTEGERS else torch.float64).numpy().copy()


@contextlib.contextmanager
def place(call: Call) -> Iterator[_TensorPlace]:
    """Where a call's tensors are made and read: gradients on or off, real devices or fake ones."""
    mode = fake_cuda() if call.device == "fake-cuda" else contextlib.nullcontext()
    with torch.set_grad_enabled(bool(call.cotangents)), mode:
        yield _TensorPlace(call)


def about(error: BaseException, message: str) -> dict[str, bool]:
    """Whether an error, of this message, speaks of two devices, or only of what fake tensors cannot do."""
    text = message.lower()
    mismatch = any(phrase in text for phrase in _MISMATCH)
    undecided = type(error).__name__ in _UNDECIDED or any(phrase in text for phrase in _BEYOND_FAKES)
    return {"device_mismatch": mismatch, "undecided": undecided and not mismatch}


def has_cuda() -> bool:
    """Whether torch finds a CUDA device in this machine."""
    return torch.cuda.is_available()
