"""Linear attention is an average, and needs no n × n."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from course_attention import (
    attention,
    linear_attention,
)
from course_attention.execution.largest_tensor import LargestTensor
from tests.mechanisms.drawn import drawn_triple

sizes = st.integers(min_value=1, max_value=5)
batches = st.lists(st.integers(1, 3), max_size=2)


@given(batch=batches, n_queries=sizes, n_keys=sizes, d_key=sizes, d_value=sizes, seed=st.integers(0, 99))
def test_linear_is_an_average(
    batch: list[int], n_queries: int, n_keys: int, d_key: int, d_value: int, seed: int
) -> None:
    """It is attention with weights φ(q)·φ(k), normalised: the matrix that it never makes gives the same."""
    query, key, value = map(torch.from_numpy, drawn_triple(batch, n_queries, n_keys, d_key, d_value, seed))
    likenesses = (F.elu(query) + 1) @ (F.elu(key) + 1).mT
    weights = likenesses / likenesses.sum(dim=-1, keepdim=True)
    torch.testing.assert_close(linear_attention(query, key, value), weights @ value)


def test_no_large_tensor() -> None:
    """No tensor is larger than the inputs; attention makes one of n²."""
    for n in (128, 512):
        query, key, value = (torch.randn(n, 8) for _ in range(3))
        with LargestTensor() as largest:
            linear_attention(query, key, value)
        assert largest.numbers <= n * 8
        with LargestTensor() as largest:
            attention(query, key, value)
        assert largest.numbers == n * n


def test_dtype_and_device(dtype: torch.dtype, device: str) -> None:
    """The result has the dtype and the device of its inputs."""
    x = torch.randn(2, 4, 6, device=device).to(dtype)
    output = linear_attention(x, x, x)
    assert (output.dtype, output.device) == (dtype, x.device)


def test_errors() -> None:
    """What does not fit is refused with the rule and what came."""
    with pytest.raises(ValueError, match="d_key=3"):
        linear_attention(torch.ones(2, 3), torch.ones(2, 4), torch.ones(2, 3))
