"""What becomes of a mutant: the judge refuses it, or lets it pass and it does the same, or does not."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from typing import Any
from unittest.mock import patch

import numpy as np

import course_attention
from course_attention.execution.local import LocalRunner
from course_attention.execution.nesting import labelled
from course_attention.execution.protocol import Outcome
from course_attention.exercises import CATALOGUE
from course_attention.judging import contract
from course_attention.judging.contract import Observed
from course_attention.judging.design import DesignExercise
from course_attention.judging.preparation import prepared_cases
from course_attention.judging.prepared import PreparedCase
from course_attention.own_course.mutants import Mutant, mutants
from tests.answer_objects import of_kind
from tests.mutants.inputs import cases

# A design is free in its numbers, so that a mutant which differs from the base may be as right as it is.
CALLED = [
    name
    for name, entry in CATALOGUE.items()
    if entry.kind != "value" and not isinstance(entry.exercise, DesignExercise)
]
OWN_CASES = 40
ON_CUDA = 4  # of them are tried on a simulated GPU, which takes time
_MAKES = re.compile(
    r"\b(device|tensor|as_tensor|zeros|ones|full|empty|eye|\w*arange|linspace|tri[lu]_indices|cpu|numpy|np|nn)\b"
)
SEEDS = 3  # a mutant is judged at one of so many seeds


@dataclass(frozen=True)
class Base:
    """A right answer, as a text and what has to stand above it."""

    label: str
    source: str
    imports: str = ""

    def built(self, exercise: str, source: str = "") -> Any:
        """The function or class that the text, or a mutant of it, defines."""
        names: dict[str, Any] = {"__name__": "answer"}
        if not self.imports:  # the package's helper: its own module says what its names mean
            names |= vars(inspect.getmodule(inspect.unwrap(getattr(course_attention, exercise))))
        exec(compile(f"{self.imports}\n{source or self.source}", f"<{self.label}>", "exec"), names)
        return names[exercise]


@cache
def bases(exercise: str) -> tuple[Base, ...]:
    """The right answers of the corpus, in whatever style and form, and the package's helper."""
    found = [
        Base(answer.label, answer.source, "\n".join(answer.imports) or "pass")
        for kind in ("right", "odd")
        for answer in of_kind(exercise, kind)
    ]
    helper = inspect.getsource(inspect.unwrap(getattr(course_attention, exercise)))
    return (*found, Base("helper", f"from __future__ import annotations\n{helper}"))


def all_mutants(exercise: str) -> list[tuple[Base, Mutant]]:
    """The mutants of all right answers to an exercise, each text once."""
    tensors = "gradients" in CATALOGUE[exercise].exercise.contract_checks
    found: dict[str, tuple[Base, Mutant]] = {}
    for base in bases(exercise):
        for mutant in mutants(base.source, tensors):
            found.setdefault(mutant.source, (base, mutant))
    return list(found.values())


def fate(exercise: str, base: Base, mutant: Mutant, seed: int) -> tuple[str, str]:
    """("killed", ""), ("equivalent", ""), or ("survived", where it differs)."""
    try:
        answer = base.built(exercise, mutant.source)
    except Exception:  # noqa: BLE001 - the cell itself fails: a student would be told so
        return "killed", ""
    # The simulated GPU takes much of the judge's time, and finds tensors that an answer makes: here most make none.
    with (
        nullcontext()
        if _MAKES.search(mutant.source)
        else patch.object(contract, "device_fault", return_value=None)
    ):
        if not passes(exercise, answer, seed):
            return "killed", ""
        where = differs(exercise, answer, base)
    return ("survived", where) if where else ("equivalent", "")


def passes(exercise: str, answer: Any, seed: int) -> bool:
    """Whether the judge lets an answer pass; most answers that fail do so at the first case, so that comes first."""
    entry = CATALOGUE[exercise]
    runner = LocalRunner(answer, entry.library)
    for prepared in prepared_cases(entry.exercise, seed):
        outcome = runner.observe(prepared.case.call("cpu"))
        if prepared.differences(outcome) and "not implemented for" not in str(outcome.error):
            return False
    return entry.judge(answer, seed=seed).status == "passed"


@cache
def _own_cases(exercise: str) -> tuple[PreparedCase, ...]:
    return tuple(
        PreparedCase(CATALOGUE[exercise].exercise, c, n) for n, c in enumerate(cases(exercise, OWN_CASES))
    )


@cache
def _of_base(exercise: str, base: Base) -> dict[int, dict[str, np.ndarray | None]]:
    """The numbers of the own cases in which a right answer is right, each with the gradients that it gives there."""
    runner = LocalRunner(base.built(exercise), CATALOGUE[exercise].library)
    found: dict[int, dict[str, np.ndarray | None]] = {}
    for number, prepared in enumerate(_own_cases(exercise)):
        if not any(_faults(exercise, prepared, runner, number < ON_CUDA)):
            found[number] = _gradients(runner, prepared).gradients
    return found


def _gradients(runner: LocalRunner, prepared: PreparedCase) -> Outcome:
    if not prepared.case.gradient:
        return Outcome()
    return runner.observe(prepared.case.call("cpu", prepared.cotangents))


def _faults(exercise: str, prepared: PreparedCase, runner: LocalRunner, cuda: bool) -> Iterator[str]:
    """What is wrong with an answer in one case, gradients apart."""
    data = CATALOGUE[exercise].exercise
    observed = Observed(prepared, runner.observe(prepared.case.call("cpu")), [])
    # What loses a digit or two on the way differs from the right answer by its rounding alone.
    coarse = "bfloat16" if prepared.case.dtype == "float16" else ""
    yield from (f"{d.kind} {d.note}" for d in prepared.differences(observed.outcome, coarse))
    yield from (f"{name} changed" for name in observed.outcome.changed)
    if "dtype" in data.contract_checks and (fault := contract.dtype_fault(data, observed)):
        yield fault.note
    if (
        cuda
        and "device" in data.contract_checks
        and (left := contract.device_fault(runner, [observed], "cpu"))
    ):
        yield left[1].note


def differs(exercise: str, answer: Any, base: Base) -> str:
    """Where an answer differs from the right one that it was made of; "" where it does so nowhere."""
    runner = LocalRunner(answer, CATALOGUE[exercise].library)
    for number, right in _of_base(exercise, base).items():
        prepared = _own_cases(exercise)[number]
        fault = next(_faults(exercise, prepared, runner, number < ON_CUDA), "")
        fault = fault or _other_gradient(_gradients(runner, prepared), right)
        if fault:
            shapes = {n: getattr(v, "values", v) for n, v in labelled(prepared.case.arguments).items()}
            shown = ", ".join(f"{n} {getattr(v, 'shape', v)}" for n, v in shapes.items())
            return f"{fault.strip()[:120]}; {prepared.case.dtype}, {shown}"
    return ""


def _other_gradient(outcome: Outcome, right: dict[str, np.ndarray | None]) -> str:
    for name, wanted in right.items():
        came = outcome.gradients.get(name)
        came, wanted = (np.zeros(()) if g is None else g for g in (came, wanted))
        size = 1.0 + np.abs(wanted).max(initial=0.0)
        if not np.allclose(came, wanted, rtol=0, atol=1e-6 * size):
            return f"gradient of {name}"
    return ""
