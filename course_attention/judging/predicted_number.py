"""Judges value exercises: a number that the student predicted."""

from typing import Any

from course_attention.judging import properties, report
from course_attention.judging.exercise import ValueExercise
from course_attention.judging.verdict import Verdict

# Predicted numbers are exact; this admits one that went through float32. Whole numbers are told apart all the same.
RELATIVE_TOLERANCE = 1e-6
LARGEST_TOLERANCE = 0.5


def judge(exercise: ValueExercise, answer: Any) -> Verdict:
    """Judge a number; see `judging.judge`."""
    if answer is None or answer is ...:
        return report.not_attempted(exercise)
    number = _number(answer)
    if number is None:
        return report.not_a_number(exercise, answer)
    if _same(number, exercise.value):
        return report.passed(exercise, ((properties.VALUE, True),))
    named = next(
        (name for name, idea in exercise.ideas.items() if any(_same(number, value) for value in idea.variants)),
        None,
    )
    return report.wrong_number(exercise, number, named)


def _same(number: float, value: float) -> bool:
    return abs(number - value) <= min(RELATIVE_TOLERANCE * abs(value), LARGEST_TOLERANCE)


def _number(answer: Any) -> float | None:
    """Return an int, a float, a NumPy scalar, a tensor of no axes or a fraction as a float; anything else as None."""
    if isinstance(answer, (bool, str, bytes)) or len(getattr(answer, "shape", ())) > 0:
        return None
    try:
        return float(answer)
    except Exception:  # noqa: BLE001 - conversion may run a student's own __float__
        return None
