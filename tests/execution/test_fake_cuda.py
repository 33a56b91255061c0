"""Fake CUDA: finds what was left on the CPU, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F

from course_attention.execution.fake_cuda import fake_cuda
from course_attention.execution.tensors import about

FINE: dict[str, Callable] = {
    "constant-from-device": lambda s: s + torch.tensor([1.0, 2, 3, 4, 5], device=s.device),
    "number": lambda s: s * torch.tensor(2.0),
    "moved": lambda s: torch.ones(5).to(s.device) + s,
    "arange": lambda s: torch.arange(5, device=s.device) + s,
    "integer": lambda s: s[0, 1:, ..., None, 2],
    "last": lambda s: s[..., -1],
    "ellipsis": lambda s: s[..., None] * s[..., None, :],
    "step": lambda s: s[:, ::2],
    "index-tensor": lambda s: s[:, :, torch.arange(2, device=s.device)],
    "list": lambda s: s[[0, 1]],
    "rows": lambda s: torch.stack([row * 1 for row in s]),
    "einsum": lambda s: torch.einsum("bqk,bqk->b", s, s),
    "pad": lambda s: F.pad(s, (1, 1)),
    "ready-made": lambda s: F.scaled_dot_product_attention(s, s, s),
}
MISPLACED: dict[str, Callable] = {
    "sum": lambda s: s + torch.ones(5),
    "mask": lambda s: s.masked_fill(torch.ones(3, 5).tril().bool(), 0.0),
    "where": lambda s: torch.where(torch.ones(3, 5).bool(), s, 0.0),
    "cat": lambda s: torch.cat([s, torch.zeros(2, 3, 1)], -1),
    "matmul": lambda s: s @ torch.zeros(5, 2),
    "loop": lambda s: sum((s[..., j] * 1 for j in range(5)), torch.zeros(2, 3)),
}
UNDECIDED: dict[str, Callable] = {
    "item": lambda s: s.sum().item(),
    "branch": lambda s: s if (s > 0).any() else -s,
    "numpy": lambda s: s.numpy(),
}


def _on_fake(compute: Callable) -> torch.Tensor:
    with fake_cuda():
        return compute(torch.zeros(2, 3, 5, device="cuda"))


def _said_of(compute: Callable) -> dict[str, bool] | None:
    try:
        _on_fake(compute)
    except Exception as error:  # noqa: BLE001 - which one it is, is torch's business; what is said of it is ours
        return about(error, str(error))
    return None


@pytest.mark.parametrize("name", FINE)
def test_fine(name: str) -> None:
    """Code that works on a GPU works on a fake one, and its result is there, in the right shape."""
    result = _on_fake(FINE[name])
    assert result.device.type == "cuda"
    assert result.shape == FINE[name](torch.zeros(2, 3, 5)).shape


def test_assignment() -> None:
    """Assigning to a part of a tensor works as it does on a GPU."""

    def fill(s):
        out = torch.zeros_like(s)
        for i in range(2):
            out[i, :, 1:] = s[i, :, 1:] * 2
        out[s > 0] = 1.0
        out[..., 0] = 3
        return out

    assert _on_fake(fill).shape == (2, 3, 5)


@pytest.mark.parametrize("name", MISPLACED)
def test_misplaced(name: str) -> None:
    """A tensor made on the CPU is told as such."""
    assert _said_of(MISPLACED[name]) == {"device_mismatch": True, "undecided": False}


@pytest.mark.parametrize("name", UNDECIDED)
def test_undecided(name: str) -> None:
    """Code that asks for numbers, which fakes do not have, is not held against anyone."""
    assert _said_of(UNDECIDED[name]) == {"device_mismatch": False, "undecided": True}


@pytest.mark.parametrize("index", [0, (1, 2), (slice(1), None, 0), ([0, 1], slice(None), 1), (..., [0, 2])])
def test_index_shapes(index: object) -> None:
    """An index gives the shape that it gives on a real tensor."""
    assert _on_fake(lambda s: s[index]).shape == torch.zeros(2, 3, 5)[index].shape
