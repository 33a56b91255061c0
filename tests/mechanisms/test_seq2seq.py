"""The decoder's attention: conventions that hold whatever the sizes."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_attention import (
    additive_parameters,
    attend_and_concat,
    attention_distribution,
    attention_output,
    attention_scores,
)
from course_attention.exercises import CATALOGUE

sizes = st.integers(min_value=1, max_value=5)


@given(batch=st.lists(sizes, max_size=3), n_source=sizes, d_hidden=sizes, seed=st.integers(0, 2**16))
def test_any_shape(batch: list[int], n_source: int, d_hidden: int, seed: int) -> None:
    """attend_and_concat, and the three it is made of, agree with the oracle for any shape and mask."""
    rng = np.random.default_rng(seed)
    state, memory = rng.normal(size=(*batch, d_hidden)), rng.normal(size=(*batch, n_source, d_hidden))
    allowed = rng.random((*batch, n_source)) < 0.6
    expected = CATALOGUE["attend_and_concat"].exercise.oracle(state, memory, allowed)
    received = attend_and_concat(*map(torch.from_numpy, (state, memory, allowed)))
    for right, came in zip(expected, received, strict=True):
        np.testing.assert_allclose(came.numpy(), right, atol=1e-12)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_nothing_allowed(dtype: torch.dtype, device: str) -> None:
    """Where nothing is allowed, weights and output are 0, and the gradient is finite."""
    scores = torch.randn(2, 3, device=device).to(dtype).requires_grad_()
    allowed = torch.tensor([[False] * 3, [True, False, True]], device=device)
    distribution = attention_distribution(scores, allowed)
    distribution.float().square().sum().backward()
    assert (distribution[0] == 0).all() and distribution[1, 1] == 0
    assert distribution.dtype == dtype and scores.grad.isfinite().all()


def test_padding_has_no_influence(device: str) -> None:
    """What stands in padded places changes nothing, NaN and infinities apart."""
    memory = torch.randn(1, 5, 4, device=device)
    allowed = torch.tensor([[True, True, True, False, False]], device=device)
    state = torch.randn(1, 4, device=device)
    other = torch.cat([memory[:, :3], 1e3 * torch.randn(1, 2, 4, device=device)], dim=1)
    for one, two in zip(
        attend_and_concat(state, memory, allowed), attend_and_concat(state, other, allowed), strict=True
    ):
        torch.testing.assert_close(one, two)


def test_order_and_parts(device: str) -> None:
    """[a_t; s_t] holds a_t first, and is made of the three functions."""
    state, memory = torch.randn(2, 4, device=device), torch.randn(2, 3, 4, device=device)
    joined, distribution = attend_and_concat(state, memory)
    torch.testing.assert_close(distribution, attention_distribution(attention_scores(state, memory)))
    torch.testing.assert_close(joined[:, :4], attention_output(distribution, memory))
    assert (joined[:, 4:] == state).all()


def test_additive_parameters() -> None:
    """The number is that of a network built to the formula."""
    parts = [
        torch.nn.Linear(64, 32, bias=False),
        torch.nn.Linear(64, 32, bias=False),
        torch.nn.Linear(32, 1, bias=False),
    ]
    assert additive_parameters == sum(weight.numel() for part in parts for weight in part.parameters())
