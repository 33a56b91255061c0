"""Tests of grading/run/scheduling/executors.py."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from course_attention.grading.run.scheduling.executors import local

# Like bubblewrap while it starts: a second process that waits, and does not notice that the first one has ended.
_FAMILY = """
import os, sys, time
os.fork()
with open(sys.argv[1], "a") as file:
    file.write(f"{os.getpid()}\\n")
time.sleep(300)
"""


def _start_a_family(file: str) -> None:
    subprocess.run([sys.executable, "-c", _FAMILY, file], start_new_session=True, check=True)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="only Linux tells the children of a process")
def test_nothing_outlives_an_error(tmp_path: Path) -> None:
    """On an error, and so on Ctrl-C, a worker ends with all that it has started."""
    file = tmp_path / "pids"

    def interrupted() -> None:
        with local(1) as workers:
            workers.executor().submit(_start_a_family, str(file))
            while not file.exists() or len(file.read_text().splitlines()) < 2:
                time.sleep(0.02)
            family.extend(psutil.Process(int(pid)) for pid in file.read_text().split())
            raise KeyboardInterrupt

    family: list[psutil.Process] = []
    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert len(family) == 2
    assert not psutil.wait_procs(family, timeout=60)[1]


def _ctrl_c() -> tuple[bool, bool]:
    """Say whether this process ignores Ctrl-C, and whether it still holds one back."""
    held_back = signal.pthread_sigmask(signal.SIG_BLOCK, ())  # blocks nothing more, and tells what is blocked
    return signal.getsignal(signal.SIGINT) == signal.SIG_IGN, signal.SIGINT in held_back


@pytest.mark.skipif(os.name == "nt", reason="Windows has no masks of signals")
@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_does_not_reach_a_worker_that_starts() -> None:
    """A worker that is only starting prints no traceback on Ctrl-C; the process that starts it still gets its own."""
    with local(1) as workers, workers.executor() as executor:
        task = executor.submit(_ctrl_c)
        (worker,) = multiprocessing.active_children()
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGINT)
        assert task.result(timeout=60) == (True, False)
    assert _ctrl_c() == (False, False)
