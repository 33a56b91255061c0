"""The feedback page of a student: the points, what is wrong, and the smallest case that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course_attention.grading.views.page import render
from course_attention.grading.views.recorded_example import recorded_example


def page(record: Mapping[str, Any]) -> str:
    """The feedback page of a result.

    Args:
        record: what the result file says, with every field (see `results.whole`).

    Returns:
        The text of the HTML page.
    """
    exercises = [
        {**entry, "example": recorded_example(entry["details"]["example"])} for entry in record["exercises"]
    ]
    return render("feedback.html", record=record, exercises=exercises, notes=record["student_notes"])
