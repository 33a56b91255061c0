"""Makes an exercise's entry in a result file: the verdict as plain JSON, the same bytes for the same answer."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from course_attention.judging.verdict import Example, Verdict
from course_attention.presentation.verdict_text import verdict_text

# What an entry may hold of each thing. No honest answer comes near, right or wrong: the longest message has three
# thousand characters; the largest array of an example is a design's attention over 64 tokens.
LONGEST_MESSAGE = 20_000  # characters
LONGEST_TEXT = 4_000
LONGEST_CODE = 20_000
MOST_ENTRIES = 64 * 64 + 64 + 1  # of an array: its numbers, and the brackets around them
_LARGEST = 10**300  # an integer of more digits is cut to this one

# Statuses that the judge does not know, and what a student is told.
LOST = {
    "timeout": "It did not end in the time that there is.",
    "out_of_memory": "It asked for more memory than there is.",
    "crashed": "The process that ran it ended.",
}


NOT_JUDGED = "not_judged"  # where the grader itself failed


class Exercise(Protocol):
    """What an entry needs to know of an exercise of the catalogue."""

    @property
    def name(self) -> str:
        """The name of its answer."""

    @property
    def points(self) -> float:
        """What it is worth."""


def judged(exercise: Exercise, verdict: Verdict) -> dict[str, Any]:
    """Make an exercise's entry from the judge's verdict."""
    if verdict.example is not None:
        verdict = replace(verdict, example=_bounded(verdict.example))
    details = {
        "idea": _steady(verdict.idea, LONGEST_TEXT),
        "explanation": _steady(verdict.explanation, LONGEST_TEXT),
        "properties": [list(pair) for pair in verdict.properties],
        "credit": [list(one) for one in verdict.credit],
        "example": None if verdict.example is None else _example(verdict.example),
    }
    return _entry(exercise, verdict.status, verdict.score, verdict.misconception, verdict_text(verdict), details)


def lost(exercise: Exercise, end: str) -> dict[str, Any]:
    """Make an exercise's entry where no verdict was reached.

    Args:
        exercise: the exercise.
        end: "timeout", "out_of_memory" or "crashed".
    """
    return _entry(exercise, end, 0.0, None, f"{exercise.name}: not judged. {LOST[end]}")


def not_judged(exercise: Exercise) -> dict[str, Any]:
    """Make an exercise's entry where the grader itself failed at it: no score, which is not a score of 0."""
    message = f"{exercise.name}: not judged. The grader itself failed at it, which is no fault of the answer."
    return _entry(exercise, NOT_JUDGED, None, None, message)


def forbidden(exercise: Exercise, name: str) -> dict[str, Any]:
    """Make an exercise's entry where the answer uses what it should build; `name` is what it uses."""
    message = (
        f"{exercise.name}: it uses {name}, and building that is the exercise. Naming it in a comment or comparing with "
        "it in a cell of your own is free."
    )
    return _entry(exercise, "forbidden", 0.0, None, message)


def raised(exercise: Exercise, kind: str, text: str) -> dict[str, Any]:
    """Make an exercise's entry where the answer's cell raised an error before it defined the answer."""
    said = f"{kind}: {text}" if text else kind
    message = f"{exercise.name}: the cell raised {said}, and {exercise.name} is not defined."
    return _entry(exercise, "errored", 0.0, None, message)


def with_code(entry: dict[str, Any], code: str) -> dict[str, Any]:
    """Add the student's own code to an exercise's entry. Code that is too long is cut."""
    cut = code if len(code) <= LONGEST_CODE else f"{code[: LONGEST_CODE - 2]}…\n"
    return {**entry, "code": cut}


def _entry(
    exercise: Exercise,
    status: str,
    score: float | None,
    misconception: str | None,
    message: str,
    details: dict[str, Any] | None = None,
) -> dict[str, Any]:
    return {
        "name": exercise.name,
        "points": exercise.points,
        "status": status,
        "score": None if score is None else round(score, 6),
        "misconception": misconception,
        "message": _steady(message, LONGEST_MESSAGE),
        "details": details,
    }


def _bounded(example: Example) -> Example:
    """Return an example without the arrays that are too large to be shown, for an answer may return any."""
    received = _small(example.received)
    return replace(
        example,
        inputs={name: _small(value) for name, value in example.inputs.items()},
        expected=_small(example.expected),
        received=received,
        where=None if received is None else example.where,
    )


def _small(value: Any) -> Any:
    is_large = isinstance(value, np.ndarray) and _entries(value.shape) > MOST_ENTRIES
    return None if is_large else value


def _example(example: Example) -> dict[str, Any]:
    return {
        "title": example.title,
        "inputs": {name: _plain(value) for name, value in example.inputs.items()},
        "part": example.part,
        "expected": _plain(example.expected),
        "received": _plain(example.received),
        "where": None if example.where is None else list(example.where),
        "note": _steady(example.note, LONGEST_TEXT),
    }


def _plain(value: Any) -> Any:
    """Return nested lists that JSON can hold. Numbers have seven digits, on which all machines agree."""
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, int) and abs(value) >= 2**63:
        value = float(max(min(value, _LARGEST), -_LARGEST))
    if isinstance(value, float):
        return float(f"{value:.7g}") if math.isfinite(value) else str(value)
    return value


def _entries(shape: Sequence[int]) -> int:
    """Count the numbers of an array and the lists in which they stand. Rows without a number are lists, too.

    Example:
        >>> _entries((2, 3)), _entries((1000, 0))
        (9, 1001)
    """
    return sum(math.prod(shape[:axes]) for axes in range(len(shape) + 1))


def _steady(text: str, most: int) -> str:
    """Remove from a text what differs from run to run: addresses in memory, and folders made for one submission.

    What is longer than so many characters is cut off.
    """
    if len(text) > most:
        text = f"{text[: most - 2]} …"
    text = re.sub(r"\b0x[0-9a-fA-F]{6,}", "0x…", text)
    return re.sub(r"/tmp/(course-attention-\w+|work)\b", "/…", text)
