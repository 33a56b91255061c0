"""A table with a row for each exercise of each student, for instructors who make their own statistics."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from course_attention.course.workspace import naming
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


@contextmanager
def written_whole(path: Path) -> Iterator[TextIO]:
    """A file to write row by row, which takes its name when it is whole: a large class need not fit in memory."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with (
            naming(path),
            temporary.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file,
        ):
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
