"""What an instructor who asks for it reads about the answers that were defended: beside the points, never in them.

It is what the student's own notebook says, and nobody has checked it.
"""

from collections.abc import Mapping
from typing import Any

from course_attention.active_course import active
from course_attention.mutants.questions import can_be_asked


def is_asked_for() -> bool:
    """Whether the course asks for it (`defend` in course.toml)."""
    return active().settings.defend


def counted(record: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the answers of a result that were defended, and those that passed and can be defended."""
    passed = [entry["name"] for entry in record["exercises"] if entry["status"] == "passed"]
    can_be = [name for name in passed if can_be_asked(name)]
    return [name for name in can_be if name in record.get("defended", ())], can_be


def words(record: Mapping[str, Any]) -> str:
    """Return how many of how many, as in "2 of 5"; "" where nothing can be defended, or the course does not ask."""
    if not is_asked_for():
        return ""
    done, can_be = counted(record)
    return f"{len(done)} of {len(can_be)}" if can_be else ""


def remark(record: Mapping[str, Any], name: str) -> str:
    """Return what is said of one exercise; "" where there is nothing to say."""
    done, can_be = counted(record) if is_asked_for() else ([], [])
    if name not in can_be:
        return ""
    return "Defended: three changes in a row." if name in done else "Not defended yet (`defend`)."
