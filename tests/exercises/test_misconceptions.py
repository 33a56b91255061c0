"""Every misconception of every exercise is a mistake, and no two of them are the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from course_attention.execution.nesting import labelled
from course_attention.execution.protocol import Array, Call, Outcome, Raised, Result, Step
from course_attention.exercises import CATALOGUE, Entry
from course_attention.judging.exercise import CONTRACT_CHECKS, FunctionExercise
from course_attention.judging.properties import CONTRACT_WORDS

SEEDS = 5  # at most; answers written by others are tried at more
CALLED = [exercise for exercise in CATALOGUE.values() if exercise.kind != "value"]
WRONG = [
    pytest.param(exercise, name, variant, id=f"{exercise.name}-{name}-{i}")
    for exercise in CALLED
    for name, variants in exercise.exercise.variants.items()
    for i, variant in enumerate(variants)
]


class Computation:
    """Runs a computation in NumPy in the place of an answer; it rounds nothing and changes nothing."""

    def __init__(self, exercise: FunctionExercise, compute: Callable) -> None:
        self._exercise, self._compute = exercise, compute

    def observe(self, call: Call) -> Outcome:
        given = {**call.arguments, **(call.settings or {}), **call.weights}
        arguments = {name: _plain(value) for name, value in given.items()}
        dtype = next((v.dtype for v in labelled(given).values() if isinstance(v, Array)), "float32")
        try:
            with np.errstate(all="ignore"):
                results = self._exercise.results(self._compute, arguments)
        except Exception as error:  # noqa: BLE001 - a wrong computation may fail in any way
            return Outcome(error=Raised(type(error).__name__, str(error)))
        tensors = tuple(Result("tensor", dtype, "cpu", r.shape, r) for r in results)
        returns = self._exercise.returns
        form = "mapping" if returns.mapping else "single" if len(tensors) == 1 else "tuple"
        return Outcome(tensors, form, names=returns.names if returns.mapping else (), groups=returns.groups)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if isinstance(value, Step):
        return value.logits
    return value.values.copy() if isinstance(value, Array) else value


@pytest.mark.parametrize(("exercise", "name", "variant"), WRONG)
def test_named_as_itself(exercise: Entry, name: str, variant: Callable, seeds: int) -> None:
    """A wrong computation fails at every seed, under its own name and no other."""
    for seed in range(min(seeds, SEEDS)):
        verdict = exercise.judge(Computation(exercise.exercise, variant), seed=seed)
        assert (verdict.status, verdict.misconception, seed) == ("failed", name, seed)


@pytest.mark.parametrize("exercise", CATALOGUE.values(), ids=CATALOGUE)
def test_has_words(exercise: Entry) -> None:
    """Every id has a title and an explanation."""
    for name in exercise.misconceptions:
        title, explanation = exercise.exercise.words.get(name) or CONTRACT_WORDS[name]
        assert title and not title.endswith(".") and explanation.endswith((".", "?"))


@pytest.mark.parametrize("exercise", CALLED, ids=lambda exercise: exercise.name)
def test_always_looked_at(exercise: Entry) -> None:
    """What every answer is looked at for is among its misconceptions, once."""
    assert {CONTRACT_CHECKS[c] for c in exercise.exercise.contract_checks if c in CONTRACT_CHECKS} <= set(
        exercise.misconceptions
    )
    assert len(set(exercise.misconceptions)) == len(exercise.misconceptions)
