"""A machine on which submissions cannot be graded says why, and gives nobody a mark; every other one grades."""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from course_attention.grading.run.machine.set_up_check import check
from course_attention.grading.run.scheduling import tasks
from course_attention.grading.run.scheduling.tasks import GradingSettings, Task
from course_attention.grading.sandbox import sandbox as sandbox_module
from course_attention.grading.sandbox.bubblewrap import IN_DOCKER, NoSandbox
from course_attention.grading.sandbox.channel import ChannelClosed
from course_attention.grading.sandbox.limits import Limits
from course_attention.grading.sandbox.sandbox import Sandbox
from course_attention.grading.sandbox.session import Lost
from tests.grading.classes import COMMAND, bare
from tests.grading.conftest import FIRST, filled, needs_bubblewrap
from tests.grading.machines import (
    DOCKER,
    DOCKER_WITH_BOTH,
    DOCKER_WITH_SYSTEM,
    needs_user_namespaces,
    run_elsewhere,
)
from tests.grading.test_hostile import _LEAVE, _LOOK, _RIGHT

pytestmark = [needs_bubblewrap, pytest.mark.slow]
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
OPTIONS = ("--workers", "1", "--seed", "3")


@pytest.fixture
def folders() -> Iterator[tuple[Path, Path]]:
    """Make a class of one student, and a folder for its results in which everyone may write.

    They are not in pytest's own folder, which every pytest that starts on this machine closes to other users. Nor does
    the umask of this process close them, which those that it starts have as well.
    """
    umask = os.umask(0o022)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        handed_in = Path(folder, "in")
        hand_in(handed_in, "ada", filled(FIRST))
        out = Path(folder, "out")
        out.mkdir()
        out.chmod(0o777)
        yield handed_in, out
    os.umask(umask)


def hand_in(handed_in: Path, student: str, content: bytes) -> None:
    (handed_in / student).mkdir(parents=True)
    (handed_in / student / f"{FIRST}.ipynb").write_bytes(content)


def command(folders: tuple[Path, Path]) -> list[str | Path]:
    return [*COMMAND, "grade", folders[0], "--out", folders[1], *OPTIONS]


@needs_root
@needs_user_namespaces
@pytest.mark.parametrize("user", [pytest.param("root", marks=pytest.mark.journey), "nobody"])
def test_grades(user: str, folders: tuple[Path, Path]) -> None:
    """Root of a user namespace grades, as in a container; so does a user without any right there."""
    done = run_elsewhere(command(folders), user, 100, bare())
    assert done.returncode == 0, done.stderr
    assert "1 of them graded now: 1 graded" in done.stdout


@needs_root
@pytest.mark.journey
def test_grades_without_root(folders: tuple[Path, Path]) -> None:
    """A user without any right grades, and one submission finds nothing of another: both run as whoever owns /dev."""
    handed_in, out = folders
    hand_in(handed_in, "mallory", filled(FIRST, {"softmax": _RIGHT}, {"softmax": _LEAVE}))
    hand_in(handed_in, "next", filled(FIRST, {"softmax": _LOOK}))
    done = run_elsewhere(command(folders), "nobody", None, bare())
    assert done.returncode == 0, done.stderr
    assert "3 of them graded now: 3 graded" in done.stdout
    (entry,) = json.loads((out / "results" / "next" / f"{FIRST}.json").read_bytes())["exercises"]
    assert "saw []" in entry["message"], entry["message"]


@needs_root
@needs_user_namespaces
@pytest.mark.parametrize(
    ("user", "words"),
    [
        pytest.param("root", "No space left on device", marks=pytest.mark.journey),
        ("nobody", "bubblewrap cannot make a sandbox here"),
    ],
)
def test_no_namespaces(user: str, words: str, folders: tuple[Path, Path]) -> None:
    """Where user namespaces are switched off nobody is graded: root gets past bubblewrap, and stops at its first try.

    The reason stands in the last line, the exit code says so, and there is no result.
    """
    done = run_elsewhere(command(folders), user, 0, bare())
    assert done.returncode == 2, (done.stdout, done.stderr)
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("course-attention grade: ") and words in last, done.stderr
    assert "Traceback" not in done.stderr
    assert not list(folders[1].glob("results/*/*"))


