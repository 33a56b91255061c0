"""Judges answers that are called: functions and module classes."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

from course_attention.execution.protocol import Device, Runner
from course_attention.judging import contract, faults, properties, report, steadiness
from course_attention.judging.diagnosis import Diagnosis, diagnose
from course_attention.judging.drawing import EPSILON
from course_attention.judging.drawn_cases import drawn_cases
from course_attention.judging.error_meanings import refused_by_torch
from course_attention.judging.example import is_visible
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.items import one_number_of_axes, right_one_by_one
from course_attention.judging.observed import Observed, is_constant
from course_attention.judging.prepared_case import PreparedCase
from course_attention.judging.runners import called_runner
from course_attention.judging.scoring import Held
from course_attention.judging.verdict import Verdict
from course_attention.judging.what_holds import what_holds


def judge(exercise: FunctionExercise, answer: Any, seed: int, device: Device) -> Verdict:
    """Judge a function or a module class; see `judging.judge`."""
    if answer is None or answer is ...:
        return report.not_attempted(exercise)
    runner = called_runner(exercise, answer, device)
    if runner is None:
        return report.not_callable(exercise, answer)
    cases = drawn_cases(exercise, seed)
    observed, even = _all_observed(exercise, runner, cases, device)
    if all(o.outcome.is_stub or (o.outcome.error and o.outcome.error.unwritten) for o in observed):
        return report.not_attempted(exercise)
    if exercise.kind == "module" and not (inspect.isclass(answer) or runner is answer):
        return report.not_callable(exercise, answer)
    observed = [o for o in observed if not refused_by_torch(o.outcome.error, o.prepared.case.dtype)]
    held = partial(what_holds, exercise, [prepared.case.property for prepared in cases])
    check = {properties.INPUTS_UNCHANGED}.intersection(exercise.contract_checks)
    if check and (changed := contract.changed_input(exercise, observed, runner, device)):
        return report.diagnosed(exercise, changed, [], held(observed, check, check))
    if any(o.differences for o in observed):
        if not only_coarse(exercise, observed, "float32"):
            asked = exercise, observed, runner, device
            unsteady, one_by_one = partial(steadiness.unsteady, *asked), partial(right_one_by_one, *asked)
            return _wrong(exercise, observed, held, unsteady, one_by_one)
        observed = [replace(o, differences=[]) for o in observed]  # all that is missing is the dtype
    broken = contract.broken_rules(exercise, observed, runner, device, {properties.EVALUATION_MODE} if even else ())
    all_held = held(observed, exercise.contract_checks, broken)
    if not broken:
        return report.passed(exercise, all_held)
    first = next(iter(broken.values()))
    return report.diagnosed(exercise, first, first.shown, all_held)


def _all_observed(
    exercise: FunctionExercise, runner: Runner, cases: Sequence[PreparedCase], device: Device
) -> tuple[list[Observed], bool]:
    """Call the answer in every case.

    To make a module takes longer than to call it. So each one is called several times while nothing goes wrong: first
    with the tokens of an earlier case, and in a plain case once more at the end. Where something goes wrong, the case
    is tried again with a new module that is called once, and so are all cases after it.

    Returns:
        The cases, and whether every one of a module came right after other tokens and once more.
    """
    observed: list[Observed] = []
    even = exercise.kind == "module"
    earlier = steadiness.Earlier()
    for prepared in cases:
        if even:
            before = earlier.of_same_sizes(prepared)
            more = {"again": prepared.case.property == properties.VALUES, "before": before.arguments if before else {}}
            o = _observe(runner, prepared, device, more)
            even = not o.differences and not o.outcome.changed and o.outcome.steady
        if not even:
            o = _observe(runner, prepared, device)
        observed.append(o)
    return observed, even


def _observe(
    runner: Runner, prepared: PreparedCase, device: Device, more: Mapping[str, Any] = MappingProxyType({})
) -> Observed:
    outcome = runner.observe(replace(prepared.case.call(device), **more))
    return Observed(prepared, outcome, prepared.differences(outcome))


def _wrong(
    exercise: FunctionExercise,
    observed: Sequence[Observed],
    held_by: Callable[..., Held],
    unsteady: Callable[[], Diagnosis | None],
    one_by_one: Callable[[], Diagnosis | None],
) -> Verdict:
    """Return the verdict on an answer whose numbers are not right.

    Args:
        exercise: what was asked.
        observed: what came of the cases.
        held_by: what holds of them.
        unsteady: calls the answer once more, and says what is wrong where it gives something else.
        one_by_one: hands over the items of a batch one by one, and says what is wrong where that is right.
    """
    held = held_by(observed)
    failing = [o for o in observed if o.differences]
    mismatch = next((o for o in failing if o.outcome.error and o.outcome.error.device_mismatch), None)
    if only_coarse(exercise, observed, "bfloat16") and not is_constant(observed):
        coarse = [replace(o, differences=[d]) for o in failing if (d := contract.dtype_fault(exercise, o))]
        return report.diagnosed(exercise, Diagnosis(coarse, properties.DTYPE.misconception), failing, held)
    diagnosis = diagnose(exercise, observed)
    if diagnosis.misconception is None and any(o.right_in_float32 for o in failing):
        # It says little that a number is rounded: as little as another dtype does. What else is wrong?
        coarse = [o.in_float32() for o in observed]
        forgiving = held_by(coarse, {properties.DTYPE}, {properties.DTYPE})
        beyond = [o for o in coarse if o.differences]
        if diagnosis.broken == faults.PRECISION or not beyond:
            return report.diagnosed(exercise, diagnosis, failing, forgiving)
        second = diagnose(exercise, coarse)
        if second.misconception or any(map(is_visible, beyond)):  # else it is a little wrong everywhere
            failing, diagnosis, held = beyond, second, forgiving
    raised = [o for o in failing if not o.returned]
    raised_in_plain = any(o.about == properties.VALUES for o in raised)
    if diagnosis.misconception is None:
        if mismatch is not None and properties.DEVICE in exercise.contract_checks:
            on_cpu = Diagnosis([mismatch], properties.DEVICE.misconception)
            return report.diagnosed(exercise, on_cpu, failing, held)
        smallest = min(failing, key=lambda o: o.readability)
        # Where a smaller case gives wrong numbers, they say more than the error of a larger one.
        axes = properties.LEADING_DIMENSIONS if one_number_of_axes(exercise, observed) else None
        only_raised = diagnosis.broken == properties.VALUES and not any(o.returned for o in diagnosis.shown)
        if not smallest.returned or only_raised:
            return report.errored(exercise, raised, held, axes)
        # Of numbers that are others at every call, nothing else can be said.
        vague = diagnosis.broken in (properties.VALUES, properties.SHAPE, faults.ROW_SUMS, faults.WITHOUT_WEIGHT)
        diagnosis = (unsteady() if vague else None) or diagnosis
        if diagnosis.broken == properties.VALUES and not is_constant(observed):
            diagnosis = one_by_one() or diagnosis
        if axes is not None:
            diagnosis = Diagnosis([o for o in failing if o.returned], broken=axes)
    elif raised_in_plain and all(o.about.edge for o in diagnosis.shown):
        return report.errored(exercise, raised, held)  # an idea about edges comes second
    return report.diagnosed(exercise, diagnosis, failing, held)


def only_coarse(exercise: FunctionExercise, observed: Sequence[Observed], coarsest: str) -> bool:
    """Whether the numbers are right to the precision of the dtype that they came in, which is coarser than asked.

    Numbers in float32 are right numbers in the wrong dtype. In half precision wrong ones may be as near, so there the
    dtype is named and the numbers earn nothing.
    """
    if properties.DTYPE not in exercise.contract_checks:
        return False
    for o in observed:
        coarse = [result.dtype for result in o.outcome.results if result.dtype in EPSILON]
        came = max(coarse, key=EPSILON.__getitem__, default="")
        precision = min(came, coarsest, key=lambda dtype: EPSILON.get(dtype, 0.0))
        if o.prepared.differences(o.outcome, precision):
            return False
    return True
