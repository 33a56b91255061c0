"""Where nobody takes what `grade` prints, the class is graded all the same; what stops it is told in a line."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from course_attention import cli
from course_attention.grading import commands
from course_attention.grading.errors import CannotGrade
from course_attention.grading.terminal import errors_in_a_line
from tests.grading.classes import COMMAND, bare
from tests.grading.conftest import FIRST

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX shells and signals")


@pytest.mark.parametrize(
    ("streams", "code", "said"),
    [
        ("<&- >&- 2>&-", 0, ""),
        ("2>/dev/full", 0, ""),
        (">/dev/full", cli.CANNOT, "what was done cannot be printed: No space left on device"),
        ("| true", cli.CANNOT, "what was done cannot be printed: Broken pipe"),
    ],
)
def test_nobody_listens(streams: str, code: int, said: str, tmp_path: Path) -> None:
    """Streams that are closed, full or broken stop no class: all results and views are written."""
    folder = tmp_path / "in" / "ada"
    folder.mkdir(parents=True)
    (folder / f"{FIRST}.ipynb").symlink_to("/etc/passwd")  # malformed: nothing has to run
    words = ["grade", tmp_path / "in", "--out", tmp_path / "é", "--isolation", "process"]
    command = ["bash", "-c", f'set -o pipefail; "$@" {streams}', "bash", *COMMAND, *words]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, env=bare(PYTHONIOENCODING="ascii"), check=False)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr and said in done.stderr
    assert (tmp_path / "é" / "grades.csv").is_file() and (tmp_path / "é" / "report.html").is_file()


@contextlib.contextmanager
def handling(number: signal.Signals, handler: Any) -> Iterator[None]:
    """Let a signal have this handler, whatever the one was with which the tests were started."""
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals(number: signal.Signals) -> None:
    """What ends a program is told as Ctrl-C is; afterwards the signal is what it was."""
    usual = signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL
    with handling(number, usual):
        with pytest.raises(CannotGrade, match="stopped; the same command goes on"), errors_in_a_line():
            os.kill(os.getpid(), number)
        assert signal.getsignal(number) == usual


def test_what_nohup_ignores_stays_ignored() -> None:
    """A class that is graded under nohup goes on when the terminal is closed."""
    with handling(signal.SIGHUP, signal.SIG_IGN), errors_in_a_line():
        os.kill(os.getpid(), signal.SIGHUP)


def test_names_without_an_encoding() -> None:
    """A locale in which a student's name cannot be written is named, with what to do."""
    with pytest.raises(CannotGrade, match=r"cannot be written in ascii, .* PYTHONUTF8=1"), errors_in_a_line():
        "Зоя".encode("ascii")


def test_stopped_while_it_loads(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    """Ctrl-C while the grader is only being imported is a line as well."""

    def loading(options: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "_grade", loading)
    assert cli.main(["grade", "--check"]) == cli.CANNOT
    assert capsys.readouterr().err == "course-attention grade: stopped\n"
