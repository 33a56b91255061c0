"""Whether an answer that is called again gives the same: with the same tokens, or after others in between."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from course_attention.execution.protocol import Device, Outcome, Runner
from course_attention.judging import faults, properties
from course_attention.judging.case import Case
from course_attention.judging.comparison import Difference
from course_attention.judging.diagnosis import Diagnosis
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.observed import Observed
from course_attention.judging.prepared_case import PreparedCase


def unsteady(
    exercise: FunctionExercise, observed: Sequence[Observed], runner: Runner, device: Device
) -> Diagnosis | None:
    """Call the answer once more in each of the plain cases."""
    for o in observed:
        if o.about != properties.VALUES or not o.returned:
            continue
        if exercise.kind == "module":
            if not runner.observe(replace(o.prepared.case.call(device), again=True)).steady:
                note = "called once more, in evaluation mode, the same module gives something else"
                return Diagnosis.of_rule(properties.EVALUATION_MODE, o, Difference("steady", note=note))
        elif not _same(o.outcome, runner.observe(o.prepared.case.call(device))):
            note = "called once more, it gives something else"  # the first time it may have been right
            shown = o if o.differences else replace(o, differences=[Difference("steady", note=note)])
            return Diagnosis([shown], broken=faults.UNSTEADY)
    return None


def _same(first: Outcome, second: Outcome) -> bool:
    """Whether two calls gave the same numbers, NaN included."""
    pairs = list(zip(first.results, second.results, strict=False))
    return len(first.results) == len(second.results) and all(
        one.values is None or other.values is None or np.array_equal(one.values, other.values, equal_nan=True)
        for one, other in pairs
    )


class Earlier:
    """The last case of each kind of module: of the same settings and the same dtype."""

    def __init__(self) -> None:
        self._last: dict[Any, Case] = {}

    def of_same_sizes(self, prepared: PreparedCase) -> Case | None:
        """Return the last case that was asked about and makes the same kind of module; None for the first."""
        case = prepared.case
        sizes = (*(case.settings or {}).items(), case.dtype)
        before, self._last[sizes] = self._last.get(sizes), case
        return before


def _keeping(
    exercise: FunctionExercise, observed: Sequence[Observed], runner: Runner, device: Device
) -> Diagnosis | None:
    """Call a module with the tokens of one case, and then with those of the next case that has the same settings."""
    earlier = Earlier()
    for o in observed:
        prepared, case = o.prepared, o.prepared.case
        before = earlier.of_same_sizes(prepared)
        if before is None:
            continue
        outcome = runner.observe(replace(case.call(device), before=before.arguments))
        if outcome.error is None and not prepared.differences(outcome):
            continue
        came = "it gives something else"
        if outcome.error is not None:
            came = f"it raises {outcome.error.type}: {outcome.error.message}".removesuffix(": ")
        note = f"after a call with the tokens of another case ({before.title}), {came}"
        return Diagnosis([replace(o, differences=[Difference("steady", note=note)])], broken=faults.KEPT)
    return None


def uneven(
    exercise: FunctionExercise, observed: Sequence[Observed], runner: Runner, device: Device
) -> Diagnosis | None:
    """Find a module whose second call gives something else, with the same tokens or with others."""
    asked = exercise, observed, runner, device
    return unsteady(*asked) or _keeping(*asked)
