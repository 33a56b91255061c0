"""The simulated GPU of the judge finds what was left on the CPU, and nothing else, by whatever way torch is called.

What CUDA's own errors are, and that a real GPU agrees, is tested in `tests/simulated_cuda`.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.overrides import _get_current_function_mode_stack

from course_attention.execution.local import LocalRunner
from course_attention.execution.protocol import Array, Call, Outcome
from course_attention.execution.simulated_cuda.context import simulated_cuda
from course_attention.execution.simulated_cuda.mode import default_context

X = Array(np.arange(30.0).reshape(2, 3, 5) - 7, "float32")
MADE_BEFORE = torch.zeros(2, 3, 5)  # on the CPU, before any simulation began


def scripted(s: torch.Tensor) -> torch.Tensor:
    """TorchScript: its operations are no functions that Python calls."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of TorchScript, which an answer may still hold
        return torch.jit.script(_for_torchscript)(s)


def _for_torchscript(s: torch.Tensor):
    return (s * 2 + 1).softmax(-1)


class Doubled(torch.autograd.Function):
    """An operation with a gradient of its own."""

    @staticmethod
    def forward(ctx, s):
        return s * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


def filled(s):
    """Write into parts of a tensor of its own."""
    out = torch.zeros_like(s)
    for i in range(2):
        out[i, :, 1:] = s[i, :, 1:] * 2
    out[s > 0] = 1.0
    out[..., 0] = 3
    return out


def copied_over(s):
    """Write into slices, which take values from any device."""
    out = torch.zeros(2, 3, 5)
    out[0] = s[0]
    return out.to(s.device)


def added_up(s):
    """Keep a sum in a number on the CPU: what is computed on the GPU is not written there."""
    total = torch.tensor(0.0)
    for row in s[0]:
        total += row.sum()
    return total


class Normed(nn.Module):
    """A layer with parameters and buffers, made where the input is."""

    def __init__(self, device):
        super().__init__()
        self.norm = nn.BatchNorm1d(3, device=device)

    def forward(self, s):
        return self.norm(s)


