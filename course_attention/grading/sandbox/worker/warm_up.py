"""Warms torch up before the first submission, with made-up operations on made-up tensors.

An operation that torch runs for the first time takes many times as long. The first process runs the common ones once,
and passes that on to its forks. Nothing of an exercise is among them: no helper, no input that a judge draws, no seed.
What is in this process can be found by the code of students, in its frames, on its heap, and in memory that was freed.
"""

import gc
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from course_attention.execution.local import LocalRunner
from course_attention.execution.protocol import Array, Call, Device

_Operation = Callable[[Any, Any], Any]  # of two tensors, (…, 2, 3) and (…, 3, 4)

_PRODUCTS: tuple[_Operation, ...] = (
    lambda a, b: a @ b,
    lambda a, b: a[..., 0, :] @ b,
    lambda a, b: (a @ b[..., :1]).squeeze(-1),
    lambda a, b: torch.einsum("...ij,...jk->...ik", a, b),
    lambda a, b: torch.matmul(b.mT, a.transpose(-1, -2)),
    lambda a, b: functional.linear(a, torch.zeros(4, 3, device=a.device, dtype=a.dtype)),
    lambda a, b: (a.unsqueeze(-1) * b.unsqueeze(-3)).sum(dim=-2),
    lambda a, b: a.flatten()[:3].outer(b.flatten()[:4]),
)
_EACH_NUMBER: tuple[_Operation, ...] = (
    lambda a, b: (a + a - a * 2 / 3.0, -a, a**2, a / a, 1 / (a + 1), 1 - a, a // 1),
    lambda a, b: (
        a.exp(),
        a.tanh(),
        a.relu(),
        a.sigmoid(),
        a.abs(),
        a.sqrt(),
        a.rsqrt(),
        a.square(),
        a.log(),
    ),
    lambda a, b: (
        a.sin(),
        a.cos(),
        a.clamp(min=0.0),
        a.maximum(a),
        functional.gelu(a),
        a.float(),
        a.double(),
    ),
    lambda a, b: (
        a > 0,
        a >= a,
        a == a,
        (a > 0) & (a < 1),
        (a > 0) | (a < 1),
        ~(a > 0),
        a.isnan(),
        a.isinf(),
    ),
    lambda a, b: (a.clone(), a.detach(), a.contiguous()),
    lambda a, b: (a.masked_fill(a > 0, -torch.inf), torch.where(a > 0, a, a - 1), torch.where(a > 0, a, 0.0)),
)
_ALONG_AN_AXIS: tuple[_Operation, ...] = (
    lambda a, b: (
        a.softmax(-1),
        a.softmax(dim=-2),
        a.log_softmax(-1),
        a.logsumexp(-1),
        torch.softmax(a, dim=-1),
    ),
    lambda a, b: (
        a.sum(),
        a.sum(-1),
        a.sum(-1, keepdim=True),
        a.mean(-1),
        a.mean(-2, keepdim=True),
        a.mean(),
    ),
    lambda a, b: (a.amax(-1, keepdim=True), a.max(-1, keepdim=True), a.max(), a.argmax(-1), a.cumsum(-1)),
    lambda a, b: ((a > 0).any(-1, keepdim=True), (a > 0).all(-1), (a > 0).sum(-1), a.var(-1), a.norm(dim=-1)),
    lambda a, b: functional.layer_norm(a, (3,)),
    lambda a, b: functional.cross_entropy(
        a.reshape(-1, 3), torch.zeros(a.numel() // 3, dtype=torch.long, device=a.device)
    ),
)
_SHAPES: tuple[_Operation, ...] = (
    lambda a, b: (
        a.mT,
        a.transpose(-2, -1),
        a.reshape(-1, 3),
        a.view(-1, 3),
        a.flatten(-2),
        a.unflatten(-1, (3, 1)),
    ),
    lambda a, b: (
        a.unsqueeze(0).squeeze(0),
        a[None],
        a.expand(2, *a.shape),
        a.expand_as(a),
        a.repeat(2, *(1,) * a.ndim),
    ),
    lambda a, b: (torch.cat([a, a], dim=-1), torch.cat((a, a), -2), torch.stack([a, a]), *a.chunk(3, dim=-1)),
    lambda a, b: (
        *a.split(1, -1),
        *a.unbind(-1),
        a.movedim(-1, 0),
        a.permute(*reversed(range(a.ndim))),
        a.flip(-1),
    ),
    lambda a, b: (
        a[..., 0],
        a[..., :2],
        a[..., ::2],
        a[..., 1:, :],
        a[..., -1:],
        a[0],
        a[:, None],
        a.roll(1, -1),
    ),
    lambda a, b: (functional.pad(a, (1, 1)), a.repeat_interleave(2, dim=-1), a.repeat_interleave(2, -2)),
    lambda a, b: (
        a[..., torch.tensor([0, 1], device=a.device)],
        a.index_select(-1, torch.tensor([0], device=a.device)),
    ),
    lambda a, b: (
        a.tril(),
        a.triu(1),
        a.diagonal(dim1=-2, dim2=-1),
        torch.zeros(3, 4, device=a.device).triu(diagonal=1),
    ),
)
_NEW_TENSORS: tuple[_Operation, ...] = (
    lambda a, b: (
        torch.arange(3, device=a.device),
        torch.arange(3, device=a.device, dtype=a.dtype),
        torch.arange(0, 4, 2, device=a.device),
    ),
    lambda a, b: (
        torch.zeros_like(a),
        torch.ones_like(a),
        torch.full_like(a, 2.0),
        torch.empty_like(a),
        a.new_zeros(2),
        a.new_full((2,), 1.0),
    ),
    lambda a, b: (
        torch.zeros(2, 3, device=a.device),
        torch.ones(2, 3, dtype=torch.bool, device=a.device),
        torch.full((2, 3), -torch.inf, device=a.device),
    ),
    lambda a, b: (
        torch.eye(3, device=a.device),
        torch.ones(3, 3, device=a.device).tril().bool(),
        torch.tensor(1.0, device=a.device),
    ),
    lambda a, b: torch.arange(3, device=a.device)[:, None] - torch.arange(4, device=a.device) <= 1,
    lambda a, b: torch.zeros(5, 3, device=a.device)[torch.zeros(2, dtype=torch.long, device=a.device)],
    lambda a, b: _written(torch.zeros(2, 4, device=a.device)),
)
_OPERATIONS = (*_PRODUCTS, *_EACH_NUMBER, *_ALONG_AN_AXIS, *_SHAPES, *_NEW_TENSORS)


class _Layer(nn.Module):
    """A module with one weight; the call gives it."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(3, 4, bias=False)

    def forward(self, a: Tensor, b: Tensor) -> Any:
        return self.inner(a), b


def warm_up() -> None:
    """Run each operation once, as an answer is run, on tensors of two to four axes, and on the simulated GPU.

    What fails there warms nothing up, and harms nothing. No gradients are taken: torch's engine for them does not
    survive a fork.
    """
    for dtype in ("float64", "float32"):
        for leading in ((), (2,), (2, 2)):
            _run_operations("cpu", dtype, leading)
    _run_operations("simulated-cuda", "float32", (2,))
    devices: tuple[Device, ...] = ("cpu", "simulated-cuda")
    for device in devices:
        weights = {"inner.weight": _ones(4, 3)}
        tensors = {"a": _ones(2, 3), "b": _ones(2, 3)}
        LocalRunner(_Layer).observe(Call(tensors, device, (), {}, weights, again=True, measure=True))
    gc.collect()


def _run_operations(device: Device, dtype: str, leading: tuple[int, ...]) -> None:
    tensors = {"a": _ones(*leading, 2, 3, dtype=dtype), "b": _ones(*leading, 3, 4, dtype=dtype)}
    for operation in _OPERATIONS:
        LocalRunner(operation).observe(Call(tensors, device))


def _ones(*shape: int, dtype: str = "float32") -> Array:
    return Array(torch.ones(shape, dtype=torch.float64).numpy(), dtype)


def _written(tensor: Tensor) -> Tensor:
    tensor[..., 0::2] = 1.0
    tensor[0] = tensor[1]
    tensor += 1
    return tensor
