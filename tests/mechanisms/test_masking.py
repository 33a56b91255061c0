"""Masks: conventions that hold whatever the sizes, and the influence that shows them from outside."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import course_attention
from course_attention import (
    attention,
    causal_mask,
    causal_pairs,
    influence,
    masked_softmax,
    padding_mask,
    window_mask,
)
from course_attention.exercises import CATALOGUE
from course_attention.mechanisms import masking

sizes = st.integers(min_value=1, max_value=7)


@given(sizes, sizes)
def test_causal_corner(n_queries: int, n_keys: int) -> None:
    """It agrees with its oracle for any sizes; the last rows of a larger square are the mask of the last queries."""
    allowed = causal_mask(n_queries, n_keys)
    assert np.array_equal(allowed, CATALOGUE["causal_mask"].exercise.oracle(n_queries, n_keys))
    assert allowed[-1].all()
    if n_queries <= n_keys:
        assert torch.equal(allowed, causal_mask(n_keys)[-n_queries:])


@given(sizes, st.integers(1, 9))
def test_window(n_tokens: int, width: int) -> None:
    """It agrees with its oracle, sees `width` keys where there are so many, and grows into the causal mask."""
    allowed = window_mask(n_tokens, width)
    assert np.array_equal(allowed, CATALOGUE["window_mask"].exercise.oracle(n_tokens, width))
    assert allowed.sum(dim=-1).tolist() == [min(i + 1, width) for i in range(n_tokens)]
    assert torch.equal(allowed, causal_mask(n_tokens)) is (width >= n_tokens)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=5), st.integers(0, 3))
def test_padding(lengths: list[int], more: int) -> None:
    """It agrees with its oracle, lengths of 0 included, and allows as many keys as there are tokens."""
    n_keys = max(lengths) + more
    allowed = padding_mask(torch.tensor(lengths), n_keys)
    assert np.array_equal(allowed, CATALOGUE["padding_mask"].exercise.oracle(np.array(lengths), n_keys))
    assert allowed.sum(dim=-1)[:, 0].tolist() == lengths


@given(st.lists(sizes, max_size=2), sizes, sizes, st.integers(0, 999))
def test_softmax(batch: list[int], n_queries: int, n_keys: int, seed: int) -> None:
    """Rows sum to 1, or to 0 where nothing is allowed, and the weights are those of attention."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(*batch, n_queries, n_keys))
    allowed = rng.random((*batch, n_queries, n_keys)) < 0.5
    weights = masked_softmax(torch.from_numpy(scores), torch.from_numpy(allowed))
    sums = weights.sum(dim=-1).numpy()
    assert np.allclose(sums, allowed.any(axis=-1))
    query, key = torch.from_numpy(scores) * n_keys**0.5, torch.eye(n_keys, dtype=torch.float64)
    by_attention = attention(query, key.expand(*batch, n_keys, n_keys), key, torch.from_numpy(allowed))[1]
    torch.testing.assert_close(by_attention, weights)


def test_softmax_of_nothing(dtype: torch.dtype, device: str) -> None:
    """A row of nothing is 0 and its gradient is 0; everywhere else it is finite, and blocked weights are exactly 0."""
    scores = torch.randn(3, 4, device=device).to(dtype).requires_grad_()
    allowed = causal_mask(3, 4, device=device) & ~torch.eye(3, 4, dtype=torch.bool, device=device)
    allowed[1] = False
    weights = masked_softmax(scores, allowed)
    weights.float().square().sum().backward()
    assert weights.dtype == dtype and (weights[~allowed] == 0).all() and (weights[1] == 0).all()
    assert scores.grad.isfinite().all() and (scores.grad[1] == 0).all()


@pytest.mark.parametrize("make", [lambda **k: causal_mask(2, 3, **k), lambda **k: window_mask(3, 2, **k)])
def test_made_where_asked(make, device: str) -> None:
    """Masks made from sizes are boolean and on the CPU unless another dtype and device are asked for."""
    plain, asked = make(), make(device=device, dtype=torch.float32)
    assert (plain.dtype, plain.device.type) == (torch.bool, "cpu")
    assert (asked.dtype, asked.device.type) == (torch.float32, device)
    assert torch.equal(asked.cpu().bool(), plain)


