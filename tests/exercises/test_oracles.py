"""The package's helpers against the oracles: two implementations that know nothing of each other."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import course_attention
from course_attention.exercises import CATALOGUE
from course_attention.judging.drawing import EPSILON, rounded
from course_attention.judging.prepared import prepared_cases
from course_attention.running.local import LocalRunner
from course_attention.running.protocol import Array

TORCH = [
    n for n, exercise in CATALOGUE.items() if exercise.kind == "function" and exercise.library == "torch"
]
CALLED = [n for n, exercise in CATALOGUE.items() if exercise.kind == "function"]


def _in_dtype(value: object, dtype: str) -> object:
    if not isinstance(value, Array) or value.dtype not in EPSILON:
        return value
    return Array(rounded(value.values, dtype), dtype, value.strided)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
@pytest.mark.parametrize("name", TORCH)
def test_every_dtype(name: str, dtype: str, device: str) -> None:
    """A helper agrees with its oracle in each dtype, to a tolerance that comes from the dtype."""
    from dataclasses import replace

    from course_attention.judging.prepared import PreparedCase

    runner = LocalRunner(getattr(course_attention, name))
    for seed in range(5):
        for prepared in prepared_cases(CATALOGUE[name], seed):
            if prepared.case.property == "large scores" and dtype in ("float16", "bfloat16"):
                continue  # ±1e4 is promised for float32 and float64
            arguments = {n: _in_dtype(v, dtype) for n, v in prepared.case.arguments.items()}
            case = replace(prepared.case, arguments=arguments)
            outcome = runner.observe(case.call(device))
            assert PreparedCase(CATALOGUE[name], case, seed).differences(outcome) == []
            assert {result.dtype for result in outcome.results} == {dtype}
            assert {result.device for result in outcome.results} == {device}


@pytest.mark.parametrize("name", CALLED)
def test_helper_passes(name: str, device: str) -> None:
    """The package is the answer key: each helper passes its own exercise."""
    for seed in range(20):
        verdict = CATALOGUE[name].judge(getattr(course_attention, name), seed=seed, device=device)
        assert verdict.status == "passed", verdict.message


@pytest.mark.parametrize("name", TORCH)
def test_gradients_at_nothing_allowed(name: str, device: str) -> None:
    """Gradients agree with central differences, and are finite where nothing is allowed."""
    runner = LocalRunner(getattr(course_attention, name))
    for prepared in prepared_cases(CATALOGUE[name], 0):
        if prepared.case.gradient:
            outcome = runner.observe(prepared.case.call(device, prepared.directions))
            for argument, right in prepared.gradients.items():
                np.testing.assert_allclose(
                    outcome.gradients[argument], right, atol=1e-6 * (1 + np.abs(right).max())
                )


sizes = st.integers(min_value=1, max_value=5)


@given(
    batch=st.lists(sizes, max_size=3),
    n_queries=sizes,
    n_keys=sizes,
    d_key=sizes,
    d_value=sizes,
    data=st.data(),
)
def test_attention_shapes(
    batch: list[int], n_queries: int, n_keys: int, d_key: int, d_value: int, data: st.DataObject
) -> None:
    """attention agrees with its oracle for any shape and any mask, sizes of 1 and no batch included."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**16)))
    query, key = rng.normal(size=(*batch, n_queries, d_key)), rng.normal(size=(*batch, n_keys, d_key))
    value, allowed = rng.normal(size=(*batch, n_keys, d_value)), rng.random((*batch, n_queries, n_keys)) < 0.6
    expected = CATALOGUE["attention"].oracle(query, key, value, allowed)
    received = course_attention.attention(*map(torch.from_numpy, (query, key, value, allowed)))
    for right, came in zip(expected, received, strict=True):
        np.testing.assert_allclose(came.numpy(), right, atol=1e-12)


@given(batch=st.lists(sizes, max_size=3), n_source=sizes, d_hidden=sizes, seed=st.integers(0, 2**16))
def test_seq2seq_shapes(batch: list[int], n_source: int, d_hidden: int, seed: int) -> None:
    """attend_and_concat, and the three it is made of, agree with the oracle for any shape."""
    rng = np.random.default_rng(seed)
    state, memory = rng.normal(size=(*batch, d_hidden)), rng.normal(size=(*batch, n_source, d_hidden))
    allowed = rng.random((*batch, n_source)) < 0.6
    expected = CATALOGUE["attend_and_concat"].oracle(state, memory, allowed)
    received = course_attention.attend_and_concat(*map(torch.from_numpy, (state, memory, allowed)))
    for right, came in zip(expected, received, strict=True):
        np.testing.assert_allclose(came.numpy(), right, atol=1e-12)


@given(shape=st.lists(sizes, min_size=1, max_size=4), data=st.data())
def test_softmax_shapes(shape: list[int], data: st.DataObject) -> None:
    """softmax agrees with its oracle along any axis of any shape."""
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    scores = np.random.default_rng(data.draw(st.integers(0, 2**16))).normal(size=shape) * 100
    expected = CATALOGUE["softmax"].oracle(scores, axis)
    np.testing.assert_allclose(course_attention.softmax(scores, axis), expected, atol=1e-12)
