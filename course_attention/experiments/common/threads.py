"""How many processor threads an experiment runs on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one thread, then on as many as before.

    The matrices here are too small to be worth sharing out: two threads gain little on idle cores, and spend
    most of their time waiting for each other on busy ones. One thread also repeats the same numbers anywhere.

    Example:
        >>> with one_thread():
        ...     torch.get_num_threads()
        1
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
