"""Counts of modules are those of the formulas."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from course_attention.experiments.self_attention.parameter_counts import (
    compare_layers,
    count_parameters,
    counts_by_source,
)

sizes = st.integers(1, 9)


@given(d_model=sizes, d_key=sizes, d_value=sizes, n_tokens=sizes)
def test_formulas(d_model, d_key, d_value, n_tokens):
    """d(2·d_key + d_value), kernel·d·d_value, and n²·d·d_value."""
    found = compare_layers(d_model, d_key, d_value, n_tokens)
    assert found.attention == d_model * (2 * d_key + d_value)
    assert found.convolution == {size: size * d_model * d_value for size in (1, 3, 5)}
    assert found.dense == n_tokens**2 * d_model * d_value


def test_meets_a_kernel_of_three():
    """With d_key = d_value self-attention has as many parameters as a convolution of kernel 3."""
    found = compare_layers(8, 4, 4)
    assert found.attention == found.convolution[3]


def test_make_is_counted():
    """It is the layer handed over that is counted."""
    assert counts_by_source(4, 2, make=lambda d_model, d_key, d_value: nn.Linear(d_model, d_key))[
        "001"
    ] == count_parameters(nn.Linear(4, 2))
