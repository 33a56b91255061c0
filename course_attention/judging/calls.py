"""Judges answers that are called: functions and module classes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from course_attention.execution.protocol import Device, Runner
from course_attention.judging import contract, report
from course_attention.judging.comparison import Difference
from course_attention.judging.diagnosis import PRECISION, Diagnosis, diagnose
from course_attention.judging.drawing import EPSILON
from course_attention.judging.error_meanings import refused_by_torch
from course_attention.judging.example import is_visible
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.held import properties_of
from course_attention.judging.observed import EDGES, Observed
from course_attention.judging.preparation import prepared_cases
from course_attention.judging.prepared import PreparedCase
from course_attention.judging.verdict import Properties, Verdict


def judge(exercise: FunctionExercise, answer: Any, seed: int, device: Device) -> Verdict:
    """Judge a function or a module class; see `judging.judge`."""
    if answer is None or answer is ...:
        return report.not_attempted(exercise)
    runner = _runner(exercise, answer)
    if runner is None:
        return report.not_callable(exercise, answer)
    if device == "cuda" and runner is not answer:  # an answer that lives elsewhere finds its own
        _need_cuda()
    cases = prepared_cases(exercise, seed)
    observed = [_observe(runner, prepared, device) for prepared in cases]
    if all(o.outcome.is_stub or (o.outcome.error and o.outcome.error.unwritten) for o in observed):
        return report.not_attempted(exercise)
    if exercise.kind == "module" and not (inspect.isclass(answer) or runner is answer):
        return report.not_callable(exercise, answer)
    observed = [o for o in observed if not refused_by_torch(o.outcome.error, o.prepared.case.dtype)]
    properties = partial(properties_of, exercise, [prepared.case.property for prepared in cases])
    changed = next((o for o in observed if o.outcome.changed), None)
    if changed is not None:
        check = {"inputs unchanged"}
        return report.input_changed(exercise, changed, properties(observed, check, check))
    if _only_coarse(exercise, observed, "float32"):
        observed = [replace(o, differences=[]) for o in observed]  # all that is missing is the dtype
    if any(o.differences for o in observed):
        unsteady = partial(contract.steady_fault, runner, observed, device)
        return _wrong(exercise, observed, properties, unsteady)
    found = _contract_faults(exercise, observed, runner, device)
    held = properties(observed, exercise.contract_checks, {name for name, *_ in found})
    if not found:
        return report.passed(exercise, held)
    _, name, at_fault, difference = found[0]
    shown = [replace(at_fault, differences=[difference])]
    named = name in exercise.misconceptions
    diagnosis = Diagnosis(shown, name) if named else Diagnosis(shown, broken=name)
    return report.diagnosed(exercise, diagnosis, shown, held)


def _runner(exercise: FunctionExercise, answer: Any) -> Runner | None:
    if hasattr(type(answer), "observe"):
        runner: Runner = answer
        return runner
    if not callable(answer):
        return None
    from course_attention.execution.local import LocalRunner

    return LocalRunner(answer, exercise.library, exercise.given)


def _need_cuda() -> None:
    from course_attention.execution.tensors import has_cuda

    if not has_cuda():
        raise ValueError("device is 'cuda', and there is no CUDA device here")


def _observe(runner: Runner, prepared: PreparedCase, device: Device) -> Observed:
    outcome = runner.observe(prepared.case.call(device))
    return Observed(prepared, outcome, prepared.differences(outcome))


def _wrong(
    exercise: FunctionExercise,
    observed: Sequence[Observed],
    properties_of_these: Callable[..., Properties],
    unsteady: Callable[[], tuple[Observed, Difference] | None],
) -> Verdict:
    """The verdict on an answer whose numbers are not right."""
    properties = properties_of_these(observed)
    failing = [o for o in observed if o.differences]
    mismatch = next((o for o in failing if o.outcome.error and o.outcome.error.device_mismatch), None)
    if _only_coarse(exercise, observed, "bfloat16"):
        faults = [replace(o, differences=[d]) for o in failing if (d := contract.dtype_fault(exercise, o))]
        return report.diagnosed(exercise, Diagnosis(faults, "wrong-dtype"), failing, properties)
    diagnosis = diagnose(exercise, observed)
    if diagnosis.misconception is None and any(o.right_in_float32 for o in failing):
        # It says little that a number is rounded: as little as another dtype does. What else is wrong?
        coarse = [o.in_float32() for o in observed]
        forgiving = properties_of_these(coarse, {"dtype"}, {"dtype"})
        beyond = [o for o in coarse if o.differences]
        if diagnosis.broken == PRECISION or not beyond:
            return report.diagnosed(exercise, diagnosis, failing, forgiving)
        second = diagnose(exercise, coarse)
        if second.misconception or any(map(is_visible, beyond)):  # else it is a little wrong everywhere
            failing, diagnosis, properties = beyond, second, forgiving
    raised = [o for o in failing if not o.returned]
    raised_in_plain = any(o.about == "values" for o in raised)
    if diagnosis.misconception is None:
        if mismatch is not None:
            return report.diagnosed(exercise, Diagnosis([mismatch], "wrong-device"), failing, properties)
        smallest = min(failing, key=lambda o: o.readability)
        # Where a smaller case gives wrong numbers, they say more than the error of a larger one.
        if not smallest.returned:
            return report.errored(exercise, raised, properties)
        # Of numbers that are others at every call, nothing else can be said.
        vague = exercise.kind == "module" and diagnosis.broken in ("values", "row sums")
        if vague and (found := unsteady()):
            at_fault, difference = found
            diagnosis = Diagnosis([replace(at_fault, differences=[difference])], broken="evaluation mode")
    elif raised_in_plain and all(o.about in EDGES for o in diagnosis.shown):
        return report.errored(exercise, raised, properties)  # an idea about edges comes second
    return report.diagnosed(exercise, diagnosis, failing, properties)


def _only_coarse(exercise: FunctionExercise, observed: Sequence[Observed], coarsest: str) -> bool:
    """Whether the numbers are right to the precision of the dtype that they came in, which is coarser than asked.

    Numbers in float32 are right numbers in the wrong dtype. In half precision a constant may be as near, so there it
    is named and earns nothing.
    """
    if "dtype" not in exercise.contract_checks:
        return False
    for o in observed:
        coarse = [result.dtype for result in o.outcome.results if result.dtype in EPSILON]
        came = max(coarse, key=EPSILON.__getitem__, default="")
        precision = min(came, coarsest, key=lambda dtype: EPSILON.get(dtype, 0.0))
        if o.prepared.differences(o.outcome, precision):
            return False
    return True


def _contract_faults(
    exercise: FunctionExercise, observed: Sequence[Observed], runner: Runner, device: Device
) -> list[tuple[str, str, Observed, Difference]]:
    """What is wrong with an answer whose numbers are right: the check, the fault's name, a case, and how it shows."""
    found: list[tuple[str, str, Observed, Difference]] = []
    for o in observed if "dtype" in exercise.contract_checks else ():
        if difference := contract.dtype_fault(exercise, o):
            found.append(
                ("dtype", "plain number" if difference.kind == "type" else "wrong-dtype", o, difference)
            )
            break
    if "gradients" in exercise.contract_checks and (
        failure := contract.gradients_fault(runner, observed, device)
    ):
        found.append(("gradients", *failure))
    if "device" in exercise.contract_checks and (
        left_behind := contract.device_fault(runner, observed, device)
    ):
        found.append(("device", "wrong-device", *left_behind))
    if "evaluation mode" in exercise.contract_checks and (
        unsteady := contract.steady_fault(runner, observed, device)
    ):
        found.append(("evaluation mode", "evaluation mode", *unsteady))
    return found
