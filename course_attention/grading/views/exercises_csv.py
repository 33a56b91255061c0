"""A table with a row for each exercise of each student, for instructors who make their own statistics."""

from __future__ import annotations

from collections.abc import Sequence

from course_attention.grading.views.results import Result
from course_attention.grading.views.spreadsheet import as_csv

HEADER = as_csv(
    [("student", "assignment", "notebook", "exercise", "status", "earned", "points", "misconception")]
)


def rows(own: Sequence[Result]) -> str:
    """The rows of one student. A submission that could not be read has none."""
    return as_csv(
        (
            *(one.record[name] for name in ("student", "assignment", "notebook")),
            entry["name"],
            entry["status"],
            None if entry["score"] is None else round(entry["points"] * entry["score"], 2),
            entry["points"],
            entry["misconception"],
        )
        for one in own
        for entry in one.record["exercises"]
    )
