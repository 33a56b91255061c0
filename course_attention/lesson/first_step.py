"""Finds what to do before anything that a verdict says, such as to run the cells above."""

import re
from collections.abc import Mapping

from course_attention.judging.verdict import Verdict
from course_attention.lesson.answer_cell import AnswerCell
from course_attention.lesson.obstacles import ABOVE


def first_step(verdict: Verdict, cell: AnswerCell, namespace: Mapping[str, object]) -> str:
    """Return what to do before anything that the verdict says; "" where nothing comes before it."""
    if verdict.status == "passed":
        return ""
    undefined = re.search(r"name '(\w+)' is not defined", f"{verdict.explanation} {verdict.message}")
    if undefined and undefined[1] not in namespace:
        return (
            f"No cell that has run defines `{undefined[1]}`: where a cell above does, run the cells above first "
            f"({ABOVE})"
        )
    return cell.leftover_stub()
