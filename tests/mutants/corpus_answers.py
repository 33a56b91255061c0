"""The right answers that mutants are made of: those of the corpus, and the package's helper."""

from __future__ import annotations

from functools import cache

from course_attention.exercises import CATALOGUE
from course_attention.judging.design import DesignExercise
from course_attention.mutants.making import Mutant, mutants
from course_attention.mutants.right_answer import RightAnswer, helper
from tests.answer_objects import of_kind

# A design is free in its numbers, so that a mutant which differs from the right answer may be as right as it is.
CALLED = [
    name
    for name, entry in CATALOGUE.items()
    if entry.kind in ("function", "module") and not isinstance(entry.exercise, DesignExercise)
]


@cache
def right_answers(exercise: str) -> tuple[RightAnswer, ...]:
    """Return the right answers of the corpus, in whatever style and form, and last the package's helper."""
    found = [
        RightAnswer(exercise, answer.label, answer.source, "\n".join(answer.imports))
        for kind in ("right", "odd")
        for answer in of_kind(exercise, kind)
    ]
    return (*found, helper(exercise))


def all_mutants(exercise: str) -> list[tuple[RightAnswer, Mutant]]:
    """Return the mutants of all right answers to an exercise, each text once."""
    tensors = "gradients" in CATALOGUE[exercise].exercise.contract_checks
    found: dict[str, tuple[RightAnswer, Mutant]] = {}
    for right in right_answers(exercise):
        for mutant in mutants(right.source, tensors):
            found.setdefault(mutant.source, (right, mutant))
    return list(found.values())
