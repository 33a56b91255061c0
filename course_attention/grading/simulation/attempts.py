"""What a student makes of an exercise: right, wrong in a known way, or nothing."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from course_attention.active_course import active
from course_attention.course.helper_source import own_source
from course_attention.exercises import CATALOGUE
from course_attention.grading.simulation.known_answers import FORBIDDEN, RIGHT, KnownAnswer
from course_attention.grading.simulation.slips import SLIPS, returns_once
from course_attention.grading.simulation.students import Student


@dataclass(frozen=True)
class Attempt:
    """An answer cell as it is handed in, and the truth about it.

    Attributes:
        exercise: that it answers.
        source: the cell's, None where the cell is gone.
        status: "passed", "failed", "errored", "forbidden" or "not_attempted".
        misconception: its id where the status is "failed", else None.
        score: None where it depends on how many of the exercise's properties hold.
    """

    exercise: str
    source: str | None
    status: str
    misconception: str | None = None
    score: float | None = 0.0


def attempt(student: Student, exercise: str, known: Sequence[KnownAnswer], stub: str, random: Random) -> Attempt:
    """Draw what a student hands in for an exercise.

    Args:
        student: who; a misconception that comes up is remembered.
        exercise: its name.
        known: answers to it. Where there is none that is wrong, or right, nobody hands one in.
        stub: what the answer cell holds before.
        random: draws.
    """
    untouched = Attempt(exercise, stub, "not_attempted")
    if random.random() > 0.6 + 0.5 * student.strength:
        return Attempt(exercise, None if random.random() < 0.1 else stub, "not_attempted")
    right = [answer.source for answer in known if answer.kind == RIGHT]
    if not right:
        return untouched
    chance = 0.25 + 0.75 * student.strength - 0.1 * (CATALOGUE[exercise].exercise.difficulty - 1)
    if exercise in active().homes or random.random() < chance:  # nothing wrong is known of an author's exercise
        pasted = random.random() < 0.05  # the course's own, from somewhere
        source = own_source(exercise) if pasted else _documented(random.choice(right), stub, random)
        return Attempt(exercise, source, "passed", score=1.0)
    kind = random.choices(["failed", "errored", "forbidden"], weights=[8, 1, 1])[0]
    if kind == "errored" and (sure := list(filter(returns_once, right))):
        slip = random.choice(SLIPS)
        source = slip(_documented(random.choice(sure), stub, random))
        return Attempt(exercise, source, "errored", score=None)
    if kind == "forbidden":
        own = f"import course_attention\n\n{exercise} = course_attention.{exercise}"
        ready_made = [answer.source for answer in known if answer.kind == FORBIDDEN]
        return Attempt(exercise, random.choice([own, *ready_made]), "forbidden")
    if kind == "failed" and (wrong := [answer for answer in known if answer.is_wrong]):
        chosen = _chosen(student, wrong, random)
        return Attempt(exercise, _documented(chosen.source, stub, random), "failed", chosen.kind, None)
    return untouched


def _chosen(student: Student, wrong: Sequence[KnownAnswer], random: Random) -> KnownAnswer:
    again = [answer for answer in wrong if answer.kind in student.mistaken]
    chosen = random.choice(again if again and random.random() < 0.7 else wrong)
    student.mistaken.append(chosen.kind)
    return chosen


def _documented(source: str, stub: str, random: Random) -> str:
    """Return the answer, more often than not with the docstring that stood in the cell."""
    written: Any = ast.parse(source).body[-1]  # a function or a class, or the assignment of a number
    given: Any = ast.parse(stub).body[-1]
    if isinstance(written, ast.Assign) or random.random() < 0.3:
        return source
    docstring = given.body[0]
    first = written.body[0]
    place = min([first.lineno, *(decorator.lineno for decorator in getattr(first, "decorator_list", []))]) - 1
    lines = source.splitlines()
    text = stub.splitlines()[docstring.lineno - 1 : docstring.end_lineno]
    blank = [""] if isinstance(written, ast.ClassDef) else []
    return "\n".join([*lines[:place], *text, *blank, *lines[place:]])
