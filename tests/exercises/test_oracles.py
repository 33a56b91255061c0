"""The package's helpers against the oracles: two implementations that know nothing of each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import course_attention
from course_attention.execution.local import LocalRunner
from course_attention.execution.protocol import Array, TorchAttention
from course_attention.exercises import CATALOGUE
from course_attention.judging import properties
from course_attention.judging.drawing import EPSILON, rounded
from course_attention.judging.drawn_cases import drawn_cases
from course_attention.judging.prepared_case import PreparedCase

CALLED = [n for n, exercise in CATALOGUE.items() if exercise.kind in ("function", "module")]
TORCH = [n for n in CALLED if CATALOGUE[n].exercise.library == "torch"]
FEW = 100  # numbers, of which each is moved by itself
ON_DEVICE = [
    n for n in TORCH if not CATALOGUE[n].exercise.returns.from_sizes_only
]  # what is made of numbers alone comes back on the CPU


def _in_dtype(value: object, dtype: str) -> object:
    if isinstance(value, TorchAttention):
        return replace(value, weights={n: _in_dtype(w, dtype) for n, w in value.weights.items()})
    if isinstance(value, tuple):
        return tuple(_in_dtype(item, dtype) for item in value)
    if not isinstance(value, Array) or value.dtype not in EPSILON:
        return value
    return replace(value, values=rounded(value.values, dtype), dtype=dtype)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
@pytest.mark.parametrize("name", ON_DEVICE)
def test_every_dtype(name: str, dtype: str, device: str, seeds: int) -> None:
    """A helper agrees with its oracle in each dtype, to a tolerance that comes from the dtype."""
    runner = LocalRunner(getattr(course_attention, name))
    for seed in range(min(seeds, 5)):
        for prepared in drawn_cases(CATALOGUE[name].exercise, seed):
            if prepared.case.property == properties.LARGE_SCORES and dtype in ("float16", "bfloat16"):
                continue  # ±1e4 is promised for float32 and float64
            arguments = {n: _in_dtype(v, dtype) for n, v in prepared.case.arguments.items()}
            weights = {n: _in_dtype(v, dtype) for n, v in prepared.case.weights.items()}
            case = replace(prepared.case, arguments=arguments, weights=weights)
            outcome = runner.observe(case.call(device))
            assert PreparedCase(CATALOGUE[name].exercise, case, seed).differences(outcome) == []
            wanted = CATALOGUE[name].exercise.returns.dtype or dtype
            if any(getattr(v, "dtype", "") == "int32" for v in arguments.values()):
                wanted = "int32"  # tokens keep their dtype
            assert {result.dtype for result in outcome.results} == {wanted}
            assert {result.device for result in outcome.results} == {device}


@pytest.mark.parametrize("name", CALLED)
def test_helper_passes(name: str, device: str, seeds: int) -> None:
    """The package is the answer key: each helper passes its own exercise."""
    for seed in range(seeds):
        verdict = CATALOGUE[name].judge(getattr(course_attention, name), seed=seed, device=device)
        assert verdict.status == "passed", verdict.message


@pytest.mark.parametrize("name", TORCH)
def test_gradients_at_nothing_allowed(name: str, device: str) -> None:
    """Gradients agree with central differences, and are finite where nothing is allowed."""
    runner = LocalRunner(getattr(course_attention, name))
    for prepared in drawn_cases(CATALOGUE[name].exercise, 0):
        if prepared.case.gradient:
            outcome = runner.observe(prepared.case.call(device, prepared.cotangents))
            assert prepared.suspects(outcome.gradients) == []
            for argument in prepared.leaves if prepared.case.size < FEW else ():
                right = prepared.gradient(argument)
                np.testing.assert_allclose(outcome.gradients[argument], right, atol=1e-6 * (1 + np.abs(right).max()))
