"""A run that is stopped or killed, again and again, ends with the results of one that never was."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from tests.grading.classes import COMMAND, bare, begin, grade_here, results_in, without_seconds
from tests.grading.conftest import FIRST, filled, needs_bubblewrap

# How often a run is killed. Fifty take a quarter of an hour: COURSE_ATTENTION_KILLS=50
KILLS = os.environ.get("COURSE_ATTENTION_KILLS")
STUDENTS = 12
ANSWERS = {
    "right": None,
    "wrong": "def softmax(scores, axis=-1):\n    return scores",
    "blank": "def softmax(scores, axis=-1):\n    raise NotImplementedError",
    "slow": "import time\ntime.sleep(0.3)\ndef softmax(scores, axis=-1):\n    return 1 / 0",
    "crash": "import os\ndef softmax(scores, axis=-1):\n    os._exit(3)",
}


@pytest.fixture(scope="module")
def handed_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a class that is graded in a few seconds, once the sandboxes stand."""
    folder = tmp_path_factory.mktemp("class") / "in"
    for number in range(STUDENTS):
        kind = list(ANSWERS)[number % len(ANSWERS)]
        own = folder / f"student {number}"
        own.mkdir(parents=True)
        content = filled(FIRST, {"softmax": ANSWERS[kind]} if ANSWERS[kind] else None)
        (own / f"{FIRST}.ipynb").write_bytes(content if number != 7 else content[:500])
    return folder


@pytest.fixture
def expected(handed_in: Path, tmp_path: Path, in_this_process: None) -> dict[str, bytes]:
    """Grade without a stop, and return what is then there."""
    grade_here(handed_in, tmp_path / "never stopped", "--seed", "3")
    expected = without_seconds(tmp_path / "never stopped")
    assert sum(name.startswith("results/") for name in expected) == STUDENTS
    return expected


def kill_at(command: list, out: Path, moment: random.Random) -> tuple[bool, list[psutil.Process]]:
    """Start the command and kill it; whether it was still running, and which of its processes are left after a while.

    It is killed as it starts, or a moment after one of its next results has come.
    """
    process = subprocess.Popen(
        command, env=bare(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    starting = moment.random() < 0.3
    wanted = 0 if starting else len(results_in(out)) + moment.randint(1, 3)
    while process.poll() is None and len(results_in(out)) < wanted:
        time.sleep(0.005)
    try:
        process.wait(moment.uniform(0, 6 if starting else 0.3))
    except subprocess.TimeoutExpired:
        family = psutil.Process(process.pid).children(recursive=True)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        _, left = psutil.wait_procs(family, timeout=60)
        return True, left
    assert process.returncode == 0
    return False, []


@needs_bubblewrap
@pytest.mark.journey
@pytest.mark.slow
def test_killed_at_any_moment(handed_in: Path, tmp_path: Path, expected: dict[str, bytes]) -> None:
    """The results and views are the same, byte for byte but for the seconds; no process outlives its run."""
    most = int(KILLS or 2)
    moment, kills, runs = random.Random(50), 0, 0
    while kills < most:
        runs += 1
        out = tmp_path / f"stopped {runs}"
        killed = True
        while killed and kills < most:
            workers = str(2 - kills % 2)  # two and one by turns: each takes seconds to start
            command = [*COMMAND, "grade", handed_in, "--out", out, "--workers", workers, "--seed", "3"]
            killed, left = kill_at(command, out, moment)
            assert not left, [(one.pid, one.cmdline()) for one in left]
            kills += killed
        done = grade_here(handed_in, out, "--seed", "3")
        assert done.returncode == 0, done.stderr
        assert without_seconds(out) == expected
    print(f"killed {kills} times in {runs} runs")


@needs_bubblewrap
@pytest.mark.slow
@pytest.mark.usefixtures("interruptible")
def test_killed_and_stopped(handed_in: Path, tmp_path: Path, expected: dict[str, bytes]) -> None:
    """A run is killed, the next one ends at once at Ctrl-C, with a line, and a third one goes on to the same end.

    No process outlives its run.
    """
    out = tmp_path / "stopped"
    process = begin(handed_in, out, "--workers", "1", results=1)
    family = psutil.Process(process.pid).children(recursive=True)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=120)
    assert not psutil.wait_procs(family, timeout=60)[1]

    process = begin(handed_in, out, "--workers", "1", results=1 + len(results_in(out)))
    family = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=120)
    assert process.returncode == 2
    assert stderr.splitlines()[-1] == "course-attention grade: stopped; the same command goes on from here", stderr
    assert "Traceback" not in stderr
    assert not psutil.wait_procs(family, timeout=60)[1]

    assert len(results_in(out)) < STUDENTS
    assert grade_here(handed_in, out, "--seed", "3").returncode == 0
    assert without_seconds(out) == expected
