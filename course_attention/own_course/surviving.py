"""Changes the reference solution, and looks whether the judge notices: a mutant that passes and is wrong survives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from course_attention.course.helper_source import home_of, own_source, source_of
from course_attention.execution.local import LocalRunner
from course_attention.execution.protocol import Array
from course_attention.exercises import Entry
from course_attention.judging.case import Case
from course_attention.judging.drawing import EPSILON, rounded
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.preparation import prepared_cases
from course_attention.judging.prepared import PreparedCase
from course_attention.own_course.endless_loops import ends_loops
from course_attention.own_course.finding import Finding
from course_attention.own_course.mutants import Mutant, bare, mutants

SEEDS = 3  # at which a mutant is judged
_OTHER_NUMBERS = 4  # times that the numbers of a case are drawn anew
_SECONDS = 5.0  # that one mutant may compute: some never end
_SHOWN = 5


def mutants_finding(entry: Entry) -> Finding:
    """Judge every mutant of an exercise's reference solution.

    A mutant that passes has survived where it differs from the oracle for other numbers in the same shapes, for which
    the reference solution is right. Where it differs nowhere, it may be as right as the solution.
    """
    tensors = entry.library == "torch"
    made = mutants(own_source(entry.name), tensors)
    passed = [mutant for mutant in made if _passes(entry, mutant)]
    others = _other_cases(entry)
    found = [(mutant, where) for mutant in passed if (where := _differs(entry, mutant, others))]
    if found:
        lines = [f"{len(found)} of {len(made)} pass and are wrong: add cases that tell them apart"]
        lines += [f"{_line(entry, mutant)} differs for {where}" for mutant, where in found[:_SHOWN]]
        return Finding(entry.name, "mutants", "bad", "\n".join(lines))
    lines = [f"the judge refuses {len(made) - len(passed)} of {len(made)}"]
    if passed:
        lines[0] += f"; {len(passed)} pass and gave the same numbers: are they right as well?"
        lines += [_line(entry, mutant) for mutant in passed[:_SHOWN]]
    return Finding(entry.name, "mutants", "good", "\n".join(lines))


def _line(entry: Entry, mutant: Mutant) -> str:
    """The first line that a mutant changes, as it is there."""
    lines = bare(own_source(entry.name)).splitlines()
    pairs = zip(lines, mutant.source.splitlines(), strict=False)
    return next((f"`{there.strip()}`" for here, there in pairs if here != there), f"`{mutant.change}`")


def _built(entry: Entry, source: str) -> Any:
    names: dict[str, Any] = {"__name__": "answer"}
    exec(compile(source_of(home_of(entry.name), [entry.name]), "<reference solution>", "exec"), names)
    exec(compile(source, "<mutant>", "exec"), names)
    return names[entry.name]


def _passes(entry: Entry, mutant: Mutant) -> bool:
    exercise = entry.exercise
    assert isinstance(exercise, FunctionExercise)
    try:
        with ends_loops(_SECONDS):
            answer = _built(entry, mutant.source)
            runner = LocalRunner(answer, entry.library)
            for prepared in prepared_cases(exercise, 0):  # most mutants fail here, and the judge takes longer
                if prepared.differences(runner.observe(prepared.case.call("cpu"))):
                    return False
            return all(entry.judge(answer, seed=seed).status == "passed" for seed in range(SEEDS))
    except Exception:  # noqa: BLE001 - a mutant may fail in any way, at its definition too
        return False


def _other_cases(entry: Entry) -> list[PreparedCase]:
    """Cases with other numbers in the same shapes, in which the reference solution is right."""
    exercise = entry.exercise
    assert isinstance(exercise, FunctionExercise)
    rng = np.random.default_rng(0)
    runner = LocalRunner(_built(entry, own_source(entry.name)), entry.library)
    found = []
    for prepared in prepared_cases(exercise, SEEDS):
        for _ in range(_OTHER_NUMBERS):
            other = PreparedCase(exercise, _redrawn(prepared.case, rng), 0)
            if not other.differences(runner.observe(other.case.call("cpu"))):
                found.append(other)
    return found


def _redrawn(case: Case, rng: np.random.Generator) -> Case:
    """The case with its numbers in another order and of other sizes, each with the sign that it had."""

    def other(value: Any) -> Any:
        if not isinstance(value, Array) or value.dtype not in EPSILON:
            return value
        numbers = rng.permutation(value.values.ravel()).reshape(value.values.shape)
        return replace(value, values=rounded(numbers * rng.uniform(0.3, 3.0, numbers.shape), value.dtype))

    return replace(case, arguments={name: other(value) for name, value in case.arguments.items()})


def _differs(entry: Entry, mutant: Mutant, cases: list[PreparedCase]) -> str:
    """A case in which a mutant differs from the oracle, "" where there is none."""
    runner = LocalRunner(_built(entry, mutant.source), entry.library)
    for prepared in cases:
        with ends_loops(_SECONDS):
            outcome = runner.observe(prepared.case.call("cpu"))
        if prepared.differences(outcome):
            given = prepared.case.shown.items()
            return ", ".join(f"{name} = {np.array2string(np.asarray(v), precision=3)}" for name, v in given)
    return ""
