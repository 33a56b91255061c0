"""Whether an answer is right for single items of a batch, or for one number of leading axes alone."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from course_attention.execution.protocol import Array, Device, Runner
from course_attention.judging import faults, properties
from course_attention.judging.case import Case
from course_attention.judging.diagnosis import Diagnosis
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.observed import Observed
from course_attention.judging.prepared_case import PreparedCase

_FAR_OFF = 1e-2  # of the largest number: more than rounding in any dtype
_ABOUT_AXES = (properties.VALUES, properties.LEADING_DIMENSIONS)


def right_one_by_one(
    exercise: FunctionExercise, observed: Sequence[Observed], runner: Runner, device: Device
) -> Diagnosis | None:
    """Hand over the items of a batch one by one, where every case has one batch axis and some come out wrong.

    Returns:
        The wrong cases, where each of their items comes out right by itself; else None.
    """
    if not _axes(exercise).startswith("batch"):
        return None
    wrong = [o for o in observed if o.differences and o.about == properties.VALUES]
    if not wrong or any(not o.returned or len(o.prepared.expected[0]) < 2 for o in wrong):
        return None
    for o in wrong[:2]:  # two cases are enough: each is as many calls as it has items
        for case in _items(o.prepared.case):
            prepared = PreparedCase(exercise, case, seed=0)
            if prepared.differences(runner.observe(case.call(device))):
                return None
    first = all(map(_first_is_right, wrong))
    return Diagnosis(wrong, broken=faults.FIRST_ITEM if first else faults.ONE_ITEM)


def _items(case: Case) -> list[Case]:
    """Return a case for each item of a batch: a batch of one."""
    batch = next(len(value.values) for value in case.arguments.values() if isinstance(value, Array))
    return [
        replace(
            case,
            arguments={
                name: replace(value, values=value.values[i : i + 1]) if isinstance(value, Array) else value
                for name, value in case.arguments.items()
            },
        )
        for i in range(batch)
    ]


def one_number_of_axes(exercise: FunctionExercise, observed: Sequence[Observed]) -> bool:
    """Whether an answer is right in every case with as many leading axes as it counts on, and in no plain other one."""
    axes = _axes(exercise)
    if not axes.startswith("..."):
        return False
    right: dict[int, list[bool]] = {}
    for o in observed:
        if o.about in _ABOUT_AXES or o.differences:
            leading = o.prepared.expected[0].ndim - axes.count(",")
            right.setdefault(leading, []).append(not o.differences)
    known = [leading for leading, held in right.items() if all(held)]
    others = [held for leading, held in right.items() if leading not in known]
    return len(known) == 1 and known[0] > 0 and len(right[known[0]]) > 1 and not any(map(any, others))


def _axes(exercise: FunctionExercise) -> str:
    return exercise.returns.axes_of(exercise.returns.names[0])


def _first_is_right(o: Observed) -> bool:
    """Whether nothing differs in the first item; of what has a wrong shape, nobody knows."""
    return all(
        d.kind == "values"
        and d.expected is not None
        and d.received is not None
        and bool((np.abs(d.received[0] - d.expected[0]) <= _FAR_OFF * np.abs(d.expected).max()).all())
        for d in o.differences
    )
