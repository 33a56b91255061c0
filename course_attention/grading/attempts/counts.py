"""Counts what came of the checks of each student in each exercise."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from course_attention.course.attempts_file import Attempt


@dataclass(frozen=True)
class Counts:
    """What the attempts of a class come to.

    Attributes:
        students: their names.
        exercises: in the order in which the class first met them.
        tries: (n_students, n_exercises) checks until the first that passed, or all of them where none did.
        passed: (n_students, n_exercises) whether any passed.
        next_checks: (2, n_students, n_exercises) failed checks that were followed by another one of the same exercise,
            before it passed: first those after which the card named a mistake, then the others.
        next_passes: the same, of which the following check passed.
    """

    students: tuple[str, ...]
    exercises: tuple[str, ...]
    tries: np.ndarray
    passed: np.ndarray
    next_checks: np.ndarray
    next_passes: np.ndarray


def counts(by_student: Mapping[str, Sequence[Attempt]]) -> Counts:
    """Count the attempts of a class. What a student checks after an exercise has passed is left out.

    Args:
        by_student: the attempts of each student, sorted by time.
    """
    students = tuple(by_student)
    every = sorted((one.time, one.exercise) for attempts in by_student.values() for one in attempts)
    exercises = tuple(dict.fromkeys(name for _, name in every))
    shape = len(students), len(exercises)
    tries, passed = np.zeros(shape, int), np.zeros(shape, bool)
    next_checks, next_passes = np.zeros((2, *shape), int), np.zeros((2, *shape), int)
    for s, attempts in enumerate(by_student.values()):
        before: dict[int, Attempt] = {}
        for one in attempts:
            e = exercises.index(one.exercise)
            if passed[s, e]:
                continue
            tries[s, e] += 1
            passed[s, e] = one.verdict == "passed"
            if e in before:
                kind = 0 if before[e].misconception else 1
                next_checks[kind, s, e] += 1
                next_passes[kind, s, e] += passed[s, e]
            before[e] = one
    return Counts(students, exercises, tries, passed, next_checks, next_passes)
