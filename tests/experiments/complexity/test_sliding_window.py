"""Windows computed in blocks are attention under a window mask, at a linear cost."""

from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st

from course_attention import attention, attention_multiply_adds, window_mask
from course_attention.experiments.common.cost_counters import multiply_adds
from course_attention.experiments.common.random_tensors import standard_normal
from course_attention.experiments.complexity.sliding_window import sliding_window_attention


@given(n=st.integers(1, 20), width=st.integers(1, 25), batch=st.lists(st.integers(1, 2), max_size=2))
def test_same_as_masked(n: int, width: int, batch: list[int]) -> None:
    """For every length and width, and any leading dimensions."""
    query, key, value = (standard_normal(*batch, n, d, seed=seed) for seed, d in enumerate((3, 3, 2)))
    expected, _ = attention(query, key, value, window_mask(n, width))
    torch.testing.assert_close(sliding_window_attention(query, key, value, width), expected)


def test_on_device(device: str) -> None:
    """The mask is made where the queries are."""
    x = standard_normal(5, 2, device=device)
    assert sliding_window_attention(x, x, x, 2).device.type == device


def test_cost():
    """In blocks each query meets 2 · width keys; under a mask it meets all."""
    for n in (512, 4096):
        x = torch.empty(n, 32, device="meta")
        counted = multiply_adds(lambda x=x: sliding_window_attention(x, x, x, 64))
        assert counted == attention_multiply_adds(n, 2 * 64, 32, 32)
        masked = multiply_adds(lambda x=x, n=n: attention(x, x, x, window_mask(n, 64).to("meta")))
        assert masked == attention_multiply_adds(n, n, 32, 32)


def test_attend_is_used():
    """It is the function handed over that attends."""
    x, called = standard_normal(6, 2), []

    def attend(*arguments):
        called.append(arguments)
        return attention(*arguments)

    sliding_window_attention(x, x, x, 3, attend)
    ((query, key, _, allowed),) = called
    assert (query.shape, key.shape, allowed.shape) == ((2, 3, 2), (2, 6, 2), (2, 3, 6))
