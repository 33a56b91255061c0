"""Late rules that stand in the settings of a course of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from course_attention.active_course import active
from course_attention.grading import CannotGrade, changes, grade, report
from course_attention.grading.marking.drop import Drop
from course_attention.grading.marking.kept_rules import kept, of_course
from course_attention.grading.marking.late_rules import LateRules
from tests.grading.conftest import FIRST, needs_bubblewrap
from tests.grading.views.made import NOTEBOOK, exercise, record, write

LATE = "late = { after = 2026-10-01T23:59:00Z, per_day = 0.5 }"


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


def points(results: Path) -> str:
    """Ada's points in the table of grades."""
    (row,) = (results / "grades.csv").read_text(encoding="utf-8-sig").splitlines()[1:]
    return row.split(",")[1]


def test_report_of_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`report` and `changes` follow the course, as the command does; rules that are given come first."""
    results = tmp_path / "results"
    write(results, record("ada", [exercise()], submitted="2026-10-02 08:00 UTC"))
    report(results, exporting=True)
    assert points(results) == '"4"'
    chosen(tmp_path, monkeypatch, LATE)
    assert [str(one) for one in changes(results)] == [f"ada, {NOTEBOOK}: 4 → 2 (-2); the late rules"]
    assert not list(changes(results, late_rules=LateRules()))
    assert kept(results) == LateRules()  # to look changes nothing
    report(results, late_rules=LateRules())
    assert points(results) == '"4"'
    report(results)
    assert points(results) == '"2"'
    chosen(tmp_path, monkeypatch, "")
    report(results)  # those that hold now were kept
    assert points(results) == '"2"'


@needs_bubblewrap
def test_grade_of_a_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`grade` follows the course as well, and tells what is wrong in it before anything is graded."""
    (tmp_path / "in" / "eve").mkdir(parents=True)
    (tmp_path / "in" / "eve" / f"{FIRST}.ipynb").symlink_to("/etc/passwd")
    chosen(tmp_path, monkeypatch, "late = { per_day = 0.5 }")
    with pytest.raises(CannotGrade, match=r"course\.toml: late\.after"):
        grade(tmp_path / "in", tmp_path / "out", workers=1)
    assert not (tmp_path / "out").exists()
    chosen(tmp_path, monkeypatch, LATE)
    grade(tmp_path / "in", tmp_path / "out", workers=1)
    rules = of_course()
    assert rules is not None and kept(tmp_path / "out") == rules
    grade(tmp_path / "in", tmp_path / "out", workers=1, late_rules=LateRules())
    assert kept(tmp_path / "out") == LateRules()
