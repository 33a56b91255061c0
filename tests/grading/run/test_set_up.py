"""A machine on which submissions cannot be graded says why, and gives nobody a mark; every other one grades."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from course_attention.grading.run import tasks
from course_attention.grading.run.set_up_check import check
from course_attention.grading.run.tasks import Settings, Task
from course_attention.grading.sandbox.bubblewrap import NoSandbox
from course_attention.grading.sandbox.channel import ChannelClosed
from course_attention.grading.sandbox.limits import Limits
from course_attention.grading.sandbox.sandbox import Sandbox
from course_attention.grading.sandbox.session import Lost
from tests.grading.classes import COMMAND, bare
from tests.grading.conftest import FIRST, filled, needs_bubblewrap
from tests.grading.machines import run_elsewhere
from tests.grading.test_hostile import _LEAVE, _LOOK, _RIGHT

pytestmark = [needs_bubblewrap, pytest.mark.slow]
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
OPTIONS = ("--workers", "1", "--seed", "3")


@pytest.fixture
def folders() -> Iterator[tuple[Path, Path]]:
    """A class of one student, and a folder for its results in which everyone may write.

    They are not in pytest's own folder, which every pytest that starts on this machine closes to other users.
    """
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        handed_in = Path(folder, "in")
        hand_in(handed_in, "ada", filled(FIRST))
        out = Path(folder, "out")
        out.mkdir()
        out.chmod(0o777)
        yield handed_in, out


def hand_in(handed_in: Path, student: str, content: bytes) -> None:
    (handed_in / student).mkdir(parents=True)
    (handed_in / student / f"{FIRST}.ipynb").write_bytes(content)


def command(folders: tuple[Path, Path]) -> list[str | Path]:
    return [*COMMAND, "grade", folders[0], "--out", folders[1], *OPTIONS]


@needs_root
@pytest.mark.parametrize("user", ["root", "nobody"])
def test_grades(user: str, folders: tuple[Path, Path]) -> None:
    """Root of a user namespace grades, as in a container; so does a user without any right there."""
    done = run_elsewhere(command(folders), user, 100, bare())
    assert done.returncode == 0, done.stderr
    assert "1 of them graded now: 1 graded" in done.stdout


@needs_root
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
@pytest.mark.parametrize(
    ("user", "words"),
    [("root", "No space left on device"), ("nobody", "bubblewrap cannot make a sandbox here")],
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
            tasks.run(Task(one, one.path.read_bytes(), Settings(seed=1)))


def test_check_keeps_the_limits(sandbox: Sandbox) -> None:
    """However short an instructor's time is, it does not hold for the trial; afterwards it does."""
    before = sandbox.limits
    try:
        sandbox.limits = Limits(seconds=1e-6)
        check(sandbox)
        assert sandbox.limits == Limits(seconds=1e-6)
    finally:
        sandbox.limits = before
