"""What the contract asks of a right answer beside its numbers: its dtype, its gradients and its device.

For each rule there is a function that finds the first case in which it is broken.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from course_attention.execution.protocol import Array, Device, Outcome, Raised, Runner
from course_attention.judging import faults, properties, steadiness
from course_attention.judging.comparison import Difference, first_difference
from course_attention.judging.diagnosis import Diagnosis
from course_attention.judging.error_meanings import meaning
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.gradients import TOLERANCE
from course_attention.judging.observed import Observed
from course_attention.judging.prepared_case import PreparedCase
from course_attention.judging.properties import Property

# Large scores, other dtypes and inputs that are not contiguous would say nothing new about the device.
_NOT_ON_THE_GPU = (properties.LARGE_SCORES, properties.DTYPES, properties.STRIDES)

_OF_TORCH = (
    "RuntimeError",
    "NotImplementedError",
    "TypeError",
    "AttributeError",
    "ValueError",
    "AssertionError",
)


def dtype_fault(exercise: FunctionExercise, o: Observed) -> Difference | None:
    for part, result in zip(exercise.returns.names, o.outcome.results, strict=True):
        if exercise.returns.dtype:
            given = _integers(o.prepared) if exercise.returns.dtype == "int64" else ()
            wanted: tuple[str, ...] = given or (exercise.returns.dtype,)
            why = ", as the inputs are" if given else ""
        elif exercise.returns.from_sizes_only:
            wanted, why = ("float32", "float64"), ""
        else:
            wanted, why = (o.prepared.case.dtype,), ", as the inputs are"
        if result.kind == "number":
            came = f"{'an' if result.dtype.startswith(tuple('aeio')) else 'a'} {result.dtype or 'number'}"
            why = ", through which no gradient flows" if properties.GRADIENTS in exercise.contract_checks else ""
            note = f"{part} should be a tensor; got {came}{why}"
            return Difference("type", part, note=note)
        if result.dtype not in wanted:
            note = f"{part} should be {wanted[0]}{why}; got {result.dtype}"
            return Difference("dtype", part, note=note)
    return None


def _integers(prepared: PreparedCase) -> tuple[str, ...]:
    """Return the dtypes of the whole numbers among the arguments."""
    arrays = [value for value in prepared.case.arguments.values() if isinstance(value, Array)]
    return tuple({array.dtype for array in arrays if array.dtype.startswith("int")})


def changed_input(
    exercise: FunctionExercise, observed: Sequence[Observed], runner: Runner, device: Device
) -> Diagnosis | None:
    """Find the first case whose arguments came back changed."""
    for o in observed:
        if o.outcome.changed:
            note = f"{' and '.join(o.outcome.changed)} came back changed"
            return Diagnosis.of_rule(properties.INPUTS_UNCHANGED, o, Difference("changed", note=note))
    return None


def _wrong_dtype(
    exercise: FunctionExercise, observed: Sequence[Observed], runner: Runner, device: Device
) -> Diagnosis | None:
    for o in observed:
        if difference := dtype_fault(exercise, o):
            if difference.kind == "type":
                return Diagnosis([replace(o, differences=[difference])], broken=faults.PLAIN_NUMBER)
            return Diagnosis.of_rule(properties.DTYPE, o, difference)
    return None


def _wrong_gradient(
    exercise: FunctionExercise, observed: Sequence[Observed], runner: Runner, device: Device
) -> Diagnosis | None:
    for o in observed:
        prepared = o.prepared
        if not prepared.case.gradient:
            continue
        outcome = runner.observe(prepared.case.call(device, prepared.cotangents))
        if outcome.error is not None:
            meant = meaning(outcome.error)
            said = meant.text.removesuffix(".") if meant else outcome.error.message
            note = f"taking the gradient raised {outcome.error.type}: {said}"
            shown = [replace(o, differences=[Difference("gradient", note=note)])]
            return Diagnosis(shown, broken=faults.GRADIENTS_RAISED)
        for name in prepared.suspects(outcome.gradients):
            came = outcome.gradients.get(name)
            if came is None:  # the right one has another slope, so it is not 0; its numbers would tell nobody more
                cut = Difference("gradient", f"gradient of {name}", note=f"no gradient reaches {name}")
                return Diagnosis.of_rule(properties.GRADIENTS, o, cut)
            difference = _gradient_difference(name, prepared.gradient(name), came)
            if difference is not None:
                is_nan = np.isnan(came).any()
                broken = faults.GRADIENTS_NAN if is_nan else properties.GRADIENTS
                return Diagnosis([replace(o, differences=[difference])], broken=broken)
    return None


def _gradient_difference(name: str, right: np.ndarray, came: np.ndarray) -> Difference | None:
    part = f"gradient of {name}"
    scale = TOLERANCE * (1.0 + np.abs(right).max(initial=0.0))
    if came.shape != right.shape:
        return Difference("gradient", part, right, came, note=f"{part} should have shape {right.shape}")
    where = first_difference(came, right, scale)
    return None if where is None else Difference("gradient", part, right, came, where)


def tried_on_the_gpu(cases: Sequence[PreparedCase]) -> list[PreparedCase]:
    """Return the first case of each property that says something about the device."""
    first: dict[Property, PreparedCase] = {}
    for prepared in cases:
        first.setdefault(prepared.case.property, prepared)
    return [prepared for about, prepared in first.items() if about not in _NOT_ON_THE_GPU]


def wrong_device(
    exercise: FunctionExercise, observed: Sequence[Observed], runner: Runner, device: Device
) -> Diagnosis | None:
    """Run one case of each property on a simulated GPU, or look at the device of what came from the real one.

    The simulated GPU holds numbers. So an answer that computes something else there, or refuses to, is found as well.
    """
    tried = tried_on_the_gpu([o.prepared for o in observed])
    for o in observed:
        outcome: Outcome = o.outcome
        if device == "cpu":
            if o.prepared not in tried:
                continue
            outcome = runner.observe(o.prepared.case.call("simulated-cuda"))
        left = outcome.left_behind or _refused(outcome)
        if left is None:
            if outcome.error is not None or not o.prepared.differences(outcome, "float32"):
                continue
            note = "other numbers come"
        elif isinstance(left, Raised):
            line = f" at `{left.line}`" if left.line else ""
            note = f"the answer raised {left.type}{line}"
        else:
            note = f"the result should be there too; it is on {left.device}"
        difference = Difference("device", note=f"with the inputs on a CUDA device, {note}")
        return Diagnosis.of_rule(properties.DEVICE, o, difference)
    return None


def _refused(outcome: Outcome) -> Raised | None:
    """Return the error of an answer that does not want a GPU.

    Some errors may be a gap in the simulation, and nobody is blamed for those: errors that PyTorch raises too, unless
    they come from a line of the answer that raises.
    """
    error = outcome.error
    if error is None or (error.type in _OF_TORCH and not error.line.startswith(("raise", "assert"))):
        return None
    return error


_RULES = {
    properties.INPUTS_UNCHANGED: changed_input,
    properties.DTYPE: _wrong_dtype,
    properties.GRADIENTS: _wrong_gradient,
    properties.DEVICE: wrong_device,
    properties.EVALUATION_MODE: steadiness.uneven,
}


def broken_rules(
    exercise: FunctionExercise,
    observed: Sequence[Observed],
    runner: Runner,
    device: Device,
    held: Collection[Property] = (),
) -> dict[Property, Diagnosis]:
    """Find what is wrong with an answer whose numbers are right: the rules that it breaks.

    Args:
        exercise: what was asked.
        observed: what came of the cases.
        runner: calls the answer.
        device: where.
        held: the rules that are known to hold already.
    """
    left = [check for check in exercise.contract_checks if check not in held]
    found = {check: _RULES[check](exercise, observed, runner, device) for check in left}
    return {check: diagnosis for check, diagnosis in found.items() if diagnosis is not None}
