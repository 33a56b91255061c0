"""Costs: each formula against its oracle and against torch's own counter, and what the formulas have in common."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

import course_attention
from course_attention import (
    attention,
    attention_multiply_adds,
    convolution_multiply_adds,
    crossover_length,
    dense_multiply_adds,
    dense_parameters,
    fit_exponent,
    recurrent_multiply_adds,
    score_bytes,
    self_attention_multiply_adds,
)
from course_attention.exercises import CATALOGUE
from course_attention.experiments.common.cost_counters import multiply_adds
from course_attention.mechanisms import complexity

COUNTS = [
    "attention_multiply_adds",
    "self_attention_multiply_adds",
    "recurrent_multiply_adds",
    "convolution_multiply_adds",
    "dense_multiply_adds",
    "score_bytes",
]
sizes = st.integers(1, 40)


@pytest.mark.parametrize("name", COUNTS)
@given(data=st.data())
def test_oracle(name: str, data: st.DataObject) -> None:
    """Each count is its oracle's, and a whole number, whatever the sizes."""
    count = getattr(course_attention, name)
    given_sizes = {argument: data.draw(sizes) for argument in inspect.signature(count).parameters}
    assert count(**given_sizes) == CATALOGUE[name].exercise.oracle(**given_sizes)
    assert isinstance(count(**given_sizes), int)


@given(n=sizes, d_in=sizes, d_out=sizes, d_key=sizes, half=st.integers(0, 3))
def test_torch_counts_the_same(n: int, d_in: int, d_out: int, d_key: int, half: int) -> None:
    """torch's counter comes to the same number for each layer, to the last multiply–add."""

    def empty(*shape: int) -> torch.Tensor:
        return torch.empty(*shape, device="meta")

    x, query, value = empty(n, d_in), empty(n, d_key), empty(n, d_out)
    projections = empty(d_in, d_key), empty(d_in, d_key), empty(d_in, d_out)
    recurrent = nn.RNN(d_in, d_out, bias=False, device="meta")
    kernel, weight = empty(d_out, d_in, 2 * half + 1), empty(n * d_in, n * d_out)
    counted = [
        multiply_adds(compute)
        for compute in (
            lambda: attention(query, query, value),
            lambda: attention(*(x @ projection for projection in projections)),
            lambda: recurrent(x),
            lambda: F.conv1d(x.mT, kernel, padding=half),
            lambda: x.reshape(1, -1) @ weight,
        )
    ]
    assert counted == [
        attention_multiply_adds(n, n, d_key, d_out),
        self_attention_multiply_adds(n, d_in, d_key, d_out),
        recurrent_multiply_adds(n, d_in, d_out),
        convolution_multiply_adds(n, 2 * half + 1, d_in, d_out),
        dense_multiply_adds(n, d_in, d_out),
    ]


@given(d_model=sizes, d_key=sizes, d_value=sizes)
def test_crossover(d_model: int, d_key: int, d_value: int) -> None:
    """At the crossover both parts are equal: a factor k further on, the pairs cost k times what the projections do."""
    length = crossover_length(d_model, d_key, d_value)
    assert length == pytest.approx(CATALOGUE["crossover_length"].exercise.oracle(d_model, d_key, d_value))
    for n in (1, 7, 1000):
        pairs = attention_multiply_adds(n, n, d_key, d_value)
        projections = self_attention_multiply_adds(n, d_model, d_key, d_value) - pairs
        assert pairs / projections == pytest.approx(n / length)


@given(batch=sizes, n_heads=sizes, n_queries=sizes, n_keys=sizes)
def test_score_bytes(batch: int, n_heads: int, n_queries: int, n_keys: int) -> None:
    """It is what a tensor of that shape takes."""
    for dtype in (torch.float32, torch.bfloat16):
        scores = torch.empty(batch, n_heads, n_queries, n_keys, dtype=dtype, device="meta")
        assert score_bytes(batch, n_heads, n_queries, n_keys, dtype.itemsize) == scores.untyped_storage().nbytes()


@given(exponent=st.floats(-2, 4), factor=st.floats(1e-9, 1e9), noise=st.floats(0, 1), seed=st.integers(0, 999))
def test_exponent(exponent: float, factor: float, noise: float, seed: int) -> None:
    """A power comes back whatever its factor; with noise it is the slope that NumPy fits, in any order."""
    rng = np.random.default_rng(seed)
    lengths = rng.permutation([3.0, 5.0, 11.0, 64.0, 700.0])
    exact = factor * lengths**exponent
    assert fit_exponent(lengths, exact) == pytest.approx(exponent, abs=1e-9)
    noisy = exact * np.exp(noise * rng.normal(size=5))
    slope = np.polyfit(np.log(lengths), np.log(noisy), 1)[0]
    assert fit_exponent(lengths, noisy) == pytest.approx(slope, abs=1e-9)


def test_exponent_of_whole_numbers():
    """Counts larger than 64 bits hold can be fitted as well."""
    lengths = [2**power for power in range(10, 40, 5)]
    counts = [dense_multiply_adds(n, 64, 64) for n in lengths]
    assert max(counts) > 2**64
    assert fit_exponent(lengths, counts) == pytest.approx(2)


def test_dense_parameters():
    """The number is that of the module, and of multiply–adds: each weight is used once."""
    layer = nn.Linear(100 * 64, 100 * 64, bias=False, device="meta")
    assert layer.weight.numel() == dense_parameters == dense_multiply_adds(100, 64, 64)


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: attention_multiply_adds(2, 3, -1, 4), "d_key must be a whole number, 0 or more; got -1"),
        (
            lambda: self_attention_multiply_adds(2.5, 3, 1, 4),
            "n_tokens must be a whole number, 0 or more; got 2.5",
        ),
        (lambda: score_bytes(1, 1, 2, 2, 0.5), "bytes_per_number must be a whole number, 0 or more; got 0.5"),
        (lambda: crossover_length(4, 0, 0), "d_value must be positive where d_key is 0; got 0"),
        (
            lambda: fit_exponent([4, 4], [1, 2]),
            "sizes must be positive, and at least two different ones; got",
        ),
        (lambda: fit_exponent([1, 2], [1, 0]), "costs must be positive, one for each size; got"),
        (lambda: fit_exponent([1, 2], [1, 2, 3]), "costs must be positive, one for each size; got"),
    ],
)
def test_errors(call, error: str) -> None:
    """What no layer can have is refused, with what came."""
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - its text is compared below
        call()
    assert str(raised.value).startswith(error)


def test_documented():
    """Each helper says where it comes from and shows an example."""
    for name in (*COUNTS, "crossover_length", "fit_exponent"):
        text = getattr(complexity, name).__doc__
        assert all(f"{section}:" in text for section in ("Args", "Returns", "Raises", "Source", "Example"))
