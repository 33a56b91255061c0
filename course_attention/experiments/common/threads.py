"""Limits an experiment to one processor thread."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one thread, then on as many as before.

    The matrices here are too small to be shared among threads: on idle cores two threads gain little, and on busy
    cores they mostly wait for each other. One thread also gives the same numbers on every machine.

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
