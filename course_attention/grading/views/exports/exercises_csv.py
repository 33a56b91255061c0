"""A table with a row for each exercise of each student, for instructors who make their own statistics."""

from collections.abc import Sequence

from course_attention.grading.views.exports.spreadsheet import as_csv
from course_attention.grading.views.results import StoredResult

HEADER = as_csv([("student", "assignment", "notebook", "exercise", "status", "earned", "points", "misconception")])


def rows(own: Sequence[StoredResult]) -> str:
    """Return the rows of one student. A submission that could not be read has no rows."""
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
