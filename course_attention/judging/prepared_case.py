"""A case with everything about it that is known before an answer is seen."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from course_attention.execution.nesting import labelled, together
from course_attention.execution.protocol import Array, Outcome
from course_attention.judging import gradients
from course_attention.judging.case import Case
from course_attention.judging.comparison import Difference, differences, same
from course_attention.judging.drawing import EPSILON
from course_attention.judging.exercise import Coarse, FunctionExercise, Variant

_MOST_EXCHANGED = 4  # results; of more, not every order is tried
# Variants are told apart by far more than rounding; they may be worse conditioned than the right computation.
VARIANT_SLACK = 16.0
# Numbers that grew more than this did not grow by a division alone.
_MOST_DIVIDED = 1e6
# Times _MOST_DIVIDED, and times a case's noise, this is still a number that float64 can hold.
_LARGEST = 1e250


class WrongResults(NamedTuple):
    """What a wrong computation gives.

    Attributes:
        results: one array for each part.
        noise: their errors, as those of the right results.
    """

    results: tuple[np.ndarray, ...]
    noise: tuple[float | np.ndarray, ...]


class PreparedCase:
    """A case and what is right for it.

    Attributes:
        case: the case.
        expected: the right results, one array for each part.
    """

    def __init__(self, exercise: FunctionExercise, case: Case, seed: int) -> None:
        self.exercise, self.case, self._seed = exercise, case, seed
        self._plain = case.plain()
        with np.errstate(all="ignore"):
            self.expected = exercise.results(exercise.oracle, self._plain)
            self._noise = exercise.noise(**self._plain) if exercise.noise else (1.0,) * len(self.expected)
        # One number, and what is made from sizes alone, may be reckoned in float32 whatever the inputs are.
        returns = exercise.returns
        enough = returns.from_sizes_only or returns.number or returns.float32_is_enough
        self._asked_dtype = max("float32" if enough else case.dtype, case.dtype, key=EPSILON.__getitem__)
        self._wrong: dict[Variant, WrongResults | None] = {}
        self._slopes: dict[tuple[str, ...], float] = {}

    def differences(self, outcome: Outcome, dtype: str = "") -> list[Difference]:
        """How an outcome differs from what is right, to the precision asked for, or to that of a coarser dtype."""
        exercise = self.exercise
        dtype = max(self._asked_dtype, dtype or self._asked_dtype, key=EPSILON.__getitem__)
        form = exercise.returns.mapping, exercise.returns.groups
        found = differences(outcome, exercise.returns.names, self.expected, self._noise, dtype, *form)
        limit = self.case.limit
        if not found and limit is not None and outcome.largest > limit:
            line = f" at `{outcome.largest_line}`" if outcome.largest_line else ""
            note = f"the answer made a tensor of {outcome.largest} numbers{line}; none needs more than {limit} here"
            found.append(Difference("memory", exercise.returns.names[0], note=note))
        return found

    def wrong_results(self, compute: Variant) -> WrongResults | None:
        """Return what a wrong computation gives; None where it cannot be computed."""
        if compute not in self._wrong:
            try:
                with np.errstate(all="ignore"):
                    results = self.exercise.results(compute, self.case.plain())
                    own = compute.noise(**self._plain) if isinstance(compute, Coarse) else self._noise
            except Exception:  # noqa: BLE001 - a wrong computation may fail in any way: that is its result
                self._wrong[compute] = None
            else:
                pairs = zip(own, results, self.expected, strict=False)
                noise = tuple(VARIANT_SLACK * _of_wrong(units, wrong, right) for units, wrong, right in pairs)
                self._wrong[compute] = WrongResults(results, noise)
        return self._wrong[compute]

    def agrees(self, compute: Variant, outcome: Outcome) -> bool:
        """Whether a wrong computation gives what the answer gave, with no error on either side."""
        wrong = self.wrong_results(compute)
        if wrong is None or len(wrong.results) != len(self.exercise.returns.names):
            return False
        return same(outcome, self.exercise.returns.names, *wrong, self._asked_dtype, self.exercise.returns.groups)

    def exchanged(self, outcome: Outcome) -> bool:
        """Whether the results are right but for their order."""
        if outcome.form not in ("tuple", "list") or len(outcome.results) > _MOST_EXCHANGED:
            return False
        orders = permutations(outcome.results)
        return any(not self.differences(replace(outcome, results=order)) for order in orders)

    @cached_property
    def cotangents(self) -> tuple[np.ndarray, ...]:
        """What the results are multiplied with before the gradient is taken."""
        return gradients.cotangents([e.shape for e in self.expected], self._seed)

    @cached_property
    def leaves(self) -> list[str]:
        """The names of the floating arguments and weights that want a gradient."""
        arrays = {**labelled(self.case.arguments), **self.case.weights}
        return [n for n, v in arrays.items() if isinstance(v, Array) and v.dtype in EPSILON and v.wants_gradient]

    def gradient(self, name: str) -> np.ndarray:
        """Return the right gradient for an argument or a weight: two calls of the oracle for each number in it."""
        asked = labelled(self._plain), [name], self.cotangents
        return gradients.numerical_gradients(self._oracle, *asked)[name]

    def suspects(self, came: Mapping[str, np.ndarray | None]) -> list[str]:
        """Return the arguments and weights whose gradients cannot be right, where the sum of these is wrong."""
        along = self._directions
        everything = self._wrong_along(along, came)
        return [n for n, way in along.items() if self._wrong_along({n: way}, came)] if everything else []

    @cached_property
    def _directions(self) -> dict[str, np.ndarray]:
        return gradients.directions(labelled(self._plain), self.leaves, self._seed)

    def _wrong_along(self, along: Mapping[str, np.ndarray], came: Mapping[str, np.ndarray | None]) -> bool:
        key = tuple(along)
        if key not in self._slopes:
            asked = labelled(self._plain), along, self.cotangents
            self._slopes[key] = gradients.slope(self._oracle, *asked)
        found = {n: g for n in along if (g := came.get(n)) is not None}
        if any(g.shape != along[n].shape for n, g in found.items()):
            return True
        terms = np.concatenate([[0.0], *((g * along[n]).ravel() for n, g in found.items())])
        return not abs(terms.sum() - self._slopes[key]) <= gradients.TOLERANCE * (1.0 + np.abs(terms).sum())

    def _oracle(self, **arguments: Any) -> tuple[np.ndarray, ...]:
        return self.exercise.results(self.exercise.oracle, together(arguments, like=self._plain))


def _of_wrong(units: float | np.ndarray, wrong: np.ndarray, right: np.ndarray) -> float | np.ndarray:
    """Return the rounding errors of a wrong computation, from those of the right one."""
    if isinstance(units, np.ndarray) and units.shape == wrong.shape:  # each number has its own, and grows by itself
        grown: np.ndarray = units * np.maximum(1.0, np.abs(wrong) / np.abs(right))
        return grown
    return float(np.max(units, initial=0.0)) * _magnified(wrong, right)


def _magnified(result: np.ndarray, right: np.ndarray) -> float:
    """How many times larger the rounding errors of a wrong computation are than those of the right one.

    They grow as the numbers do. Where the numbers are large because they were divided by a small number, the rounding
    of that small number counts as well, and the errors grow with the square. The second factor has a limit, because
    numbers may also grow in another way, such as by an exp. An error larger than the numbers would fit any answer.
    """
    finite = np.abs(result[np.isfinite(result)]).max(initial=0.0)
    times = min(max(1.0, float(finite / max(np.abs(right).max(initial=0.0), 1e-9))), _LARGEST)
    return times * min(times, _MOST_DIVIDED)
