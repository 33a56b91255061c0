"""The marks that were exported: a file for each time, so that what has changed since can be told."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from filecmp import cmp
from pathlib import Path
from typing import Any

from course_attention.course.whole_files import writing_whole
from course_attention.grading.marking.due_dates import DueDates
from course_attention.grading.views.exports.grades import Grades
from course_attention.grading.views.results import StoredResult, by_student

FOLDER = "exported"
_WHEN = "%Y-%m-%dT%H%M%S.%fZ.jsonl"  # names a file, so that the last one in their order is the newest


def keep(results: Path, dates: DueDates) -> str:
    """Keep the marks of a class as those exported now. Nothing is written where they are those exported last.

    Args:
        results: the folder of results.
        dates: what is due when.

    Returns:
        A line that says what was kept.

    Raises:
        OSError: the file cannot be written.
    """
    folder = results / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    before = last(results)
    path = folder / datetime.now(UTC).strftime(_WHEN)
    with writing_whole(path) as file:
        for one in now(results, dates):
            file.write(json.dumps(one).encode() + b"\n")
    if before is not None and cmp(before, path, shallow=False):
        path.unlink()
        path = before
    return f"exported: {path}, the marks with which later ones are compared"


def last(results: Path) -> Path | None:
    """Return the file of the marks exported last; None where there is none."""
    return max((results / FOLDER).glob("[!.]*.jsonl"), default=None)


def when(path: Path) -> datetime:
    """Return when marks were exported.

    Example:
        >>> when(Path("exported", "2026-03-01T081500.000000Z.jsonl")).isoformat(" ", "minutes")
        '2026-03-01 08:15+00:00'
    """
    return datetime.strptime(path.name, _WHEN).replace(tzinfo=UTC)


def read(path: Path | None) -> Iterator[dict[str, Any]]:
    """Yield the marks of one student after another, as `marks` makes them, in the order of their folders."""
    if path is not None:
        with path.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def now(results: Path, dates: DueDates) -> Iterator[dict[str, Any]]:
    """Yield the marks of one student after another as they stand now, after the late rules."""
    return map(marks, by_student(results, dates))


def marks(own: Sequence[StoredResult]) -> dict[str, Any]:
    """Return a student's marks as plain data, with what decided them.

    A mark is the one that stands in `grades.csv`. A file that is none of the course's notebooks has none.
    """
    grades = Grades()
    grades.add(own)
    (row,) = grades.rows
    return {
        "folder": own[0].folder,
        "student": row.student,
        "results": {
            one.name: _mark(one.record, row.scores.get((one.record["notebook"], one.record["assignment"])))
            for one in own
            if one.record["max_score"] is not None
        },
    }


def _mark(record: dict[str, Any], score: float | None) -> dict[str, Any]:
    kept = ("assignment", "notebook", "status", "max_score", "seed", "source_sha256")
    return {
        **{name: record[name] for name in kept},
        "score": score,
        "decided_by": record.get("decided_by", {}),
        "exercises": {
            entry["name"]: {
                "status": entry["status"],
                "misconception": entry["misconception"],
                "points": entry["points"],
                "earned": None if entry["score"] is None else round(entry["points"] * entry["score"], 2),
                "decided_by": entry.get("decided_by", {}),
            }
            for entry in record["exercises"]
        },
    }
