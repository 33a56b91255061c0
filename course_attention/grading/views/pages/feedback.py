"""The feedback page of a student: points and why, what is wrong, the smallest case that shows it, the answer.

The course's settings say what the course is called, and whom the student may ask.
"""

from collections.abc import Mapping
from typing import Any

from course_attention.active_course import active
from course_attention.grading.marking.late_rules import Lateness
from course_attention.grading.views import defended
from course_attention.grading.views.pages.page import render


def page(record: Mapping[str, Any], lateness: Lateness | None = None) -> str:
    """Return the feedback page of a result.

    Args:
        record: what the result file says, with every field (see `results.whole`).
        lateness: how late it was handed in; None where the notebook has no due date.

    Returns:
        The text of the HTML page.
    """
    late = lateness if lateness is not None and lateness.sentence and record["score"] is not None else None
    return render(
        "feedback.html",
        record=record,
        exercises=record["exercises"],
        notes=record["student_notes"],
        late=late,
        course=active().settings,
        defended=defended.words(record),
    )
