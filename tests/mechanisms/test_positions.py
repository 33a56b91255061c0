"""Positions: what holds of each way to tell them, whatever the sizes."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_attention import (
    alibi_bias,
    append_positions,
    encoding_norm,
    position_similarity,
    relative_bias,
    rotary,
    shift_matrix,
    sinusoidal_encoding,
)
from course_attention.exercises import CATALOGUE

sizes = st.integers(min_value=1, max_value=6)
bases = st.sampled_from([2.0, 100.0, 10000.0])


def oracle(name: str, *arguments: object) -> np.ndarray:
    exercise = CATALOGUE[name].exercise
    names = inspect.signature(exercise.oracle).parameters
    (result,) = exercise.results(exercise.oracle, dict(zip(names, arguments, strict=False)))
    return result


@given(n=sizes, d=sizes, n_heads=sizes, reach=st.integers(0, 4), base=bases, offset=st.integers(-9, 9))
def test_any_size(n: int, d: int, n_heads: int, reach: int, base: float, offset: int) -> None:
    """What is made of numbers, and the relative bias, agree with their oracles for any sizes, 1 included."""
    table = np.random.default_rng(0).normal(size=(n_heads, 2 * reach + 1))
    float64 = {"dtype": torch.float64}
    for came, right in (
        (sinusoidal_encoding(n, d, base, **float64), oracle("sinusoidal_encoding", n, d, base)),
        (shift_matrix(offset, 2 * d, base, **float64), oracle("shift_matrix", offset, 2 * d, base)),
        (alibi_bias(2**reach, n, d, **float64), oracle("alibi_bias", 2**reach, n, d)),
        (relative_bias(torch.from_numpy(table), n, d), oracle("relative_bias", table, n, d)),
    ):
        np.testing.assert_allclose(came.numpy(), right, atol=1e-12)


@given(batch=st.lists(sizes, max_size=3), n=sizes, d=sizes, base=bases, seed=st.integers(0, 99))
def test_any_batch(batch: list[int], n: int, d: int, base: float, seed: int) -> None:
    """rotary agrees with its oracle for any leading dimensions, none included."""
    rng = np.random.default_rng(seed)
    x, place = rng.normal(size=(*batch, n, 2 * d)), rng.permutation(n)
    turned = rotary(torch.from_numpy(x), torch.from_numpy(place), base)
    np.testing.assert_allclose(turned.numpy(), oracle("rotary", x, place, base), atol=1e-12)


@given(d=sizes, base=bases, offset=st.integers(-50, 50), start=st.integers(50, 500))
def test_shift(d: int, base: float, offset: int, start: int) -> None:
    """One matrix moves every position by the offset, forwards and back."""
    encoding = sinusoidal_encoding(600, 2 * d, base, dtype=torch.float64)
    moved = encoding[start : start + 10] @ shift_matrix(offset, 2 * d, base, dtype=torch.float64)
    torch.testing.assert_close(moved, encoding[start + offset : start + offset + 10])


@given(d=sizes, base=bases, far=st.integers(0, 10_000), seed=st.integers(0, 99))
def test_rotary_sees_offsets(d: int, base: float, far: int, seed: int) -> None:
    """Moved by any number of positions, all scores stay; and every token keeps its length."""
    torch.manual_seed(seed)
    query, key = torch.randn(2, 4, 2 * d, dtype=torch.float64)
    place = torch.arange(4)
    near = rotary(query, place, base) @ rotary(key, place, base).mT
    away = rotary(query, place + far, base) @ rotary(key, place + far, base).mT
    torch.testing.assert_close(near, away)
    torch.testing.assert_close(rotary(query, place + far, base).norm(dim=-1), query.norm(dim=-1))


def test_rotary_at_zero() -> None:
    """At position 0 nothing turns; positions need not be whole numbers."""
    x = torch.randn(3, 4)
    assert torch.equal(rotary(x, torch.zeros(3, dtype=torch.int64)), x)
    twice = rotary(rotary(x, torch.full((3,), 0.5)), torch.full((3,), 0.5))
    torch.testing.assert_close(twice, rotary(x, torch.ones(3)))


def test_far_positions() -> None:
    """In float32, the encoding of position 100,000 is right to float32's precision, not to its angle's."""
    place = torch.tensor([100_000])
    x = torch.tensor([[1.0, 0.0]])
    expected = torch.tensor([[np.cos(1e5), np.sin(1e5)]], dtype=torch.float32)
    torch.testing.assert_close(rotary(x, place), expected, rtol=0, atol=1e-6)
    assert sinusoidal_encoding(100_001, 2)[-1].tolist() == pytest.approx([np.sin(1e5), np.cos(1e5)], abs=1e-6)


def test_dtype_and_device(dtype: torch.dtype, device: str) -> None:
    """What is made of numbers comes in the dtype and on the device asked for; the rest as its inputs are."""
    options = {"device": device, "dtype": dtype}
    x = torch.randn(2, 3, 4, device=device).to(dtype)
    encoding = sinusoidal_encoding(3, 5, **options)
    for tensor in (
        encoding,
        shift_matrix(2, 4, **options),
        alibi_bias(2, 3, 4, **options),
        append_positions(x, encoding),
        position_similarity(encoding),
        relative_bias(x[0, :, :3], 2, 3),
        rotary(x, torch.arange(3, device=device)),
    ):
        assert (tensor.dtype, tensor.device.type) == (dtype, device)


def test_defaults() -> None:
    """What is made of numbers alone is on the CPU, in float32."""
    for tensor in (sinusoidal_encoding(3, 4), shift_matrix(1, 4), alibi_bias(2, 3, 4)):
        assert (tensor.dtype, tensor.device.type) == (torch.float32, "cpu")


def test_gradients_reach_the_table() -> None:
    """Each entry of the table gets as many gradients as offsets use it, the ends those of all beyond."""
    table = torch.zeros(1, 3, requires_grad=True)
    relative_bias(table, 3, 3).sum().backward()
    assert table.grad.tolist() == [[3.0, 3.0, 3.0]]


def test_wrong_shape() -> None:
    """The error names the argument, what was expected and what came."""
    with pytest.raises(ValueError, match=r"encoding must be \(n_tokens=3, d_pos\), as x has n_tokens 3; got \(2, 4\)"):
        append_positions(torch.ones(3, 5), torch.ones(2, 4))


def test_encoding_norm() -> None:
    """The number is the squared length of every position, and of no other size than 64."""
    lengths = sinusoidal_encoding(50, 64, dtype=torch.float64).square().sum(-1)
    torch.testing.assert_close(lengths, torch.full((50,), float(encoding_norm), dtype=torch.float64))
