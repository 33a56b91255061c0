"""Ctrl-C comes at the end of a block that holds it back, whichever thread takes it."""

from __future__ import annotations

import os
import signal
import sys
import threading

import pytest

from course_attention.grading.interrupts import ctrl_c_held_back

pytestmark = [
    pytest.mark.usefixtures("interruptible"),
    pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot hold Ctrl-C back"),
]


def press_ctrl_c() -> None:
    """Send this process what a terminal sends, and leave its threads time to take it."""
    os.kill(os.getpid(), signal.SIGINT)
    threading.Event().wait(0.05)


def interrupted_block(done: list[str]) -> None:
    with ctrl_c_held_back():
        press_ctrl_c()
        done.append("the block")


def test_comes_at_the_end() -> None:
    """With one thread and with a second, which takes what the first one blocks."""
    for others in (0, 1):
        done: list[str] = []
        over = threading.Event()
        threads = [threading.Thread(target=over.wait, daemon=True) for _ in range(others)]
        for thread in threads:
            thread.start()
        with pytest.raises(KeyboardInterrupt):
            interrupted_block(done)
        over.set()
        assert done == ["the block"], f"{others} other threads"
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_nothing_comes() -> None:
    """Without Ctrl-C, or where it is ignored, the block is as any other, and what was set before is back."""
    with ctrl_c_held_back():
        pass
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with ctrl_c_held_back():
        press_ctrl_c()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