def test_causal_pairs() -> None:
    """The number is the count."""
    assert causal_mask(64).sum() == causal_pairs


def test_errors() -> None:
    """The errors say what a length and a mask have to be."""
    with pytest.raises(TypeError, match="lengths must hold whole numbers"):
        padding_mask(torch.tensor([1.0]), 3)
    with pytest.raises(ValueError, match=r"lengths must be \(batch,\); got \(1, 2\)"):
        padding_mask(torch.tensor([[1, 2]]), 3)
    with pytest.raises(TypeError, match="allowed must be a boolean mask"):
        masked_softmax(torch.ones(2, 3), torch.ones(2, 3))
    with pytest.raises(ValueError, match=r"allowed must be .*n_keys=3.* got \(2, 4\)"):
        masked_softmax(torch.ones(2, 3), torch.ones(2, 4).bool())
    with pytest.raises(ValueError, match=r"x must be \(n_tokens, d_model\); got \(2, 3, 4\)"):
        influence(lambda x: x, torch.ones(2, 3, 4))


@pytest.mark.parametrize("name", ["causal_mask", "padding_mask", "window_mask", "masked_softmax"])
def test_source_runs_alone(name: str) -> None:
    """What `solution` shows runs on the names that the notebook's setup cell imports."""
    from jaxtyping import Bool, Float, Int
    from torch import Tensor

    names = {"torch": torch, "Bool": Bool, "Float": Float, "Int": Int, "Tensor": Tensor}
    exec(inspect.getsource(getattr(masking, name)), names)
    assert CATALOGUE[name].judge(names[name]).status == "passed"


def test_influence_of_a_linear_map(device: str) -> None:
    """For output = M x the influence is |M| times the width's square root: each channel depends on its own."""
    mix = torch.randn(4, 4, dtype=torch.float64, device=device)
    strength = influence(lambda x: mix @ x, torch.randn(4, 9, dtype=torch.float64, device=device))
    torch.testing.assert_close(strength, mix.abs() * 3)


def test_influence_is_a_derivative() -> None:
    """It agrees with differences of attention's output, and takes a pair (output, weights) as well."""
    x = torch.randn(4, 3, dtype=torch.float64)
    allowed = causal_mask(4)
    strength = influence(lambda x: attention(x, x, x, allowed), x)
    moved = torch.zeros(4, 4, dtype=torch.float64)
    for j, channel in np.ndindex(4, 3):
        step = torch.zeros_like(x)
        step[j, channel] = 1e-5
        up, down = (attention(x + s, x + s, x + s, allowed)[0] for s in (step, -step))
        moved[:, j] += ((up - down) / 2e-5).square().sum(dim=-1)
    torch.testing.assert_close(strength, moved.sqrt(), atol=1e-7, rtol=1e-6)


def test_influence_finds_leaks() -> None:
    """It is exactly 0 where the mask blocks, and not 0 at the one place that an off-by-one lets through."""
    x = torch.randn(6, 4)
    for allowed in (causal_mask(6), causal_mask(7)[1:, :-1], causal_mask(7)[:-1, 1:]):
        future = influence(lambda x, allowed=allowed: attention(x, x, x, allowed)[0], x).triu(1) != 0
        assert torch.equal(future, allowed.triu(1))


def test_influence_leaves_no_trace() -> None:
    """The sequence is not changed, needs no gradient, and the result carries none; gradients may be switched off."""
    x = torch.randn(3, 2)
    before = x.clone()
    with torch.no_grad():
        strength = influence(lambda x: x.flip(0), x)
    assert torch.equal(x, before) and not x.requires_grad and not strength.requires_grad
    assert torch.equal(strength != 0, torch.eye(3).flip(0).bool())


def test_is_public() -> None:
    """influence is public without an exercise of its own."""
    assert "influence" in course_attention.__all__ and "influence" not in CATALOGUE
