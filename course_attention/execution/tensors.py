"""Torch's side of calling an answer: makes tensors, reads results and gradients, on CPU or GPU, real or simulated."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from course_attention.execution.largest_tensor import LargestTensor
from course_attention.execution.nesting import items_of, labelled
from course_attention.execution.protocol import Array, Call, GivenFunction, Result, Step, TorchAttention
from course_attention.execution.simulated_cuda.context import of_a_thread, simulated_cuda
from course_attention.execution.started_threads import started_within

# What CUDA says where two devices meet, in the releases of torch that the package admits.
_MISMATCH = (
    "same device",
    "found at least two devices",
    "device type for generator",
    "can't convert cuda",
    "on cpu tensors",
)
_OF_NUMPY = (torch.float16, torch.float32, torch.float64)
_INTEGERS = (torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8)


class _TensorPlace:
    """Makes tensors on one device and reads them back."""

    def __init__(self, call: Call) -> None:
        self._device = "cpu" if call.device == "cpu" else "cuda"
        self._simulated = call.device == "simulated-cuda"
        self._cotangents = call.cotangents
        self._weights = call.weights

    def make(self, value: Any) -> Any:
        if isinstance(value, TorchAttention):
            return self._torch_attention(value)
        if isinstance(value, Step):
            return lambda tokens: torch.from_numpy(value.logits(tokens.cpu().numpy())).to(tokens.device)
        if isinstance(value, GivenFunction):
            return _made(value)
        if isinstance(value, tuple):
            return tuple(self.make(item) for item in value)
        if not isinstance(value, Array):
            return value
        dtype = getattr(torch, value.dtype)
        shape = value.values.shape
        if not value.strided or not shape:
            tensor = torch.tensor(value.values, dtype=dtype, device=self._device)
        else:
            if len(shape) == 1:
                tensor = torch.zeros(2 * shape[0], dtype=dtype, device=self._device)[::2]
            else:
                # Stored in reverse order: no two axes can be viewed as one, nor can those of what torch makes of it.
                axes = tuple(range(len(shape)))[::-1]
                tensor = torch.zeros(shape[::-1], dtype=dtype, device=self._device).permute(axes)
            tensor.copy_(torch.from_numpy(np.ascontiguousarray(value.values)))
        wanted = self._cotangents and dtype.is_floating_point and value.wants_gradient
        return tensor.requires_grad_() if wanted else tensor

    def _torch_attention(self, value: TorchAttention) -> nn.MultiheadAttention:
        module = nn.MultiheadAttention(value.embed_dim, value.num_heads, bias=False, batch_first=True, device="meta")
        for name, array in value.weights.items():
            owner, _, own_name = name.rpartition(".")
            setattr(module.get_submodule(owner), own_name, nn.Parameter(self.make(array).detach()))
        return module

    def watched(self, measure: bool) -> contextlib.AbstractContextManager[LargestTensor]:
        watch = LargestTensor()
        return watch if measure and not self._simulated else contextlib.nullcontext(watch)

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
        if type(value) in (bool, np.bool_):
            return Result("bool", "bool", "cpu", (), np.array(bool(value)))
        if not isinstance(value, Tensor):
            return Result(type(value).__name__)
        values, dtype = None, value.dtype
        if value.layout is torch.strided and not dtype.is_complex:
            values = _numbers(value, dtype)
        device = Tensor.device.__get__(value)  # a tensor's own class may say something else
        return Result("tensor", str(dtype).removeprefix("torch."), device.type, tuple(value.shape), values)

    def gradients(self, returned: Any, arguments: dict[str, Any], answer: Any) -> dict[str, np.ndarray | None]:
        items, _ = items_of(returned)
        tensors = [t for t in items if isinstance(t, Tensor) and t.dtype.is_floating_point and t.requires_grad]
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
        return {name: None if g is None else _numbers(g, g.dtype) for name, g in zip(leaves, found, strict=True)}

    def steady(self, answer: Any, again: Callable[[], Any], returned: Any) -> bool:
        """Whether a module gives the same once more, in evaluation mode."""
        answer.eval()
        (first, _), (second, _) = items_of(returned), items_of(again())
        return len(first) == len(second) and all(map(_alike, first, second))

    def load(self, module: nn.Module) -> Any:
        """Return the module with the call's weights, on the call's device and in the weights' dtype."""
        if not isinstance(module, nn.Module):
            raise TypeError(f"the class should be an nn.Module; it made a {type(module).__name__}")
        weights = {name: self.make(array).detach() for name, array in self._weights.items()}
        module.to(device=self._device, dtype=next((w.dtype for w in weights.values()), None))
        module.load_state_dict(weights)
        return module


def _made(function: GivenFunction) -> Callable[..., Any]:
    names: dict[str, Any] = {"torch": torch}
    exec(compile(function.source, "<given>", "exec", dont_inherit=True), names)
    made: Callable[..., Any] = names[function.name]
    return made


def _alike(first: Any, second: Any) -> bool:
    if not isinstance(first, Tensor) or not isinstance(second, Tensor):
        return type(first) is type(second)
    return first.shape == second.shape and torch.allclose(first, second, equal_nan=True)


def _numbers(tensor: Tensor, dtype: torch.dtype) -> np.ndarray:
    # Few calls of torch: while an answer is watched, each takes several times as long.
    if dtype.is_floating_point and dtype not in _OF_NUMPY:
        tensor = tensor.double()
    array = tensor.numpy(force=True)
    if dtype is torch.bool:
        return np.array(array, dtype=np.bool_)
    # A plain array, whatever a tensor's own class makes: its numbers are there now, and not when they are sent.
    return np.array(array, dtype=np.int64 if dtype in _INTEGERS else np.float64)


@contextlib.contextmanager
def place(call: Call, closely: bool = False) -> Iterator[_TensorPlace]:
    """Where a call's tensors are made and read: gradients on or off, real devices or a simulated GPU."""
    with contextlib.ExitStack() as modes:
        tests_a_function = any(isinstance(value, GivenFunction) for value in call.arguments.values())
        modes.enter_context(torch.set_grad_enabled(bool(call.cotangents) or tests_a_function))
        if call.device == "simulated-cuda":
            modes.enter_context(started_within(lambda: of_a_thread(operators=closely)))
            modes.enter_context(simulated_cuda(operators=closely))
        yield _TensorPlace(call)


def device_mismatch(message: str) -> bool:
    """Whether an error with this message says that two devices met, or that NumPy cannot read a tensor on a GPU."""
    return any(phrase in message.lower() for phrase in _MISMATCH)


def has_cuda() -> bool:
    """Whether torch finds a CUDA device in this machine."""
    return torch.cuda.is_available()