@needs_root
@pytest.mark.parametrize(
    ("user", "machine", "words"),
    [
        ("root", {"rights": DOCKER}, "Creating new namespace failed: Operation not permitted"),
        ("root", {"rights": DOCKER_WITH_SYSTEM}, "RTM_NEWADDR"),
        ("nobody", {"covered": "/proc/interrupts"}, "Can't mount proc on "),
    ],
    ids=["defaults", "one right too few", "covered places in proc"],
)
@pytest.mark.parametrize("checking", [False, True], ids=["grade", "check"])
def test_container(checking: bool, user: str, machine: dict[str, Any], words: str, folders: tuple[Path, Path]) -> None:
    """In a container that is not allowed enough, both commands give the reason and Docker's options, and no result."""
    asked = [*COMMAND, "grade", "--check"] if checking else command(folders)
    done = run_elsewhere(asked, user, None, bare(), **machine)
    assert done.returncode == 2, (done.stdout, done.stderr)
    (last,) = done.stderr.strip().splitlines()
    assert last.startswith("course-attention grade: ") and words in last, last
    assert f"docker run --user 1000 {IN_DOCKER}" in last
    assert not done.stdout and not list(folders[1].iterdir())


@needs_root
@pytest.mark.journey
def test_container_of_root(folders: tuple[Path, Path]) -> None:
    """Root of a container grades with two rights that Docker can add, and with no others."""
    done = run_elsewhere(command(folders), "root", None, bare(), rights=DOCKER_WITH_BOTH)
    assert done.returncode == 0, done.stderr
    assert "1 of them graded now: 1 graded" in done.stdout


class Broken(Sandbox):
    """A sandbox whose sessions fail."""

    fault: Exception

    def open(self, *_, **__):
        raise self.fault


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (NoSandbox("no walls"), "no walls"),
        (ChannelClosed(), "ends as soon as it is asked"),
        (Lost("crashed"), "a right answer, tried first, ends as crashed"),
    ],
)
def test_session_that_fails(
    fault: Exception, words: str, folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever goes wrong in the first session stops the run; later tasks of the same worker try again first."""
    from course_attention.grading.reading.submissions import find_submissions

    Broken.fault = fault
    monkeypatch.setattr(tasks, "Sandbox", Broken)
    monkeypatch.setattr(tasks, "_kept", type("Kept", (), {})())
    (one, *_) = find_submissions(folders[0])
    for _ in range(2):
        with pytest.raises(NoSandbox, match=words):
            tasks.run(Task(one, one.path.read_bytes(), GradingSettings(seed=1)))


@pytest.mark.parametrize(
    ("does", "words"),
    [
        ("echo no room >&2; exit 1", "did not start: no room"),
        ("exit 3", "did not start: it ended with code 3"),
        ("kill -9 $$", "did not start: the system has ended it, as it does where memory runs out"),
        (f"exit {128 + signal.SIGKILL}", "did not start: the system has ended it"),  # so says bubblewrap
        ("echo building fonts >&2; exec sleep 60", "did not start: it was not ready after 0.5 seconds"),
    ],
)
def test_sandbox_that_does_not_start(does: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason is why it ended, or that it took too long, and not what a library printed on the way."""
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{does}\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    if "not ready" in words:
        monkeypatch.setattr(sandbox_module, "START_SECONDS", 0.5)
    with Sandbox("process") as one, pytest.raises(NoSandbox, match=words):
        one.open({"notebook": FIRST})


def test_check_keeps_the_limits(sandbox: Sandbox) -> None:
    """However short an instructor's time is, it does not hold for the trial; afterwards it does."""
    before = sandbox.limits
    try:
        sandbox.limits = Limits(seconds=1e-6)
        check(sandbox)
        assert sandbox.limits == Limits(seconds=1e-6)
    finally:
        sandbox.limits = before
