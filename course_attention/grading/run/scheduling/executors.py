"""Runs tasks in processes of this machine; `cluster` runs them on the workers of a Dask cluster instead."""

import contextlib
import multiprocessing
import multiprocessing.process
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path

from course_attention.grading.interrupts import ctrl_c_held_back
from course_attention.grading.run.scheduling.tasks import end_with_parent

# What a new sandbox does, which takes seconds.
BEFORE_THE_FIRST = ": each loads PyTorch and is tried with a right answer, before the first result comes"
# A task that takes its worker with it so many times is not tried again.
ATTEMPTS = 3


class CannotRun(Exception):
    """No task can be run; the message says why, and what to do."""


@dataclass(frozen=True)
class Workers:
    """Workers for tasks, on this machine or a cluster.

    Attributes:
        executor: makes an executor for tasks; called again when its workers have died. Who makes it shuts it down.
        in_flight: how many tasks keep them all busy.
        at_once: how many tasks may run beside each other.
        starting: what they do before the first result comes.
        note: what the instructor should know about them, else "".
    """

    executor: Callable[[], Executor]
    in_flight: int
    at_once: int
    starting: str = "starting the sandboxes"
    note: str = ""


@contextlib.contextmanager
def local(workers: int | None = None) -> Iterator[Workers]:
    """Use processes on this machine, one for each core unless a number is given. On an error they end at once."""
    number = workers or _cores()
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # for them: each has a core, and works on small arrays

    executors: list[Executor] = []

    def executor() -> Executor:
        executors.append(ProcessPoolExecutor(number, mp_context=_Spawn(), initializer=end_with_parent))
        return executors[-1]

    try:
        sandboxes = "a sandbox" if number == 1 else f"{number} sandboxes"
        yield Workers(executor, 2 * number, number, f"starting {sandboxes}{BEFORE_THE_FIRST}")
    except BaseException:
        for process in multiprocessing.active_children():
            _end(process)
        for one in executors:
            one.shutdown()  # waits for its thread: at Python's own end the thread would print a traceback
        raise
    for one in executors:
        one.shutdown(wait=False)


class _Worker(SpawnProcess):
    """A worker that Ctrl-C does not reach from its first moment on: it is for the process that starts the worker.

    Without this, a worker that is still importing prints a traceback of its own below what the instructor is told.
    """

    def start(self) -> None:
        if sys.platform != "win32":
            # Starts before the block: as soon as it has started it lets Ctrl-C through.
            resource_tracker.ensure_running()
        with ctrl_c_held_back():
            super().start()


class _Spawn(SpawnContext):
    Process = _Worker


def _end(worker: multiprocessing.process.BaseProcess) -> None:
    """Kill a worker and what it has started, its sandbox above all.

    A sandbox ends with its worker. But if bubblewrap itself is only starting, its second process may wait for ever for
    the first one, which has ended.
    """
    if worker.pid is not None and hasattr(signal, "SIGSTOP"):
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker.pid, signal.SIGSTOP)  # so that it starts nothing more
        for child in _children(worker.pid):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)  # a sandbox leads a process group of its own
    worker.kill()


def _children(pid: int) -> list[int]:
    """Return the children of a process; none on systems that do not tell."""
    with contextlib.suppress(OSError):
        return [
            int(child)
            for thread in Path(f"/proc/{pid}/task").iterdir()
            for child in (thread / "children").read_text().split()
        ]
    return []


def is_death(error: BaseException) -> bool:
    """Say whether an error means that a worker, or the connection to it, was lost, rather than that the task failed."""
    return isinstance(error, (BrokenProcessPool, CancelledError)) or type(error).__name__ == "KilledWorker"


def is_over(error: BaseException) -> bool:
    """Say whether an error means that its executor takes no more tasks: one death ends a whole pool of processes."""
    return isinstance(error, BrokenProcessPool)


def _cores() -> int:
    """Count the cores that this process may use. In a container, or under a batch system, there are more."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
