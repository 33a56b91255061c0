"""What the contract asks of a right answer beside its numbers: its dtype, gradients and device, and the same again.

Each function gives the first case in which the rule is broken, and how; None where it holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from course_attention.execution.protocol import Array, Device, Outcome, Raised, Runner
from course_attention.judging.comparison import Difference, first_difference
from course_attention.judging.error_meanings import meaning
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.gradients import TOLERANCE
from course_attention.judging.observed import Observed
from course_attention.judging.prepared import PreparedCase

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
            why = ", through which no gradient flows" if "gradients" in exercise.contract_checks else ""
            note = f"{part} should be a tensor; got {came}{why}"
            return Difference("type", part, note=note)
        if result.dtype not in wanted:
            note = f"{part} should be {wanted[0]}{why}; got {result.dtype}"
            return Difference("dtype", part, note=note)
    return None


def _integers(prepared: PreparedCase) -> tuple[str, ...]:
    """The dtypes of the whole numbers among the arguments."""
    arrays = [value for value in prepared.case.arguments.values() if isinstance(value, Array)]
    return tuple({array.dtype for array in arrays if array.dtype.startswith("int")})


def gradients_fault(
    runner: Runner, observed: Sequence[Observed], device: Device
) -> tuple[str, Observed, Difference] | None:
    for o in observed:
        prepared = o.prepared
        if not prepared.case.gradient:
            continue
        outcome = runner.observe(prepared.case.call(device, prepared.cotangents))
        if outcome.error is not None:
            meant = meaning(outcome.error)
            said = meant.text.removesuffix(".") if meant else outcome.error.message
            note = f"taking the gradient raised {outcome.error.type}: {said}"
            return "gradients", o, Difference("gradient", note=note)
        for name in prepared.suspects(outcome.gradients):
            difference = _gradient_difference(name, prepared.gradient(name), outcome.gradients.get(name))
            if difference is not None:
                return _name_of_gradient_fault(difference), o, difference
    return None


def _name_of_gradient_fault(difference: Difference) -> str:
    if difference.received is None:
        return "detached"
    return "gradients: nan" if np.isnan(difference.received).any() else "gradients"


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


def tried_on_the_gpu(cases: Sequence[PreparedCase]) -> list[PreparedCase]:
    """The first case of each property. Large scores and other dtypes would say nothing new about the device."""
    first: dict[str, PreparedCase] = {}
    for prepared in cases:
        first.setdefault(prepared.case.property, prepared)
    return [prepared for name, prepared in first.items() if name not in ("large scores", "dtypes")]


def device_fault(
    runner: Runner, observed: Sequence[Observed], device: Device
) -> tuple[Observed, Difference] | None:
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
        return o, Difference("device", note=f"with the inputs on a CUDA device, {note}")
    return None


def _refused(outcome: Outcome) -> Raised | None:
    """The error of an answer that does not want a GPU.

    Some errors may be a gap in the simulation, and nobody is blamed for those: errors that PyTorch raises too, unless
    they come from a line of the answer that raises.
    """
    error = outcome.error
    if error is None or (error.type in _OF_TORCH and not error.line.startswith(("raise", "assert"))):
        return None
    return error


def steady_fault(
    runner: Runner, observed: Sequence[Observed], device: Device
) -> tuple[Observed, Difference] | None:
    """Call the modules of the plain cases once more."""
    for o in observed:
        plain = o.about == "values"
        if plain and not runner.observe(replace(o.prepared.case.call(device), again=True)).steady:
            note = "called once more, in evaluation mode, the same module gives something else"
            return o, Difference("steady", note=note)
    return None