FINE: dict[str, Callable] = {
    "constant-from-device": lambda s: s + torch.tensor([1.0, 2, 3, 4, 5], device=s.device),
    "number": lambda s: s * torch.tensor(2.0),
    "moved": lambda s: torch.ones(5).to(s.device) + s,
    "moved-like": lambda s: torch.ones(5).type_as(s) + s,
    "there-and-back": lambda s: s.cpu().to(s),
    "arange": lambda s: torch.arange(5, device=s.device) + s,
    "in-a-context": lambda s: s + _ones_within(s.device),
    "integer": lambda s: s[0, 1:, ..., None, 2],
    "last": lambda s: s[..., -1],
    "ellipsis": lambda s: s[..., None] * s[..., None, :],
    "step": lambda s: s[:, ::2],
    "index-tensor": lambda s: s[:, :, torch.arange(2, device=s.device)],
    "index-on-the-cpu": lambda s: s[:, :, torch.arange(2)],
    "list": lambda s: s[[0, 1]],
    "rows": lambda s: torch.stack([row * 1 for row in s]),
    "einsum": lambda s: torch.einsum("bqk,bqk->b", s, s),
    "pad": lambda s: F.pad(s, (1, 1)),
    "ready-made": lambda s: F.scaled_dot_product_attention(s, s, s),
    "largest": lambda s: s.max(-1).values,
    "shape-of-another": lambda s: torch.ones(5).expand_as(s).to(s.device) * s,
    "filled": filled,
    "copied-over": copied_over,
    "written-by-an-index-on-the-cpu": lambda s: s.index_put((torch.tensor([0]),), s[1:] * 2),
    "copied-into-a-slice": lambda s: torch.select_scatter(s, torch.ones(3, 5), 0, 1),
    "vmap": lambda s: torch.vmap(lambda row: row @ row.mT * torch.ones(3, device=s.device))(s),
    "vmap-of-vmap": lambda s: torch.vmap(torch.vmap(lambda row: row.softmax(-1)))(s) + s,
    "gradient": lambda s: torch.func.grad(lambda t: (t * t).sum())(s) + s,
    "scripted": lambda s: scripted(s) + s,
    "function": lambda s: Doubled.apply(s) + s,
    "layer": lambda s: Normed(s.device)(s) + s,
    "layer-moved": lambda s: nn.Linear(5, 2).to(s)(s),
    "as-tensor-by-name": lambda s: torch.as_tensor(data=s) + torch.asarray(obj=s),
    "recurrent": lambda s: nn.GRU(5, 4, batch_first=True).to(s)(s)[0],
    "sparse": lambda s: s[0].to_sparse().to_dense() + s,
    "number-of-it": lambda s: s * s.sum().item(),
    "branch": lambda s: s if (s > 0).any() else -s,
    "numbers-of-it": lambda s: torch.tensor(s.tolist(), device=s.device) + s,
    "python-for-each-number-of-a-copy": lambda s: s.cpu().clone().apply_(abs).to(s.device) + s,
    "array-of-a-copy": lambda s: torch.from_numpy(s.cpu().numpy()).to(s.device) + s,
    "array-by-force": lambda s: torch.from_numpy(s.numpy(force=True)).to(s.device) + s,
    "as-tensor": lambda s: torch.as_tensor(torch.ones(5), device=s.device) + torch.as_tensor(s),
    "number-chosen": lambda s: torch.where(s > 0, s, torch.tensor(float("-inf"))),
    "number-added-up": lambda s: sum((row.sum() for row in s), torch.tensor(0.0)),
    "number-added-in-place": lambda s: s.clone().add_(torch.tensor(1.0)),
    "new-of-a-number": lambda s: s.new_full((5,), torch.tensor(2.0)) + s,
    "filled-with-its-number": lambda s: torch.full((5,), s.max(), device=s.device) + s,
    "moved-to-its-type": lambda s: torch.ones(5).type(s.type()) + s.type(torch.float32),
    "moved-to-a-named-tensor": lambda s: torch.ones(5).to(tensor=s) + s,
    "default-device": lambda s: s + _ones_by_default(s.device),
    "drawn-on-the-cpu": lambda s: torch.rand(5, generator=torch.Generator().manual_seed(0)).to(s.device) + s,
    "written-by-a-numpy-integer": lambda s: _written(s, np.int64(1)),
}
MISPLACED: dict[str, Callable] = {
    "sum": lambda s: s + torch.ones(5),
    "mask": lambda s: s.masked_fill(torch.ones(3, 5).tril().bool(), 0.0),
    "where": lambda s: torch.where(torch.ones(3, 5).bool(), s, 0.0),
    "cat": lambda s: torch.cat([s, torch.zeros(2, 3, 1)], -1),
    "matmul": lambda s: s @ torch.zeros(5, 2),
    "loop": lambda s: sum((s[..., j] * 1 for j in range(5)), torch.zeros(2, 3)),
    "indexed-by-it": lambda s: torch.arange(5)[s[0, 0].long() % 5],
    "written-by-index": lambda s: s.clone().index_put_((torch.tensor([0]),), torch.ones(1, 3, 5)),
    "in-vmap": lambda s: torch.vmap(lambda row: row * torch.ones(5))(s),
    "after-vmap": lambda s: torch.vmap(lambda row: row.softmax(-1))(s) + torch.ones(5),
    "after-script": lambda s: scripted(s) + torch.ones(5),
    "layer": lambda s: nn.Linear(5, 2)(s),
    "numbers-of-it": lambda s: torch.tensor([s[0, 0, 0], s[0, 0, 1]]) + s[..., :2],
    "written-with-a-mask": lambda s: _written(s, s > 0),
    "written-with-a-list": lambda s: _written(s, [0, 1]),
    "written-with-an-array": lambda s: _written(s, np.array([0, 1])),
    # The number of steps comes from the GPU.
    "as-long-as-it-says": lambda s: torch.arange(s.max().long() - 17) + s,
    "filled-with-its-number": lambda s: torch.full((5,), s.max()) + s,
    "added-up-on-the-cpu": added_up,
    "put-out-on-the-cpu": lambda s: torch.sum(s, dim=(0, 1, 2), out=torch.tensor(0.0)),
    "written-by-name": lambda s: torch.addmv_(input=s[0, 0, :3].clone(), mat=torch.ones(3, 5), vec=s[0, 0]),
    "stacked-with-a-number": lambda s: torch.column_stack([torch.tensor(1.0), s.sum()]),
    "moved-to-a-type-of-the-cpu": lambda s: s.type("torch.FloatTensor") + s,
    "default-device": lambda s: s + _ones_by_default("cpu"),
    "python-for-each-number": lambda s: s.clone().apply_(abs),
    "python-for-two-numbers": lambda s: s.clone().map_(s * 2, max),
}
RETURNED_ON_CPU: dict[str, Callable] = {
    "zeros": lambda s: torch.zeros(2, 3),
    "copy": lambda s: s.cpu(),
    "copied-by-name": lambda s: s.to("cpu"),
    "like-another": lambda s: s.to(torch.ones(1)),
    "view-of-a-copy": lambda s: s.cpu()[0],
    "numbers": lambda s: torch.tensor([s[0, 0, 0], s[0, 0, 1]]),
    "shape-of-it": lambda s: torch.ones(5).expand_as(s),
    "reshaped-like-it": lambda s: torch.ones(5, 6).mT.reshape_as(s),
    "copied-into-its-slice": lambda s: torch.select_scatter(torch.ones(2, 3, 5), s[0], 0, 1),
    "written-over": lambda s: torch.zeros(2, 3, 5).copy_(s),
    "written-over-what-was-there-before": lambda s: MADE_BEFORE.copy_(s),
    "filled": lambda s: torch.zeros(2, 3, 5).fill_(s.max()),
    "full": lambda s: torch.full_like(torch.ones(5), s.max()),
    "new": lambda s: torch.ones(5).new_tensor(s),
}


