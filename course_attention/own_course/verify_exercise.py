"""Verifies one exercise: its reference solution, its misconceptions, its words, and right answers of the author's."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import course_attention
from course_attention.course.helper_source import own_source
from course_attention.exercises import Entry
from course_attention.judging import properties
from course_attention.judging.drawing import Draw
from course_attention.judging.exercise import Exercise, FunctionExercise, ValueExercise
from course_attention.judging.explanation import variants_of
from course_attention.own_course.computation import Computation
from course_attention.own_course.finding import Finding, finding
from course_attention.own_course.verify_mutants import mutants_finding
from course_attention.presentation.verdict_text import verdict_text

SEEDS = 10


def verify_exercise(entry: Entry, right_answers: Sequence[Any]) -> Iterator[Finding]:
    """Verify an exercise.

    Args:
        entry: the exercise in its course.
        right_answers: of the author's, beside the reference solution.
    """
    exercise = entry.exercise
    yield finding(
        entry.name,
        "words",
        _words(entry),
        f"{len(entry.exercise.misconception_ids)} misconceptions have them",
    )
    if isinstance(exercise, FunctionExercise):
        undrawn = _cases(exercise)
        drawn = 0 if undrawn else len(exercise.cases(Draw(0)))
        yield finding(entry.name, "cases", undrawn, f"{drawn} are drawn from a seed")
        if undrawn:
            return
    try:
        own_source(entry.name)
        solution = getattr(course_attention, entry.name)
    except (KeyError, AttributeError):
        said = f"expected a function, class or number `{entry.name}` in the file of the exercise; there is none"
        yield Finding(entry.name, "reference solution", "bad", said)
        return
    faults = _not_passed(entry, solution)
    yield finding(entry.name, "reference solution", faults, f"agrees with the oracle at {SEEDS} seeds")
    if right_answers:
        wrong = [f"answer {i}: {fault}" for i, one in enumerate(right_answers, 1) for fault in _not_passed(entry, one)]
        yield finding(entry.name, "right answers", wrong, f"{len(right_answers)} pass at {SEEDS} seeds")
    if isinstance(exercise, FunctionExercise):
        variants = variants_of(exercise)
        misnamed = [fault for id, one in variants if (fault := _misnamed(entry, id, one))]
        good = f"{len(variants)} variants of {len(exercise.misconceptions)} are told apart at {SEEDS} seeds"
        yield finding(entry.name, "misconceptions", misnamed, good)
        if not faults and exercise.kind == "function":
            yield mutants_finding(entry)
    elif isinstance(exercise, ValueExercise):
        numbers = [(id, one) for id, idea in exercise.ideas.items() for one in idea.variants]
        misnamed = [f"{number} is not named {id}" for id, number in numbers if entry.judge(number).misconception != id]
        yield finding(entry.name, "misconceptions", misnamed, f"{len(numbers)} wrong numbers are told apart")


def _words(entry: Entry) -> list[str]:
    faults = []
    for id, idea in entry.exercise.ideas.items():
        if not idea.title or idea.title.endswith("."):
            faults.append(f"{id}: the title must be a line without a full stop; got {idea.title!r}")
        if not idea.explanation.endswith((".", "?")):
            faults.append(f"{id}: the explanation must be sentences; got {idea.explanation!r}")
    if not entry.exercise.hints:
        faults.append("hints must hold at least one; there is none")
    return faults


def drawing_error(exercise: Exercise) -> str:
    """Return what drawing the cases of an exercise raises: its answers cannot be judged. "" where it raises nothing."""
    try:
        _ = exercise.cases(Draw(0)) if isinstance(exercise, FunctionExercise) else None
    except Exception as error:  # noqa: BLE001 - the author's own code may raise anything
        return f"drawing them raised {type(error).__name__}: {error}"
    return ""


def _cases(exercise: FunctionExercise) -> list[str]:
    if error := drawing_error(exercise):
        return [error]
    if any(case.property == properties.VALUES for case in exercise.cases(Draw(0))):
        return []
    return ["at least one case must have the property properties.VALUES: small numbers, to be checked by hand"]


def _not_passed(entry: Entry, answer: Any) -> list[str]:
    for seed in range(SEEDS):
        verdict = entry.judge(answer, seed=seed)
        if verdict.status != "passed":
            return [f"expected to pass; at seed {seed}: {verdict_text(verdict)}"]
    return []


def _misnamed(entry: Entry, id: str, variant: Callable[..., Any]) -> str:
    """Return what is wrong with a variant, "" where it is named as itself at every seed."""
    exercise = entry.exercise
    assert isinstance(exercise, FunctionExercise)
    place = exercise.ideas[id].variants.index(variant) + 1
    for seed in range(SEEDS):
        verdict = entry.judge(Computation(exercise, variant), seed=seed)
        which = f"{id}, variant {place}"
        if verdict.status == "passed":
            return f"{which} passes at seed {seed}: add a case in which it gives other numbers than the oracle"
        if verdict.misconception != id:
            named = verdict.misconception or "nothing"
            return f"{which} is named {named} at seed {seed}: add a case that tells the two apart"
    return ""
