"""Chooses the failing case that a student is shown, and the place in it to look at."""

from collections.abc import Sequence

import numpy as np

from course_attention.judging import properties
from course_attention.judging.comparison import Difference
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.observed import Observed
from course_attention.judging.verdict import Example

# The part that shows a mistake where it is made, rather than what it does to the rest.
_CAUSES = ("weights", "distribution", "scores")
_WEIGHTS = _CAUSES[:2]

# Properties whose cases say most when nothing else does.
_LAST = (properties.DTYPES, properties.STRIDES, properties.NOTHING_ALLOWED)

# A difference shows when it is at least this share of the largest number: 1.41950 beside 1.41951 helps nobody.
_VISIBLE = 0.05
# Where all right numbers are smaller than this, as 0 is, the difference is compared with it.
_SMALLEST = 1e-3
# The first place is shown at which the difference is at least this share of the largest one.
_TELLING = 0.1


def chosen_example(
    exercise: FunctionExercise,
    shown: Sequence[Observed],
    speaks_of_mask: bool = False,
    speaks_of_missing: bool = False,
) -> Example:
    """Return the case with the fewest numbers of those in which the difference shows.

    Numbers come before errors, and what is plain before half precision, inputs that are not contiguous, and queries
    that may attend to nothing. One number alone shows no pattern, so several come before it.

    Args:
        exercise: what was asked.
        shown: the cases that have the fault which the verdict speaks of.
        speaks_of_mask: prefer a place that the mask blocks.
        speaks_of_missing: prefer a place without a weight.
    """
    chosen = min(
        shown,
        key=lambda o: (
            o.differences[0].kind == "raised",
            o.about in _LAST,
            max(0.0, _VISIBLE - max(map(_visibility, o.differences))),
            all(d.expected is not None and d.expected.size == 1 for d in o.differences),
            *o.readability,
        ),
    )
    case, found = chosen.prepared.case, chosen.differences
    causes = [d for cause in _CAUSES for d in found if d.part == cause]
    plain_to_see = (d for d in (*causes, *found) if _visibility(d) >= _VISIBLE)
    difference = next(plain_to_see, max(found, key=_visibility))
    note = difference.note
    if chosen.outcome.error is not None and difference.kind == "raised" and chosen.outcome.error.line:
        note = f"{note} at `{chosen.outcome.error.line}`"
    axes, expected, received = (
        exercise.returns.axes_of(difference.part),
        difference.expected,
        difference.received,
    )
    if difference.kind == "shape" and axes and expected is not None and received is not None:
        asked = f"({axes}), which is {expected.shape} here"
        note = f"{difference.part} should have shape {asked}; got {received.shape}"
    dtype_is_told = case.dtype == "float64" or case.dtype in case.title
    return Example(
        title=case.title if dtype_is_told else f"{case.title}, {case.dtype}",
        inputs=case.shown,
        part=difference.part,
        expected=_shown_as(exercise.returns.dtype, expected),
        received=_shown_as(exercise.returns.dtype, received),
        where=_place(
            difference,
            blocked=speaks_of_mask and difference.part in _WEIGHTS,
            missing=speaks_of_missing and difference.part in _WEIGHTS,
        ),
        note=note,
    )


def is_visible(o: Observed) -> bool:
    """Whether a difference can be seen in the few digits that are shown; what raised, or has another form, can."""
    return any(_visibility(difference) >= _VISIBLE for difference in o.differences)


def _distance(difference: Difference) -> np.ndarray | None:
    """How far each number is from the right one, infinite where one of them is none; None without two arrays."""
    expected, received = difference.expected, difference.received
    if expected is None or received is None or difference.where is None:
        return None
    with np.errstate(invalid="ignore"):
        distance = np.abs(received - np.asarray(expected, dtype=np.float64))
    same = (received == expected) | (np.isnan(received) & np.isnan(expected))
    return np.where(same, 0.0, np.where(np.isnan(distance), np.inf, distance))


def _visibility(difference: Difference) -> float:
    """Return the largest difference as a share of the largest right number; infinite where something else is wrong."""
    distance = _distance(difference)
    if distance is None:
        return np.inf
    right = np.abs(np.asarray(difference.expected))
    return float(distance.max() / max(right[np.isfinite(right)].max(initial=0.0), _SMALLEST))


def _place(difference: Difference, blocked: bool, missing: bool) -> tuple[int, ...] | None:
    """Return the first place at which the difference is easily seen: one that is blocked, or 0, where that is told."""
    distance = _distance(difference)
    if distance is None:
        return difference.where
    if blocked and (at_blocked := np.where(difference.expected == 0, distance, 0.0)).any():
        distance = at_blocked
    if missing and (at_zero := np.where(difference.received == 0, distance, 0.0)).any():
        distance = at_zero
    largest = distance.max()
    telling = np.isinf(distance) if np.isinf(largest) else distance >= _TELLING * largest
    return tuple(int(i) for i in np.argwhere(telling)[0])


def _shown_as(dtype: str, values: np.ndarray | None) -> np.ndarray | None:
    """Results are compared in float64; where booleans or whole numbers are asked for, they are shown as such."""
    if values is None or dtype not in ("bool", "int64"):
        return values
    shown = values.astype(dtype)
    return shown if (shown == values).all() else values