def _ones_within(device: torch.device) -> torch.Tensor:
    with device:
        return torch.ones(5)


def _ones_by_default(device: torch.device | str) -> torch.Tensor:
    torch.set_default_device(device)
    try:
        return torch.ones(5)
    finally:
        torch.set_default_device(None)


def _written(s: torch.Tensor, index: object) -> torch.Tensor:
    out = torch.zeros_like(s)
    out[index] = torch.ones_like(s, device="cpu")[index.cpu() if isinstance(index, torch.Tensor) else index]
    return out


def outcome(compute: Callable) -> Outcome:
    """Return what comes of an answer on the simulated GPU."""
    return LocalRunner(compute).observe(Call({"s": X}, "simulated-cuda"))


@pytest.mark.parametrize("name", FINE)
def test_fine(name: str) -> None:
    """Code that works on a GPU works on the simulated one; its result is there, and is that of the CPU."""
    torch.manual_seed(0)
    with simulated_cuda(operators=name == "scripted"):
        result = FINE[name](torch.from_numpy(X.values).float().to("cuda"))
        assert result.device == torch.device("cuda:0") and result.is_cuda and not result.is_cpu
        came = result.cpu()
    torch.testing.assert_close(came.detach(), _on_cpu(FINE[name]))


def _on_cpu(compute: Callable) -> torch.Tensor:
    torch.manual_seed(0)
    return compute(torch.from_numpy(X.values).float()).detach()


@pytest.mark.parametrize("name", FINE)
def test_nobody_is_blamed(name: str) -> None:
    """The same code as an answer: no error, and its result is on the GPU."""
    came = outcome(FINE[name])
    assert came.error is None and [result.device for result in came.results] == ["cuda"]


