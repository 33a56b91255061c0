"""`start` writes rules for an AI assistant into the workspace, and never over what a student has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from course_attention import cli, lesson
from course_attention.course import assistant_rules
from course_attention.course.assistant_rules import FILE, RULES, write_rules
from course_attention.course.workspace import WorkspaceError


def test_start_writes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are in the workspace after `start`, and a second start says nothing of them."""
    assert cli.main(["start", str(tmp_path / "w"), "--prepare-only"]) == 0
    assert (tmp_path / "w" / FILE).read_text() == RULES
    assert f"added {FILE}" in capsys.readouterr().out
    assert cli.main(["start", str(tmp_path / "w"), "--prepare-only"]) == 0
    assert FILE not in capsys.readouterr().out


def test_newer_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer course's rules take the place of those that nobody has changed, and of no others."""
    write_rules(tmp_path)
    monkeypatch.setattr(assistant_rules, "RULES", "newer")
    assert write_rules(tmp_path) == f"updated {FILE}"
    assert (tmp_path / FILE).read_text() == "newer"
    (tmp_path / FILE).write_text("mine")
    monkeypatch.setattr(assistant_rules, "RULES", "newest")
    assert write_rules(tmp_path) is None
    assert (tmp_path / FILE).read_text() == "mine"


def test_a_file_of_the_student(tmp_path: Path) -> None:
    """A file of that name that the course did not put there stays."""
    (tmp_path / FILE).write_text("mine")
    assert write_rules(tmp_path) is None
    assert (tmp_path / FILE).read_text() == "mine"


def test_cannot_be_written(tmp_path: Path) -> None:
    """Where the folder is a file, an error says so."""
    (tmp_path / "file").write_text("")
    with pytest.raises(WorkspaceError, match="cannot write"):
        write_rules(tmp_path / "file")


def test_names_what_there_is() -> None:
    """What the rules tell an assistant to call is there."""
    for name in ("check", "hint", "defend", "solution", "predict", "review"):
        assert name in lesson.__all__ and f"{name}(" in RULES
