"""Tests of lesson/device.py."""

from __future__ import annotations

import pytest
import torch

from course_attention.lesson.device import VARIABLE, device


@pytest.fixture
def gpus(monkeypatch: pytest.MonkeyPatch):
    """Set how many CUDA devices PyTorch finds."""

    def found(count: int) -> None:
        monkeypatch.setattr(torch.cuda, "is_available", lambda: count > 0)
        monkeypatch.setattr(torch.cuda, "device_count", lambda: count)

    return found


@pytest.mark.parametrize(("count", "expected"), [(0, "cpu"), (1, "cuda")])
def test_finds(count: int, expected: str, gpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """With nothing set, CUDA is used where there is one."""
    monkeypatch.delenv(VARIABLE, raising=False)
    gpus(count)
    assert device() == torch.device(expected)


@pytest.mark.parametrize("wanted", ["cpu", " CPU ", "cuda", "cuda:1"])
def test_obeys(wanted: str, gpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment decides, in any case and with blanks around it."""
    monkeypatch.setenv(VARIABLE, wanted)
    gpus(2)
    assert device() == torch.device(wanted.strip().lower())


@pytest.mark.parametrize(
    ("wanted", "count", "said"),
    [
        ("gpu", 1, "must be cpu, cuda or cuda:N.*'gpu'"),
        ("cuda", 0, "'cuda', but PyTorch finds 0 CUDA devices"),
        ("cuda:2", 2, "'cuda:2', but PyTorch finds 2 CUDA devices"),
    ],
)
def test_refuses(wanted: str, count: int, said: str, gpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """A device that does not exist is an error that says what came and what is there."""
    monkeypatch.setenv(VARIABLE, wanted)
    gpus(count)
    with pytest.raises(ValueError, match=said):
        device()