@pytest.mark.parametrize("name", MISPLACED)
def test_misplaced(name: str) -> None:
    """A tensor made on the CPU is told as such, with its line."""
    raised = outcome(MISPLACED[name]).error
    assert raised is not None and raised.device_mismatch


@pytest.mark.parametrize("name", MISPLACED)
def test_misplaced_is_only_misplaced(name: str) -> None:
    """The same code runs through where all is on the CPU."""
    assert LocalRunner(MISPLACED[name]).observe(Call({"s": X})).error is None


def test_device_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that looks at the machine and not at its input fails where these differ, as here: the machine has no GPU."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    raised = outcome(lambda s: s + torch.ones(5, device="cuda" if torch.cuda.is_available() else "cpu")).error
    assert raised is not None and raised.device_mismatch


@pytest.mark.parametrize("name", RETURNED_ON_CPU)
def test_returned_on_cpu(name: str) -> None:
    """A result that is on the CPU is told as such."""
    came = outcome(RETURNED_ON_CPU[name])
    assert came.error is None and [result.device for result in came.results] == ["cpu"]


def test_array() -> None:
    """NumPy cannot read a tensor that is on a GPU: that is a fault of the device too."""
    raised = outcome(lambda s: s.numpy()).error
    assert raised is not None and raised.type == "TypeError" and raised.device_mismatch


def test_generator() -> None:
    """A generator of the CPU draws no numbers on a GPU."""
    drawn = outcome(lambda s: s + torch.rand(5, generator=torch.Generator().manual_seed(0), device=s.device))
    assert drawn.error is not None and drawn.error.device_mismatch


def _sets_the_default(s: torch.Tensor) -> torch.Tensor:
    torch.set_default_device(s.device)
    return torch.ones(5) + s


def _leaves_a_mode(s: torch.Tensor) -> torch.Tensor:
    s.device.__enter__()
    return torch.ones(5) + s


def _leaves_a_mode_and_sets_the_default(s: torch.Tensor) -> torch.Tensor:
    s.device.__enter__()
    return _sets_the_default(s)


def _is_stopped(s: torch.Tensor) -> torch.Tensor:
    with s.device:
        raise KeyboardInterrupt


def _modes_and_settings() -> tuple[object, ...]:
    modes, current = _get_current_function_mode_stack(), torch.utils._device.CURRENT_DEVICE
    return modes, default_context(), current, torch.backends.cudnn.enabled


@pytest.mark.parametrize(
    "answer", [_sets_the_default, _leaves_a_mode, _leaves_a_mode_and_sets_the_default, _is_stopped]
)
def test_nothing_stays(answer: Callable) -> None:
    """After a call torch is as it was, whatever the answer did to it."""
    before = _modes_and_settings()
    with contextlib.suppress(KeyboardInterrupt):
        assert outcome(answer).results[0].device == "cuda"
    assert _modes_and_settings() == before
    torch.ones(5)


def test_a_constant_that_is_kept() -> None:
    """An answer that keeps a constant for each device is right every time; one made at import is wrong every time."""
    kept: dict[torch.device, torch.Tensor] = {}
    at_import = torch.ones(5)

    def keeps(s: torch.Tensor) -> torch.Tensor:
        if s.device not in kept:
            kept[s.device] = torch.ones(5, device=s.device)
        return s + kept[s.device]

    for _ in range(2):
        assert LocalRunner(keeps).observe(Call({"s": X})).error is None
        assert outcome(keeps).left_behind is None
        assert LocalRunner(lambda s: s + at_import).observe(Call({"s": X})).error is None
        assert outcome(lambda s: s + at_import).left_behind is not None


def test_after_it() -> None:
    """What was on the simulated GPU is in the CPU's memory, and can be used afterwards."""
    with simulated_cuda():
        x = torch.ones(2, device="cuda")
    assert x.untyped_storage().device.type == "cpu" and (x + x).sum() == 4
