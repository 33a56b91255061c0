"""The largest tensor that an answer makes is found, wherever it is made."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
import torch

from course_attention.execution.largest_tensor import LargestTensor

BUFFER = torch.empty(1000)
COLUMN = torch.ones(5, 1)


def in_a_thread() -> None:
    thread = threading.Thread(target=lambda: COLUMN @ COLUMN.mT)
    thread.start()
    thread.join()


@pytest.mark.parametrize(
    ("make", "numbers"),
    [
        (lambda: COLUMN @ COLUMN.mT, 25),
        (lambda: torch.matmul(COLUMN, COLUMN.mT, out=BUFFER[:25].view(5, 5)), 25),
        (lambda: BUFFER[:25].view(5, 5).copy_(COLUMN), 25),
        (in_a_thread, 25),
        (lambda: BUFFER[:25].view(5, 5), 0),
        (lambda: torch.ones(3).add_(1), 3),
    ],
)
def test_found(make: Callable[[], object], numbers: int) -> None:
    """A result, what is written into a tensor that was there before, and what a thread makes count; a view does not."""
    with LargestTensor() as largest:
        make()
    assert largest.numbers == numbers


def test_threads_are_as_before() -> None:
    """Behind the block, nothing is looked at any more."""
    with LargestTensor() as largest:
        pass
    in_a_thread()
    assert largest.numbers == 0
