"""Verifies one exercise: its reference solution, its misconceptions, its words, and right answers of the author's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import course_attention
from course_attention.course.helper_source import own_source
from course_attention.exercises import Entry
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import FunctionExercise, ValueExercise
from course_attention.judging.properties import CONTRACT_WORDS, PROPERTIES
from course_attention.judging.scoring import WEIGHTS
from course_attention.own_course.computation import Computation
from course_attention.own_course.finding import Finding, finding
from course_attention.own_course.surviving import mutants_finding

SEEDS = 10


def verify_exercise(entry: Entry, right_answers: Sequence[Any]) -> Iterator[Finding]:
    """Verify an exercise.

    Args:
        entry: the exercise in its course.
        right_answers: of the author's, beside the reference solution.
    """
    exercise = entry.exercise
    yield finding(entry.name, "words", _words(entry), f"{len(entry.misconceptions)} misconceptions have them")
    if isinstance(exercise, FunctionExercise):
        undrawn = _cases(exercise)
        yield finding(entry.name, "cases", undrawn, f"{len(exercise.cases(Draw(0)))} are drawn from a seed")
        if undrawn:
            return
    try:
        own_source(entry.name)
        solution = getattr(course_attention, entry.name)
    except (KeyError, AttributeError):
        said = (
            f"expected a function, class or number `{entry.name}` in the file of the exercise; there is none"
        )
        yield Finding(entry.name, "reference solution", "bad", said)
        return
    faults = _not_passed(entry, solution)
    yield finding(entry.name, "reference solution", faults, f"agrees with the oracle at {SEEDS} seeds")
    if right_answers:
        wrong = [
            f"answer {i}: {fault}"
            for i, one in enumerate(right_answers, 1)
            for fault in _not_passed(entry, one)
        ]
        yield finding(entry.name, "right answers", wrong, f"{len(right_answers)} pass at {SEEDS} seeds")
    if isinstance(exercise, FunctionExercise):
        variants = [(id, one) for id, ones in exercise.variants.items() for one in ones]
        misnamed = [fault for id, one in variants if (fault := _misnamed(entry, id, one))]
        good = f"{len(variants)} variants of {len(exercise.variants)} are told apart at {SEEDS} seeds"
        yield finding(entry.name, "misconceptions", misnamed, good)
        if not faults and exercise.kind == "function":
            yield mutants_finding(entry)
    elif isinstance(exercise, ValueExercise):
        numbers = [(id, one) for id, ones in exercise.wrong_values.items() for one in ones]
        misnamed = [
            f"{number} is not named {id}" for id, number in numbers if entry.judge(number).misconception != id
        ]
        yield finding(entry.name, "misconceptions", misnamed, f"{len(numbers)} wrong numbers are told apart")


def _words(entry: Entry) -> list[str]:
    faults = []
    for id in entry.misconceptions:
        title, explanation = entry.exercise.words.get(id) or CONTRACT_WORDS.get(id, ("", ""))
        if not title or title.endswith("."):
            faults.append(f"{id}: the title must be a line without a full stop; got {title!r}")
        if not explanation.endswith((".", "?")):
            faults.append(f"{id}: the explanation must be sentences; got {explanation!r}")
    if not entry.hints:
        faults.append("hints must hold at least one; there is none")
    return faults


def _cases(exercise: FunctionExercise) -> list[str]:
    known = sorted({*PROPERTIES, "values"} & {*WEIGHTS, *exercise.weights})
    cases = exercise.cases(Draw(0))
    wrong = {case.property for case in cases} - set(known)
    faults = [f"a case's property must be one of {', '.join(known)}; got {name!r}" for name in sorted(wrong)]
    if not any(case.property == "values" for case in cases):
        faults.append(
            'at least one case must have the property "values": small numbers, to be checked by hand'
        )
    return faults


def _not_passed(entry: Entry, answer: Any) -> list[str]:
    for seed in range(SEEDS):
        verdict = entry.judge(answer, seed=seed)
        if verdict.status != "passed":
            return [f"expected to pass; at seed {seed}: {verdict.message}"]
    return []


def _misnamed(entry: Entry, id: str, variant: Callable[..., Any]) -> str:
    """What is wrong with a variant, "" where it is named as itself at every seed."""
    exercise = entry.exercise
    assert isinstance(exercise, FunctionExercise)
    place = exercise.variants[id].index(variant) + 1
    for seed in range(SEEDS):
        verdict = entry.judge(Computation(exercise, variant), seed=seed)
        which = f"{id}, variant {place}"
        if verdict.status == "passed":
            return (
                f"{which} passes at seed {seed}: add a case in which it gives other numbers than the oracle"
            )
        if verdict.misconception != id:
            named = verdict.misconception or "nothing"
            return f"{which} is named {named} at seed {seed}: add a case that tells the two apart"
    return ""
