"""The numbers of a case: held exactly by their dtype, and the same for the same seed."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_attention.judging.drawing import EPSILON, Draw, rounded


@pytest.mark.parametrize("dtype", EPSILON)
def test_rounded_as_torch_rounds(dtype: str) -> None:
    """Rounding is the one torch does, so that a tensor holds just the numbers that the oracle is given."""
    values = np.random.default_rng(0).normal(size=1000)
    assert (rounded(values, dtype) == torch.from_numpy(values).to(getattr(torch, dtype)).double().numpy()).all()


@pytest.mark.parametrize("dtype", EPSILON)
def test_epsilon(dtype: str) -> None:
    """EPSILON is the distance from 1 to the next number."""
    assert torch.finfo(getattr(torch, dtype)).eps == EPSILON[dtype]


@given(st.integers(0, 10_000), st.integers(1, 4), st.integers(2, 6))
def test_allowed(seed: int, n_rows: int, width: int) -> None:
    """Every row of a mask allows something and blocks something; rows are not all the same."""
    mask = Draw(seed).allowed(n_rows, width).values
    assert mask.any(axis=-1).all() and not mask.all(axis=-1).any()
    assert n_rows == 1 or not (mask == mask[0]).all()


def test_seeded() -> None:
    """The same seed draws the same, another something else."""
    assert (Draw(1).normal(5).values == Draw(1).normal(5).values).all()
    assert (Draw(1).normal(5).values != Draw(2).normal(5).values).any()
