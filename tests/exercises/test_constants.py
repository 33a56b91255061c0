"""A constant is no answer, whatever its dtype; and a number that is a little off is not right."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import torch

from course_attention.execution.protocol import Array, Call, Outcome, Result
from course_attention.exercises import CATALOGUE
from course_attention.judging.drawing import EPSILON, rounded
from course_attention.judging.drawn_cases import drawn_cases
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.prepared_case import PreparedCase

CALLED = [name for name, entry in CATALOGUE.items() if entry.kind in ("function", "module")]
NUMBERS = [name for name in CALLED if CATALOGUE[name].exercise.returns.number]
NUMERIC = {"shape", "inputs unchanged", "dtype", "gradients", "device", "evaluation mode"}


class Constant:
    """Answers every call with results of the right shape that hold one number: 0, 1, or the mean of what is right.

    The last of several results, often the weights, may hold 1/n instead.
    """

    def __init__(
        self,
        exercise: FunctionExercise,
        seed: int,
        dtype: str,
        constant: float | None,
        uniform: bool = False,
    ) -> None:
        self._exercise, self._dtype, self._constant, self._uniform = exercise, dtype, constant, uniform
        prepared = drawn_cases(exercise, seed)
        self._expected = {id(p.case.arguments): p.expected for p in prepared}
        self._mean = float(np.mean([p.expected[0].mean() for p in prepared])) if exercise.returns.number else None

    def observe(self, call: Call) -> Outcome:
        results = []
        for right in self._expected[id(call.arguments)]:
            mean = self._mean if self._mean is not None else right.mean() if right.size else 0.0
            number = mean if self._constant is None else self._constant
            if self._uniform and len(results) == len(self._exercise.returns.names) - 1:
                number = 1.0 / (right.shape or (1,))[-1]
            values = rounded(np.full(right.shape, number), self._dtype)
            results.append(Result("tensor", self._dtype, "cpu", right.shape, values))
        returns = self._exercise.returns
        form = "mapping" if returns.mapping else "single" if len(results) == 1 else "tuple"
        return Outcome(tuple(results), form, names=returns.names if returns.mapping else (), groups=returns.groups)


def _is_constant(prepared: PreparedCase) -> bool:
    """Whether one number is the right result of a case: it then says nothing about an answer."""
    return all(right.size == 0 or np.ptp(right) == 0 for right in prepared.expected)


# 0, 1, the mean of what is right, and 0.1; and 0 beside weights of 1/n.
CONSTANTS: list[tuple[float | None, bool]] = [(0.0, False), (1.0, False), (None, False), (0.1, False), (0.0, True)]


@pytest.mark.parametrize("name", CALLED)
def test_constant_earns_nothing(name: str, seeds: int, request: pytest.FixtureRequest) -> None:
    """A constant holds no property of the numbers, in any dtype; unless it is their mean, it has no name and no points.

    A mask that is True all over is what some ideas come to, and is named by them. Every day each constant is tried in
    one dtype, which differs from exercise to exercise.
    """
    exercise = CATALOGUE[name].exercise
    tried = [*product(EPSILON, CONSTANTS)]
    if not request.config.getoption("--exhaustive"):
        dtypes = [*EPSILON]
        tried = [(dtypes[(CALLED.index(name) + n) % len(dtypes)], constant) for n, constant in enumerate(CONSTANTS)]
    for seed in range(seeds):
        telling = {
            p.case.property for p in drawn_cases(exercise, seed) if not _is_constant(p) or exercise.returns.number
        }
        for dtype, (constant, uniform) in tried:
            verdict = CATALOGUE[name].judge(Constant(exercise, seed, dtype, constant, uniform), seed=seed)
            told = (seed, dtype, constant, uniform, verdict.misconception)
            assert verdict.status in ("failed", "errored"), told
            if not uniform:
                held = {key for key, held in verdict.properties if held and key not in NUMERIC}
                assert not held & telling, (told, held)
            if constant is not None:
                assert verdict.score == 0.0, (told, verdict.credit)
                true = exercise.returns.dtype == "bool" and constant == 1.0
                assert verdict.misconception is None or true, told


@pytest.mark.parametrize("name", NUMBERS)
def test_half_a_percent_off(name: str, seeds: int) -> None:
    """A number that is wrong by 0.5 % fails at every seed, also as a tensor in half precision."""
    exercise = CATALOGUE[name].exercise

    for seed in range(seeds):
        for wrapped in (float, np.float64, lambda number: torch.tensor(number, dtype=torch.bfloat16)):

            def off(*arguments: object, wrapped=wrapped, **named: object) -> object:
                plain = {key: v.values if isinstance(v, Array) else v for key, v in named.items()}
                return wrapped(1.005 * float(np.asarray(exercise.oracle(*arguments, **plain))))

            verdict = CATALOGUE[name].judge(off, seed=seed)
            assert verdict.status == "failed", (seed, wrapped)
