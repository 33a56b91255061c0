"""The feedback page of a student: the points, what is wrong, and the smallest case that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course_attention.grading.marking.late_rules import Lateness
from course_attention.grading.views.page import render
from course_attention.grading.views.recorded_example import recorded_example


def page(record: Mapping[str, Any], lateness: Lateness | None = None) -> str:
    """The feedback page of a result.

    Args:
        record: what the result file says, with every field (see `results.whole`).
        lateness: how late it was handed in; None where the notebook has no due date.

    Returns:
        The text of the HTML page.
    """
    exercises = [
        {**entry, "example": recorded_example(entry["details"]["example"])} for entry in record["exercises"]
    ]
    late = lateness if lateness is not None and lateness.sentence and record["score"] is not None else None
    return render(
        "feedback.html", record=record, exercises=exercises, notes=record["student_notes"], late=late
    )
