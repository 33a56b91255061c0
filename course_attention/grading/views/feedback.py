"""The feedback page of a student: points and why, what is wrong, the smallest case that shows it, the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from course_attention.grading.views.page import render


def page(record: Mapping[str, Any]) -> str:
    """The feedback page of a result.

    Args:
        record: what the result file says, with every field (see `results.whole`).

    Returns:
        The text of the HTML page.
    """
    return render(
        "feedback.html", record=record, exercises=record["exercises"], notes=record["student_notes"]
    )
