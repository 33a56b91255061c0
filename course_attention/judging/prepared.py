"""Cases with everything about them that is known before an answer is seen, drawn once for each seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any
from zlib import crc32

import numpy as np

from course_attention.execution.nesting import labelled, together
from course_attention.execution.protocol import Array, Outcome
from course_attention.judging import gradients
from course_attention.judging.case import Case
from course_attention.judging.comparison import Difference, differences, same
from course_attention.judging.drawing import EPSILON, Draw
from course_attention.judging.exercise import FunctionExercise

# Variants are told apart by far more than rounding; they may be worse conditioned than the right computation.
VARIANT_SLACK = 16.0

Variant = tuple[
    tuple[np.ndarray, ...], tuple[float, ...]
]  # the results of a wrong computation, and their noise


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
        self._variants: dict[Callable[..., Any], Variant | None] = {}

    def differences(self, outcome: Outcome, dtype: str = "") -> list[Difference]:
        """How an outcome differs from what is right, to the precision asked for, or to that of a coarser dtype."""
        exercise = self.exercise
        # One number, and what is made from sizes alone, may be reckoned in float32 whatever the inputs are.
        coarse_enough = exercise.returns.from_sizes_only or exercise.returns.number
        asked = max("float32" if coarse_enough else self.case.dtype, self.case.dtype, key=EPSILON.__getitem__)
        dtype = max(asked, dtype or asked, key=EPSILON.__getitem__)
        form = exercise.returns.mapping, exercise.returns.groups
        found = differences(outcome, exercise.returns.names, self.expected, self._noise, dtype, *form)
        limit = self.case.limit
        if not found and limit is not None and outcome.largest > limit:
            note = f"the answer made a tensor of {outcome.largest} numbers; none needs more than {limit} here"
            found.append(Difference("memory", exercise.returns.names[0], note=note))
        return found

    def variant(self, compute: Callable[..., Any]) -> Variant | None:
        """What a wrong computation gives; None where it cannot be computed."""
        if compute not in self._variants:
            try:
                with np.errstate(all="ignore"):
                    results = self.exercise.results(compute, self.case.plain())
            except Exception:  # noqa: BLE001 - a wrong computation may fail in any way: that is its result
                self._variants[compute] = None
            else:
                pairs = zip(self._noise, results, self.expected, strict=False)
                noise = tuple(
                    VARIANT_SLACK * units * _magnified(wrong, right) ** 2 for units, wrong, right in pairs
                )
                self._variants[compute] = results, noise
        return self._variants[compute]

    def agrees(self, compute: Callable[..., Any], outcome: Outcome) -> bool:
        """Whether a wrong computation gives what the answer gave, with no error on either side."""
        variant = self.variant(compute)
        if variant is None or len(variant[0]) != len(self.exercise.returns.names):
            return False
        return same(
            outcome, self.exercise.returns.names, *variant, self.case.dtype, self.exercise.returns.groups
        )

    def exchanged(self, outcome: Outcome) -> bool:
        """Whether the results are right but for their order."""
        turned = replace(outcome, results=outcome.results[::-1])
        return outcome.form in ("tuple", "list") and not self.differences(turned)

    @property
    def cotangents(self) -> tuple[np.ndarray, ...]:
        """What the results are multiplied with before the gradient is taken."""
        return gradients.cotangents([e.shape for e in self.expected], self._seed)

    @cached_property
    def gradients(self) -> dict[str, np.ndarray]:
        """The right gradients, for every floating argument and weight."""
        arrays = {**labelled(self.case.arguments), **self.case.weights}
        names = [n for n, v in arrays.items() if isinstance(v, Array) and v.dtype in EPSILON]

        def oracle(**arguments: Any) -> tuple[np.ndarray, ...]:
            return self.exercise.results(self.exercise.oracle, together(arguments, like=self._plain))

        return gradients.numerical_gradients(oracle, labelled(self._plain), names, self.cotangents)


def _magnified(result: np.ndarray, right: np.ndarray) -> float:
    """How many times larger than the right numbers a wrong computation's are: a division by little, say."""
    finite = np.abs(result[np.isfinite(result)]).max(initial=0.0)
    return max(1.0, float(finite / max(np.abs(right).max(initial=0.0), 1e-9)))


@dataclass(frozen=True)
class _Key:
    """Exercises hold mappings, so they are told apart by identity."""

    exercise: FunctionExercise

    def __hash__(self) -> int:
        return id(self.exercise)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.exercise is self.exercise


# A grader uses one seed for all exercises; the tests go through a hundred for one exercise at a time.
@lru_cache(maxsize=128)
def _prepared(key: _Key, seed: int) -> tuple[PreparedCase, ...]:
    # Mixed with the name: two exercises at one seed would draw the same numbers otherwise.
    own = Draw(seed, crc32(key.exercise.name.encode()))
    return tuple(PreparedCase(key.exercise, case, seed) for case in key.exercise.cases(own))


def prepared_cases(exercise: FunctionExercise, seed: int) -> tuple[PreparedCase, ...]:
    """The cases of an exercise for a seed, with what is right for them."""
    return _prepared(_Key(exercise), seed)
