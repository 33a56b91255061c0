"""Holds Ctrl-C back where it would be lost, or would reach a process that it is not for."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def ctrl_c_held_back() -> Iterator[None]:
    """Hold Ctrl-C back; it comes at the end of the block. A process that starts within the block never gets one.

    Windows cannot hold it back: there the block is as any other.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ignore_ctrl_c() -> None:
    """Ignore Ctrl-C in this process for good, also one that was held back when it started."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
