"""What becomes of a mutant: the judge refuses it, or lets it pass and it computes the same, or something else."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np

from course_attention.execution.local import LocalRunner
from course_attention.execution.protocol import Call, Outcome, Raised
from course_attention.exercises import CATALOGUE
from course_attention.judging import contract, properties
from course_attention.judging.case import Case
from course_attention.judging.drawn_cases import drawn_cases
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.observed import Observed
from course_attention.judging.prepared_case import PreparedCase
from course_attention.mutants.endless_loops import ends_loops
from course_attention.mutants.making import Mutant
from course_attention.mutants.other_cases import other_cases
from course_attention.mutants.right_answer import RightAnswer

SEEDS = range(3)  # at which a mutant may be judged
SECONDS = 10.0  # that a mutant may compute for the judge, and for each other case: some never end
ON_CUDA = 4  # of the other cases are tried on a simulated GPU, which takes time
_MAKES_TENSORS = re.compile(
    r"\b(device|tensor|as_tensor|zeros|ones|full|empty|eye|\w*arange|linspace|tri[lu]_indices|cpu|numpy|np|nn)\b"
)


@dataclass(frozen=True)
class Fate:
    """What became of a mutant.

    Attributes:
        kind: "killed" by the judge; "equivalent" where it passed and differs nowhere; else it has "survived".
        fault: how a survivor differs.
        case: where it does.
    """

    kind: Literal["killed", "equivalent", "survived"]
    fault: str = ""
    case: Case | None = None


def fate(right: RightAnswer, mutant: Mutant, seeds: Iterable[int] = SEEDS) -> Fate:
    """Judge a mutant, and compare one that passes with the right answer on inputs that the judge does not draw.

    Args:
        right: what the mutant was made of.
        mutant: a change of it.
        seeds: at which it is judged.
    """
    try:
        answer = right.built(mutant.source)
    except Exception:  # noqa: BLE001 - the cell itself fails: a student would be told so
        return Fate("killed")
    exercise = _exercise(right.exercise)
    runner = LocalRunner(answer, exercise.library, exercise.given)
    # The simulated GPU takes much of the judge's time, and finds tensors that an answer makes: here most make none.
    makes = _MAKES_TENSORS.search(right.source) or _MAKES_TENSORS.search(mutant.source)
    judged = runner if makes else _WithoutGpu(runner)
    if not all(passes(right.exercise, judged, seed) for seed in seeds):
        return Fate("killed")
    return differs(right, runner)


def passes(name: str, runner: Any, seed: int) -> bool:
    """Whether the judge lets an answer pass; most answers that fail do so at the first case, so that comes first."""
    drawn_cases(_exercise(name), seed)
    try:
        with ends_loops(SECONDS):
            for prepared in drawn_cases(_exercise(name), seed):
                outcome = runner.observe(prepared.case.call("cpu"))
                if prepared.differences(outcome) and "not implemented for" not in str(outcome.error):
                    return False
            return CATALOGUE[name].judge(runner, seed=seed).status == "passed"
    except TimeoutError:
        return False


def differs(right: RightAnswer, runner: Any) -> Fate:
    """Compare an answer that passed with the right one that it was made of."""
    exercise = _exercise(right.exercise)
    for number, gradients in _gradients_of(right).items():
        prepared = _other_cases(right.exercise)[number]
        try:
            with ends_loops(SECONDS):
                fault = next(_faults(exercise, prepared, runner, number < ON_CUDA), "")
                fault = fault or _other_gradient(_with_gradients(runner, prepared), gradients)
        except TimeoutError:
            fault = "it does not end"
        if fault:
            return Fate("survived", fault.strip(), prepared.case)
    return Fate("equivalent")


def _exercise(name: str) -> FunctionExercise:
    exercise = CATALOGUE[name].exercise
    assert isinstance(exercise, FunctionExercise), "numbers have no mutants"
    return exercise


class _WithoutGpu:
    """Calls an answer on the CPU alone: the simulated GPU has an error of its own, for which nobody is blamed."""

    def __init__(self, runner: LocalRunner) -> None:
        self._runner = runner

    def observe(self, call: Call) -> Outcome:
        gap = Outcome(error=Raised("RuntimeError", "not tried"))
        return gap if call.device == "simulated-cuda" else self._runner.observe(call)


@cache
def _other_cases(name: str) -> tuple[PreparedCase, ...]:
    cases = enumerate(other_cases(CATALOGUE[name]))
    return tuple(PreparedCase(_exercise(name), case, number) for number, case in cases)


@cache
def _gradients_of(right: RightAnswer) -> dict[int, Mapping[str, np.ndarray | None]]:
    """Return the numbers of the other cases in which a right answer is right, and the gradients that it gives there."""
    exercise = _exercise(right.exercise)
    runner = LocalRunner(right.built(), exercise.library)
    return {
        number: _with_gradients(runner, prepared).gradients
        for number, prepared in enumerate(_other_cases(right.exercise))
        if not any(_faults(exercise, prepared, runner, number < ON_CUDA))
    }


def _with_gradients(runner: Any, prepared: PreparedCase) -> Outcome:
    if not prepared.case.gradient:
        return Outcome()
    outcome: Outcome = runner.observe(prepared.case.call("cpu", prepared.cotangents))
    return outcome


def _faults(exercise: FunctionExercise, prepared: PreparedCase, runner: Any, cuda: bool) -> Iterator[str]:
    """Yield what is wrong with an answer in one case, gradients apart."""
    observed = Observed(prepared, runner.observe(prepared.case.call("cpu")), [])
    # What loses a digit or two on the way differs from the right answer by its rounding alone.
    coarse = "bfloat16" if prepared.case.dtype == "float16" else ""
    yield from (f"{d.kind} {d.note}" for d in prepared.differences(observed.outcome, coarse))
    yield from (f"{name} changed" for name in observed.outcome.changed)
    if properties.DTYPE in exercise.contract_checks and (fault := contract.dtype_fault(exercise, observed)):
        yield fault.note
    if cuda and properties.DEVICE in exercise.contract_checks:
        left = contract.wrong_device(exercise, [observed], runner, "cpu")
        yield from [left.shown[0].differences[0].note] if left else []


def _other_gradient(outcome: Outcome, right: Mapping[str, np.ndarray | None]) -> str:
    for name, wanted in right.items():
        came = outcome.gradients.get(name)
        came, wanted = (np.zeros(()) if g is None else g for g in (came, wanted))
        size = 1.0 + np.abs(wanted).max(initial=0.0)
        if not np.allclose(came, wanted, rtol=0, atol=1e-6 * size):
            return f"gradient of {name}"
    return ""
