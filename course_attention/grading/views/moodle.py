"""Grades for Moodle's gradebook (Grades > Import > CSV file, with students mapped from `username`)."""

from __future__ import annotations

from course_attention.grading.views.grades import Grades
from course_attention.grading.views.spreadsheet import as_csv

# To Moodle a blank cell of a new grade item is a 0, and a hyphen is no grade. It cuts off the space, which keeps the
# cell from beginning as a formula does.
NO_GRADE = " -"


def view(grades: Grades) -> str:
    """The grades as Moodle imports them. The name of a student's folder counts as the username."""
    rows = (
        [row.student, *(_score(row.scores.get(column)) for column in grades.columns)] for row in grades.rows
    )
    return as_csv([["username", *map(grades.label, grades.columns)], *rows])


def _score(score: float | None) -> float | str:
    return NO_GRADE if score is None else score
