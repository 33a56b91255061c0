"""How the wrong numbers of an answer relate to the right ones, and which of its results are right."""

from collections.abc import Sequence

import numpy as np

from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.observed import Observed, is_constant
from course_attention.judging.relations import NOTHING_BUT_ZEROS, relation
from course_attention.judging.seen_numbers import SeenNumbers
from course_attention.judging.verdict import Example


def related(exercise: FunctionExercise, cases: Sequence[Observed], example: Example) -> str:
    """Return how the wrong numbers of a part relate to the right ones, where that is the same in all these cases."""
    seen = []
    for o in cases:
        for d in o.differences:
            if d.part == example.part:
                if d.kind != "values" or d.expected is None or d.received is None:
                    return ""
                seen.append(SeenNumbers(d.expected, d.received, o.prepared.case.shown))
    # The sentence gives the numbers of the case that is shown.
    seen.sort(key=lambda one: not np.array_equal(one.expected, np.asarray(example.expected)))
    if is_constant(cases):
        return NOTHING_BUT_ZEROS if seen and not any(one.received.any() for one in seen) else ""
    return relation(exercise.returns.axes_of(example.part), seen, exercise.returns.dtype == "bool")


def right_parts(exercise: FunctionExercise, failing: Sequence[Observed]) -> str:
    """Say which results come right in every case, where others do not."""
    wrong = {d.part for o in failing for d in o.differences}
    right = [f"`{name}`" for name in exercise.returns.names if name not in wrong]
    if not right or not all(o.returned for o in failing) or not wrong <= set(exercise.returns.names):
        return ""
    return f"{' and '.join(right)} {'comes' if len(right) == 1 else 'come'} right in every case."
