"""Cells that need a library which is missing or too old are left out, and say what they would have shown."""

from __future__ import annotations

import re
import sys

import pytest
from IPython.core.interactiveshell import InteractiveShell

from course_attention.lesson import leave_out_without

NEEDY = "# needs {}: the table of families\nran = True\nraise AssertionError"


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> InteractiveShell:
    shell = InteractiveShell()
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    return shell


def test_missing(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    """One line says what is missing and how to get it; a cell that needs it says what it would show; others run."""
    leave_out_without("no_such_library", "1.0", extra="real")
    said = " ".join(capsys.readouterr().out.split())
    assert said.startswith("no_such_library is not installed") and "course-attention[real]" in said
    assert shell.run_cell(NEEDY.format("no_such_library")).success
    assert capsys.readouterr().out == "Left out without no_such_library: the table of families\n"
    assert shell.run_cell("x = 1\n# needs no_such_library: not in the first line").success
    assert shell.user_ns["x"] == 1 and "ran" not in shell.user_ns


def test_hidden(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A library whose import fails counts as missing."""
    monkeypatch.setitem(sys.modules, "numpy", None)
    leave_out_without("numpy", "1.0", extra="real")
    assert "numpy is not installed" in capsys.readouterr().out
    assert shell.run_cell(NEEDY.format("numpy")).success


def test_too_old(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    """A version that is too low is told; a cell that needs another library is not concerned."""
    leave_out_without("numpy", "999.0", extra="real")
    assert re.search(r"numpy is \d+\.\d[^,]*, and 999\.0 or newer is needed", capsys.readouterr().out)
    assert shell.run_cell(NEEDY.format("numpy")).success
    assert not shell.run_cell(NEEDY.format("torch")).success


def test_there(shell: InteractiveShell, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the library is there, nothing is said, and the cells run."""
    leave_out_without("numpy", "1.0", extra="real")
    assert capsys.readouterr().out == ""
    assert not shell.run_cell(NEEDY.format("numpy")).success
    assert shell.user_ns["ran"]
