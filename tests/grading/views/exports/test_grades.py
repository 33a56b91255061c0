"""Grades as tables: what is not graded is blank, and part of no sum."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from course_attention.grading.views.exports import canvas, moodle
from course_attention.grading.views.exports.grades import Grades
from tests.grading.views.made import NOTEBOOK, exercise, record, write

FIRST = "00_start_here"


def graded(tmp_path: Path, *several: dict) -> Grades:
    grades = Grades()
    for own in write(tmp_path, *several):
        grades.add(own)
    return grades


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def three(tmp_path: Path) -> Grades:
    """Ada handed in both notebooks, Grace's cannot be read, Zoe's first is worth nothing."""
    return graded(
        tmp_path,
        record("ada", [exercise(), exercise("mean_attention", "failed", 0.25)]),
        record("ada", [exercise("softmax")], notebook=FIRST, max_score=4.0),
        record("grace"),
        record("zoe", [exercise("softmax", "failed")], notebook=FIRST, max_score=4.0),
    )


def test_grades(tmp_path: Path) -> None:
    """A row for each student; total and maximum are over what is graded."""
    assert rows(three(tmp_path).as_csv()) == [
        ["student", FIRST, NOTEBOOK, "total", "max"],
        ["ada", "4", "5", "9", "12"],
        ["grace", "", "", "", ""],
        ["zoe", "0", "", "0", "4"],
    ]


def test_canvas(tmp_path: Path) -> None:
    """Canvas's five columns, the points possible, and blanks."""
    assert rows(canvas.view(three(tmp_path))) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", FIRST, NOTEBOOK],
        ["Points Possible", "", "", "", "", "4", "8"],
        ["ada", "", "", "ada", "", "4", "5"],
        ["grace", "", "", "grace", "", "", ""],
        ["zoe", "", "", "zoe", "", "0", ""],
    ]


def test_moodle(tmp_path: Path) -> None:
    """Moodle takes a blank for 0 and a hyphen for no grade, and no cell begins as a formula does."""
    table = rows(moodle.view(three(tmp_path)))
    assert table[0] == ["username", FIRST, NOTEBOOK]
    assert [[cell.strip() for cell in row] for row in table[1:]] == [
        ["ada", "4", "5"],
        ["grace", "-", "-"],
        ["zoe", "0", "-"],
    ]
    assert not [cell for row in table for cell in row if cell.startswith("-")]


def test_assignments_with_a_notebook_of_one_name(tmp_path: Path) -> None:
    """Each has a column, named for both; a notebook of one assignment is named for itself."""
    table = graded(
        tmp_path,
        record("ada", [exercise()], assignment="hw1"),
        record("ada", [exercise(status="failed")], assignment="hw2"),
        record("ada", [exercise("softmax")], assignment="hw1", notebook=FIRST),
    ).as_csv()
    assert rows(table) == [
        ["student", FIRST, f"hw1.{NOTEBOOK}", f"hw2.{NOTEBOOK}", "total", "max"],
        ["ada", "4", "4", "0", "8", "24"],
    ]


def test_files_that_are_none_of_the_course_have_no_column(tmp_path: Path) -> None:
    """Whoever hands them in has a row all the same."""
    table = graded(tmp_path, record("ada", notebook="diary", max_score=None), record("zoe", [exercise()])).as_csv()
    assert rows(table) == [["student", NOTEBOOK, "total", "max"], ["ada", "", "", ""], ["zoe", "4", "4", "8"]]
