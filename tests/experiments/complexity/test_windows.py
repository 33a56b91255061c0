"""Windows computed in blocks are attention under a window mask, at a linear cost."""

from __future__ import annotations

import torch
from hypothesis import given
from hypothesis import strategies as st

from course_attention import attention, attention_multiply_adds, window_mask
from course_attention.experiments.complexity import windows
from course_attention.experiments.masking.receptive_field import draw, multiply_adds


@given(n=st.integers(1, 20), width=st.integers(1, 25), batch=st.lists(st.integers(1, 2), max_size=2))
def test_same_as_masked(n: int, width: int, batch: list[int]) -> None:
    """For every length and width, and any leading dimensions."""
    query, key, value = (draw(*batch, n, d, seed=seed) for seed, d in enumerate((3, 3, 2)))
    expected, _ = attention(query, key, value, window_mask(n, width))
    torch.testing.assert_close(windows.in_windows(query, key, value, width), expected)


def test_on_device(device: str) -> None:
    """The mask is made where the queries are."""
    x = draw(5, 2, device=device)
    assert windows.in_windows(x, x, x, 2).device.type == device


def test_cost():
    """In blocks each query meets 2 · width keys; under a mask it meets all."""
    for n in (512, 4096):
        counted = multiply_adds(windows.windowed(n, 64, device="meta"))
        assert counted == attention_multiply_adds(n, 2 * 64, 64, 64)
        masked = multiply_adds(windows.under_a_mask(n, 64, device="meta"))
        assert masked == attention_multiply_adds(n, n, 64, 64)


def test_attend_is_used():
    """It is the function handed over that attends."""
    x, called = draw(6, 2), []

    def attend(*arguments):
        called.append(arguments)
        return attention(*arguments)

    windows.in_windows(x, x, x, 3, attend)
    ((query, key, _, allowed),) = called
    assert (query.shape, key.shape, allowed.shape) == ((2, 3, 2), (2, 6, 2), (2, 3, 6))


def test_layers_agree():
    """The two layers that are compared give the same."""
    torch.testing.assert_close(windows.windowed(100, 16)(), windows.under_a_mask(100, 16)())
