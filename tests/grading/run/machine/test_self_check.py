"""The self-check says of each promise whether it holds, and finds it broken where nothing isolates."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from itertools import islice

import pytest

from course_attention.grading.run.machine.self_check import WRITTEN, Checked, self_check, table
from tests.grading.conftest import needs_bubblewrap


@needs_bubblewrap
@pytest.mark.journey
def test_every_promise_holds() -> None:
    """In bubblewrap no canary gets through, and the command says so."""
    command = [sys.executable, "-m", "course_attention.cli", "grade", "--check"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "BROKEN" not in ended.stdout, ended.stdout
    lines = ended.stdout.splitlines()
    assert len([line for line in lines if line.startswith("holds ")]) == len(lines) - 1 == 14
    assert lines[-1] == "Every promise holds here."
    assert ended.returncode == 0


def test_broken_promises_are_found() -> None:
    """With limits alone, the canaries that look outside get through: the table can fail."""
    with closing(self_check("process")) as checked:  # the others take long, and say nothing of what isolates
        rows = {row.promise: row.held for row in islice(checked, 5)}
    assert rows["an honest answer passes"]
    assert not rows["no network"]
    assert not rows["files of other users and submissions cannot be read"]
    assert not rows["exercises and judge cannot be read"]
    assert not rows["the system is read-only"]
    assert [path for path in WRITTEN if path.exists()] == []  # what was written is not left there


def test_table() -> None:
    """A line for each promise; one that is broken makes the whole false."""
    lines: list[str] = []
    assert not table(iter([Checked("a", True, "passed"), Checked("b", False, "failed")]), lines.append)
    assert lines[0].startswith("holds") and lines[1].startswith("BROKEN")


def test_nothing_to_do() -> None:
    """Without a folder and without --check, the command says what it needs."""
    command = [sys.executable, "-m", "course_attention.cli", "grade"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2 and "--out RESULTS, or ask for --check" in ended.stderr
