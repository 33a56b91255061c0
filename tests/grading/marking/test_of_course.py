"""Late rules that stand in the settings of a course of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from course_attention.active_course import active
from course_attention.grading import CannotGrade
from course_attention.grading.marking.drop import Drop
from course_attention.grading.marking.kept_rules import of_course


def chosen(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """Let a course with these settings be the one that this process teaches."""
    (folder / "course.toml").write_text(f'title = "Mine"\n{text}')
    monkeypatch.setenv("COURSE_ATTENTION_COURSE", str(folder))
    active.cache_clear()


@pytest.fixture(autouse=True)
def _ours_again():
    yield
    active.cache_clear()


def test_course_without_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A course that names none leaves the rules of the results as they are."""
    chosen(tmp_path, monkeypatch, "")
    assert of_course() is None


def test_rules_of_a_course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They need no file of their own."""
    chosen(tmp_path, monkeypatch, "drop = { lowest = 1 }")
    rules = of_course()
    assert rules is not None
    assert rules.drop == Drop(lowest=1)


def test_error_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wrong in it is said with the name of the file."""
    chosen(tmp_path, monkeypatch, 'late = { after = "tomorrow", per_day = 0.1 }')
    with pytest.raises(CannotGrade, match=r"course\.toml: late\.after"):
        of_course()
