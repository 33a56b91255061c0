"""A result's assignment, scores, messages and time, as nbgrader has them."""

import math
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from course_attention.course.cells import course_notebook
from course_attention.grading.views import defended
from course_attention.grading.views.wording import not_graded

CHECK = "check-"  # a check cell's grade_id is this and the exercise's name
# Matches paths, but not the slashes of 2026/02/02 and of Europe/Paris.
_PATH = re.compile(r"(?<!\w)/|\.\.|\\")


def assignment_of(record: Mapping[str, Any]) -> str:
    """Return the assignment of a result; the notebook's name where it has none."""
    return str(record["assignment"] or record["notebook"])


def marks(record: Mapping[str, Any]) -> tuple[dict[str, float | None], dict[str, str]]:
    """Return the marks of a result.

    Returns:
        The scores by check cell, 0 to 1, or None where the submission is not graded.
        The messages by answer cell.
    """
    if record["score"] is not None:
        entries = record["exercises"]
        return (
            {CHECK + entry["name"]: entry["score"] for entry in entries},
            {entry["name"]: _message(record, entry) for entry in entries},
        )
    message = "\n".join([not_graded(record["status"]) + ".", *record["student_notes"]])
    notebook = course_notebook(record["notebook"])
    names = notebook.exercises if notebook else ()
    return dict.fromkeys([CHECK + name for name in names]), dict.fromkeys(names, message)


def _message(record: Mapping[str, Any], entry: Mapping[str, Any]) -> str:
    return "\n".join(filter(None, [entry["message"], defended.remark(record, entry["name"])]))


def same_score(one: float | None, other: float | None) -> bool:
    """Whether two scores are the same, by the six digits that some databases keep.

    Example:
        >>> same_score(None, 0.0), same_score(None, None), same_score(1 / 3, 0.333333)
        (False, True, True)
    """
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-5)


def submitted_at(timestamp: str) -> datetime | None:
    """Return the time that a timestamp.txt names, as nbgrader reads it; None where it names none."""
    from nbgrader.utils import parse_utc

    # A student may have written it. Where the time zone is a path, that file would be opened and read as a time zone's.
    if _PATH.search(timestamp):
        return None
    try:
        parsed: datetime = parse_utc(timestamp)
    except (ValueError, OverflowError, TypeError):
        return None
    return parsed
