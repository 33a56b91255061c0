"""Holds Ctrl-C back where it would be lost, or would reach a process that it is not for."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator


@contextlib.contextmanager
def ctrl_c_held_back() -> Iterator[None]:
    """Hold Ctrl-C back; it comes at the end of the block. A process that starts within the block never gets one.

    Windows cannot hold it back: there the block is as any other.
    """
    if sys.platform == "win32":
        yield
        return
    # The mask holds it back from this thread, and from what the thread starts. Another thread may still take it, and
    # Python would raise it here, in the main thread, all the same: so the handler only notes it.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    handler = signal.getsignal(signal.SIGINT)
    notes = callable(handler) and threading.current_thread() is threading.main_thread()
    came: list[int] = []  # a lock could be waited for by a handler that interrupts another
    if notes:
        signal.signal(signal.SIGINT, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if notes:
            signal.signal(signal.SIGINT, handler)
        if came and callable(handler):
            handler(signal.SIGINT, None)


def ignore_ctrl_c() -> None:
    """Ignore Ctrl-C in this process for good, also one that was held back when it started."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
