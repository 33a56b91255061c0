"""A Dask cluster grades as this machine does, whatever becomes of its workers and of its scheduler."""

from __future__ import annotations

import builtins
import contextlib
import gc
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import distributed
import psutil
import pytest

from course_attention.grading.run.scheduling.cluster import _Connection, cluster
from course_attention.grading.run.scheduling.executors import CannotRun
from tests.grading.classes import bare, begin, grade_here, sandboxes, without_seconds
from tests.grading.conftest import FIRST, filled, needs_bubblewrap

STUDENTS = 8
WRONG = "import time\ntime.sleep(0.3)\ndef softmax(scores, axis=-1):\n    return scores"


@contextlib.contextmanager
def running(module: str, *options: str) -> Iterator[subprocess.Popen]:
    """Run a part of a cluster until the end of the block."""
    command = [sys.executable, "-m", f"distributed.cli.{module}", *options]
    process = subprocess.Popen(
        command, env=bare(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def cluster_of(workers: int, folder: Path) -> Iterator[tuple[str, subprocess.Popen, list[subprocess.Popen]]]:
    """Give a scheduler's address, the scheduler, and workers of one thread each, which nobody starts again.

    The scheduler has a port that the system gives it, which stands in a file of the folder. All workers are there.
    """
    file = folder / "scheduler.json"
    with contextlib.ExitStack() as stack:
        options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show")
        scheduler = stack.enter_context(running("dask_scheduler", "--scheduler-file", str(file), *options))
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
        started = [
            stack.enter_context(running("dask_worker", "--scheduler-file", str(file), *options)) for _ in range(workers)
        ]
        with distributed.Client(scheduler_file=str(file), timeout=120, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=120)
            address = client.scheduler.address
        yield address, scheduler, started


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("class") / "in"
    for number in range(STUDENTS):
        (folder / f"student {number}").mkdir(parents=True)
        content = filled(FIRST, {"softmax": WRONG})
        (folder / f"student {number}" / f"{FIRST}.ipynb").write_bytes(content)
    return folder


@needs_bubblewrap
@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
def test_grades(handed_in: Path, tmp_path: Path) -> None:
    """A cluster of one worker grades a class."""
    with cluster_of(1, tmp_path) as (address, _scheduler, _workers):
        stdout, stderr = begin(handed_in, tmp_path / "out", "--scheduler", address, results=STUDENTS).communicate(
            timeout=120
        )
    assert f"{STUDENTS} of them graded now: {STUDENTS} graded" in stdout, stderr
    assert "distributed" not in stderr and "Traceback" not in stderr


@needs_bubblewrap
@pytest.mark.journey
@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
def test_worker_that_dies(handed_in: Path, tmp_path: Path) -> None:
    """One of two workers is killed in mid-run; each had a sandbox, the results are those of this machine.

    And when the scheduler goes, too, the command ends with a line that says so.
    """
    with cluster_of(2, tmp_path) as (address, scheduler, workers):
        process = begin(handed_in, tmp_path / "cluster", "--scheduler", address, results=4)
        while process.poll() is None and not all(sandboxes(worker.pid) for worker in workers):
            time.sleep(0.02)
        held = [sandboxes(worker.pid) for worker in workers]
        assert [len(own) for own in held] == [1, 1]
        workers[0].kill()
        stdout, stderr = process.communicate(timeout=120)
        assert process.returncode == 0, stderr
        last, _, limit = stdout.splitlines()[-1].partition("; ")
        assert last == f"{STUDENTS} submissions, {STUDENTS} of them graded now: {STUDENTS} graded"
        assert limit.startswith("memory limited by c")
        assert "distributed" not in stderr and "Traceback" not in stderr
        assert not psutil.wait_procs(held[0], timeout=60)[1], "its sandbox outlives the worker"

        process = begin(handed_in, tmp_path / "stopped", "--scheduler", address, results=2)
        scheduler.kill()
        stdout, stderr = process.communicate(timeout=60)
        assert process.returncode == 2
        assert stderr.splitlines()[-1] == f"course-attention grade: no Dask scheduler answers at {address}"
        assert "distributed" not in stderr and "Traceback" not in stderr
    done = grade_here(handed_in, tmp_path / "stopped", "--seed", "3")
    assert done.returncode == 0 and f" {STUDENTS} of them" not in done.stdout
    assert without_seconds(tmp_path / "cluster") == without_seconds(tmp_path / "stopped")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "127.0.0.1:1", "nowhere", "no://where", ":::", "tcp://"])
def test_nobody_there(address: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture) -> None:
    """No scheduler at the address, or an address that is none: a line that names it, and no tales of Dask's."""
    monkeypatch.setattr("course_attention.grading.run.scheduling.cluster._CONNECT", 1.0)
    with pytest.raises(CannotRun, match="no Dask scheduler answers at") as refused, cluster(address):
        pass
    assert address in str(refused.value)
    assert capfd.readouterr() == ("", "")


def test_failed_client_ends_before_the_next_starts() -> None:
    """A client that failed is collected before the next one is made: while that one starts, its end would wait."""
    starting, ended_while_starting = [], []

    class Client:
        def __init__(self, *_: object, **__: object) -> None:
            self.itself = self  # only the garbage collector ends it
            starting.append(self)
            gc.collect()
            starting.clear()
            raise OSError("nobody answers")

        def __del__(self) -> None:
            ended_while_starting.append(bool(starting))

    gc.collect()
    gc.disable()
    try:
        connection = _Connection("tcp://127.0.0.1:1", Client)
        for _ in range(2):
            with contextlib.suppress(CannotRun):
                connection.client()
    finally:
        gc.enable()
    gc.collect()
    assert ended_while_starting == [False, False]


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Dask is missing, how to install it."""
    own = builtins.__import__

    def no_dask(name: str, *rest):
        if name == "distributed":
            raise ImportError(name)
        return own(name, *rest)

    monkeypatch.setattr(builtins, "__import__", no_dask)
    with pytest.raises(CannotRun, match=r"pip install 'course-attention\[cluster\]'"), cluster("tcp://x:1"):
        pass
