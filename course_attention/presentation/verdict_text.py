"""A verdict as plain text, where there is no card: in a result file, in an LMS, in a terminal."""

from course_attention.judging.verdict import Verdict
from course_attention.presentation.example import example_text


def verdict_text(verdict: Verdict) -> str:
    """Return the judge's message and, below it, the smallest failing case where there is one."""
    parts = [verdict.message, *([] if verdict.example is None else [example_text(verdict.example)])]
    return "\n\n".join(parts)
