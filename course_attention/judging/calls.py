"""Judges answers that are called: functions and module classes."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from course_attention.execution.protocol import Device, Outcome, Runner
from course_attention.judging import report
from course_attention.judging.comparison import Difference, first_difference
from course_attention.judging.diagnosis import Observed, broken_property, misconception, smallest
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.gradients import TOLERANCE
from course_attention.judging.prepared import PreparedCase, prepared_cases
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
    changed = next((o for o in observed if o.outcome.changed), None)
    if changed is not None:
        return report.input_changed(exercise, changed, _properties(exercise, observed, {"inputs unchanged"}))
    if any(o.differences for o in observed):
        return _wrong(exercise, observed)
    return _right(exercise, observed, runner, device)


def _runner(exercise: FunctionExercise, answer: Any) -> Runner | None:
    if hasattr(type(answer), "observe"):
        runner: Runner = answer
        return runner
    if not callable(answer):
        return None
    from course_attention.execution.local import LocalRunner

    return LocalRunner(answer, exercise.library)


def _need_cuda() -> None:
    from course_attention.execution.tensors import has_cuda

    if not has_cuda():
        raise ValueError("device is 'cuda', and there is no CUDA device here")


def _observe(runner: Runner, prepared: PreparedCase, device: Device) -> Observed:
    outcome = runner.observe(prepared.case.call(device))
    return Observed(prepared, outcome, prepared.differences(outcome))


def _wrong(exercise: FunctionExercise, observed: Sequence[Observed]) -> Verdict:
    """The verdict on an answer whose numbers are not right."""
    properties = _properties(exercise, observed, set())
    failing = [o for o in observed if o.differences]
    named = misconception(exercise, observed)
    mismatch = next((o for o in failing if o.outcome.error and o.outcome.error.device_mismatch), None)
    if named is None and mismatch is not None:
        return report.named(exercise, "wrong-device", [mismatch], properties)
    if named is not None:
        return report.named(exercise, named, failing, properties)
    raised = [o for o in failing if not o.returned]
    # Where a smaller case gives wrong numbers, they say more than the error of a larger one.
    if raised and smallest(raised) is smallest(failing):
        return report.errored(exercise, raised, properties)
    return report.broken(exercise, broken_property(exercise, observed), failing, properties)


def _right(
    exercise: FunctionExercise, observed: Sequence[Observed], runner: Runner, device: Device
) -> Verdict:
    """The verdict on an answer whose numbers are right: what remains is dtype, gradients and device."""
    found: list[tuple[str, str, Observed, Difference]] = []
    for o in observed if "dtype" in exercise.contract_checks else ():
        if difference := _dtype(exercise, o):
            found.append(("dtype", "type" if difference.kind == "type" else "wrong-dtype", o, difference))
            break
    if "gradients" in exercise.contract_checks and (failure := _gradients(runner, observed, device)):
        found.append(("gradients", *failure))
    if "device" in exercise.contract_checks and (left_behind := _device(runner, observed, device)):
        found.append(("device", "wrong-device", *left_behind))
    if "evaluation mode" in exercise.contract_checks and (unsteady := _steady(runner, observed, device)):
        found.append(("evaluation mode", "evaluation mode", *unsteady))
    properties = _properties(exercise, observed, {name for name, *_ in found})
    if not found:
        return report.passed(exercise, properties)
    _, name, o, difference = found[0]
    at_fault = [Observed(o.prepared, o.outcome, [difference])]
    if name in exercise.misconceptions:
        return report.named(exercise, name, at_fault, properties)
    return report.broken(exercise, name, at_fault, properties)


def _dtype(exercise: FunctionExercise, o: Observed) -> Difference | None:
    for part, result in zip(exercise.returns.names, o.outcome.results, strict=True):
        if exercise.returns.dtype:
            wanted: tuple[str, ...] = (exercise.returns.dtype,)
            why = ""
        elif exercise.returns.from_sizes_only:
            wanted, why = ("float32", "float64"), ""
        else:
            wanted, why = (o.prepared.case.dtype,), ", as the inputs are"
        if result.kind == "number":
            note = (
                f"{part} should be a tensor; got {'an' if result.dtype[0] in 'aeio' else 'a'} {result.dtype}"
            )
            return Difference("type", part, note=note)
        if result.dtype not in wanted:
            note = f"{part} should be {wanted[0]}{why}; got {result.dtype}"
            return Difference("dtype", part, note=note)
    return None


def _gradients(
    runner: Runner, observed: Sequence[Observed], device: Device
) -> tuple[str, Observed, Difference] | None:
    for o in observed:
        prepared = o.prepared
        if not prepared.case.gradient:
            continue
        outcome = runner.observe(prepared.case.call(device, prepared.cotangents))
        if outcome.error is not None:
            note = f"taking the gradient raised {outcome.error.type}: {outcome.error.message}"
            return "gradients", o, Difference("gradient", note=note)
        for name, right in prepared.gradients.items():
            difference = _gradient_difference(name, right, outcome.gradients.get(name))
            if difference is not None:
                lost = difference.received is None
                return ("detached" if lost else "gradients"), o, difference
    return None


def _gradient_difference(name: str, right: np.ndarray, came: np.ndarray | None) -> Difference | None:
    part = f"gradient of {name}"
    scale = TOLERANCE * (1.0 + np.abs(right).max(initial=0.0))
    if came is None:
        if np.abs(right).max(initial=0.0) <= scale:
            return None
        return Difference("gradient", part, right, note=f"no gradient reaches {name}")
    if came.shape != right.shape:
        return Difference("gradient", part, right, came, note=f"{part} should have shape {right.shape}")
    where = first_difference(came, right, scale)
    return None if where is None else Difference("gradient", part, right, came, where)


def tried_on_fakes(cases: Sequence[PreparedCase]) -> list[PreparedCase]:
    """The first case of each property; but fakes hold no numbers, and no dtype has a device of its own."""
    first: dict[str, PreparedCase] = {}
    for prepared in cases:
        first.setdefault(prepared.case.property, prepared)
    return [prepared for name, prepared in first.items() if name not in ("large scores", "dtypes")]


def _device(
    runner: Runner, observed: Sequence[Observed], device: Device
) -> tuple[Observed, Difference] | None:
    """Run one case of each property on fake CUDA, or look at the device of what came from the real one."""
    tried = tried_on_fakes([o.prepared for o in observed])
    for o in observed:
        outcome: Outcome = o.outcome
        if device == "cpu":
            if o.prepared not in tried:
                continue
            outcome = runner.observe(o.prepared.case.call("fake-cuda"))
        error = outcome.error
        if error is not None and error.device_mismatch:
            line = f" at `{error.line}`" if error.line else ""
            note = f"with the inputs on a CUDA device, the answer raised {error.type}{line}"
            return o, Difference("device", note=note)
        for result in outcome.results:
            if result.kind == "tensor" and result.device != "cuda" and (device == "cuda" or error is None):
                note = f"with the inputs on a CUDA device, the result should be there too; it is on {result.device}"
                return o, Difference("device", note=note)
    return None


def _steady(
    runner: Runner, observed: Sequence[Observed], device: Device
) -> tuple[Observed, Difference] | None:
    """Call the modules of the plain cases once more."""
    for o in observed:
        plain = o.prepared.case.property == "values"
        if plain and not runner.observe(replace(o.prepared.case.call(device), again=True)).steady:
            note = "called once more, in evaluation mode, the same module gives something else"
            return o, Difference("steady", note=note)
    return None


def _properties(exercise: FunctionExercise, observed: Sequence[Observed], broken: set[str]) -> Properties:
    """What was looked at, and whether it holds."""
    returned = [o for o in observed if o.returned]
    held: dict[str, bool | None] = {"shape": bool(returned) and not any(_misshapen(o) for o in returned)}
    for o in observed:
        name = o.prepared.case.property
        held[name] = held.get(name, True) and not o.differences
    right = all(held.values())
    # Looked at only in answers whose numbers are right: a constant, too, has the right dtype.
    for name in exercise.contract_checks:
        held[name] = False if name in broken else True if right else None
    return tuple(held.items())


def _misshapen(o: Observed) -> bool:
    return any(d.kind in ("form", "type", "shape") for d in o.differences)
