"""Where the kernel's filter cannot be had, that is said; what it refuses is in the hostile programs."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from course_attention.grading.run.grade_class import grade
from course_attention.grading.sandbox.sandbox import Sandbox
from course_attention.grading.sandbox.worker import seccomp
from tests.grading.classes import small_class
from tests.grading.conftest import needs_bubblewrap


@pytest.fixture
def without_library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pretend that the machine has no libseccomp."""

    def missing(name: str) -> None:
        raise OSError(f"{name}: cannot open shared object file")

    seccomp._filter.cache_clear()
    monkeypatch.setattr(ctypes, "CDLL", missing)
    yield
    seccomp._filter.cache_clear()


def test_can_be_had() -> None:
    """This machine has it; to ask leaves the process that asks as it was."""
    before = Path("/proc/self/status").read_text().split("Seccomp:")[1].split()[0]
    assert seccomp.why_not() == ""
    assert Path("/proc/self/status").read_text().split("Seccomp:")[1].split()[0] == before


@pytest.mark.usefixtures("without_library")
def test_missing() -> None:
    """The reason names the library."""
    assert "libseccomp" in seccomp.why_not()


@needs_bubblewrap
@pytest.mark.usefixtures("without_library", "in_this_process")
def test_grade_says_so(tmp_path: Path) -> None:
    """The command tells the instructor, and grades all the same."""
    notices: list[str] = []
    small_class(tmp_path / "in", students=1)
    grade(tmp_path / "in", tmp_path / "out", seed=0, workers=1, on_notice=notices.append)
    assert any("seccomp" in notice and "libseccomp" in notice for notice in notices)


@needs_bubblewrap
def test_sandbox_has_it(sandbox: Sandbox) -> None:
    """The sandbox says for itself that it refuses calls."""
    sandbox.open(
        {
            "notebook": "none",
            "withheld": {},
            "free": [],
            "imports": [],
        }
    ).close()
    assert sandbox.without_seccomp == ""


# As logging does at every fork, but for the moment at which Ctrl-C comes. What such a function raises is swallowed.
_INTERRUPTED_AT_THE_FORK = """
import os, signal
from course_attention.grading.sandbox.worker import seccomp
os.register_at_fork({}=lambda: os.kill(os.getpid(), signal.SIGINT))
try:
    seccomp.why_not()
except KeyboardInterrupt:
    print("stopped")
"""


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(("where", "said"), [("after_in_parent", "stopped\n"), ("after_in_child", "")])
def test_ctrl_c_at_the_fork(where: str, said: str) -> None:
    """Ctrl-C that comes while the filter is being tried still stops the run, and the process that tries says nothing.

    A terminal sends it to both. What the second one raised would be told a second time.
    """
    command = [sys.executable, "-c", _INTERRUPTED_AT_THE_FORK.format(where)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == (said, "")
