"""Attention and its relatives: conventions that hold whatever the sizes."""

from __future__ import annotations

import inspect
import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from course_attention import (
    additive_scores,
    attention,
    attention_columns,
    bilinear_scores,
    cross_attention,
    gaussian_scores,
    mean_attention,
    score_variance,
)
from course_attention.exercises import CATALOGUE

sizes = st.integers(min_value=1, max_value=5)
DTYPES = [torch.float64, torch.float32, torch.float16, torch.bfloat16]


@given(
    batch=st.lists(sizes, max_size=3),
    n_queries=sizes,
    n_keys=sizes,
    d_key=sizes,
    d_value=sizes,
    data=st.data(),
)
def test_any_shape(
    batch: list[int], n_queries: int, n_keys: int, d_key: int, d_value: int, data: st.DataObject
) -> None:
    """attention agrees with its oracle for any shape and any mask, sizes of 1 and no batch included."""
    rng = np.random.default_rng(data.draw(st.integers(0, 2**16)))
    query, key = rng.normal(size=(*batch, n_queries, d_key)), rng.normal(size=(*batch, n_keys, d_key))
    value, allowed = rng.normal(size=(*batch, n_keys, d_value)), rng.random((*batch, n_queries, n_keys)) < 0.6
    expected = CATALOGUE["attention"].exercise.oracle(query, key, value, allowed)
    received = attention(*map(torch.from_numpy, (query, key, value, allowed)))
    for right, came in zip(expected, received, strict=True):
        np.testing.assert_allclose(came.numpy(), right, atol=1e-12)


@given(
    batch=st.lists(sizes, max_size=2),
    n_queries=sizes,
    n_keys=sizes,
    d_query=sizes,
    d_key=sizes,
    seed=st.integers(0, 99),
)
def test_scores_of_any_shape(
    batch: list[int], n_queries: int, n_keys: int, d_query: int, d_key: int, seed: int
) -> None:
    """The learned scores and cross-attention agree with their oracles where the two sides differ in every size."""
    rng = np.random.default_rng(seed)
    query, key = rng.normal(size=(*batch, n_queries, d_query)), rng.normal(size=(*batch, n_keys, d_key))
    w_query, w_key, w_score = rng.normal(size=(d_query, 3)), rng.normal(size=(d_key, 3)), rng.normal(size=3)
    for helper, arguments in (
        (bilinear_scores, (query, key, rng.normal(size=(d_query, d_key)))),
        (additive_scores, (query, key, w_query, w_key, w_score)),
        (cross_attention, (query, key, w_query, w_key, rng.normal(size=(d_key, 2)))),
    ):
        exercise = CATALOGUE[helper.__name__].exercise
        names = inspect.signature(exercise.oracle).parameters
        expected = exercise.results(exercise.oracle, dict(zip(names, arguments, strict=True)))
        received = helper(*map(torch.from_numpy, arguments))
        for right, came in zip(
            expected, received if isinstance(received, tuple) else (received,), strict=True
        ):
            np.testing.assert_allclose(came.numpy(), right, atol=1e-12)


@pytest.mark.parametrize("dtype", DTYPES)
def test_nothing_allowed(dtype: torch.dtype, device: str) -> None:
    """A query that may attend to nothing gets weights and output of 0, and finite gradients all round."""
    q, k, v = (torch.randn(2, 3, 4, device=device).to(dtype).requires_grad_() for _ in range(3))
    allowed = torch.ones(3, 3, dtype=torch.bool, device=device).tril(
        -1
    )  # the first query may attend to nothing
    output, weights = attention(q, k, v, allowed)
    output.float().square().sum().backward()
    assert (weights[:, 0] == 0).all() and (output[:, 0] == 0).all() and output.dtype == dtype
    assert (weights[:, ~allowed] == 0).all()
    assert all(t.grad.isfinite().all() for t in (q, k, v))


@pytest.mark.parametrize("dtype", DTYPES)
def test_as_torch_does(dtype: torch.dtype, device: str) -> None:
    """Without a mask, and with one that allows something everywhere, it is torch's own attention."""
    q, k, v = (torch.randn(2, 5, 8, device=device, dtype=torch.float64) for _ in range(3))
    allowed = torch.ones(5, 5, dtype=torch.bool, device=device).tril()
    tolerance = {"rtol": 0, "atol": 40 * torch.finfo(dtype).eps}
    for mask in (None, allowed):
        right = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        output, _ = attention(q.to(dtype), k.to(dtype), v.to(dtype), mask)
        torch.testing.assert_close(output.double(), right, **tolerance)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_large_scores(dtype: torch.dtype, device: str) -> None:
    """Scores of ±1e4 give finite weights that sum to 1."""
    q = torch.tensor([[100.0], [-100.0]], dtype=dtype, device=device)
    _, weights = attention(q, torch.tensor([[100.0], [-100.0]], dtype=dtype, device=device), q)
    assert (weights == torch.eye(2, dtype=dtype, device=device)).all()


@pytest.mark.parametrize("shape", [(2, 3, 4), (2, 1, 4), (1, 3, 4), (3, 4), (1, 4), (3, 1), (1, 1)])
def test_mask_broadcasts(shape: tuple[int, ...], device: str) -> None:
    """A mask of two axes or more stands for the one it broadcasts to."""
    q, k, v = (torch.randn(2, n, 5, device=device) for n in (3, 4, 4))
    allowed = torch.rand(shape, device=device) < 0.7
    short, whole = attention(q, k, v, allowed), attention(q, k, v, allowed.expand(2, 3, 4))
    assert all((a == b).all() for a, b in zip(short, whole, strict=True))


def test_inputs_stay() -> None:
    """No input is changed."""
    tensors = [torch.randn(3, 4) for _ in range(3)] + [torch.rand(3, 3) < 0.5]
    before = [t.clone() for t in tensors]
    attention(*tensors)
    assert all((a == b).all() for a, b in zip(tensors, before, strict=True))


def test_relations(device: str) -> None:
    """Columns are rows transposed; a Gaussian of keys of one length is a dot product; a mean needs no softmax."""
    q, k, v = (torch.randn(n, d, device=device, dtype=torch.float64) for n, d in ((2, 4), (3, 4), (3, 5)))
    torch.testing.assert_close(attention_columns(q.mT, k.mT, v.mT).mT, attention(q * math.sqrt(4), k, v)[0])
    k = F.normalize(k, dim=-1)
    torch.testing.assert_close(gaussian_scores(q, k, 1.0).softmax(-1), (q @ k.mT).softmax(-1))
    torch.testing.assert_close(mean_attention(q, k, v)[0], q @ (k.mT @ v) / 3)


def test_score_variance() -> None:
    """The number is the variance of a hundred thousand products, to two per cent."""
    rng = np.random.default_rng(0)
    scores = (rng.normal(size=(100_000, 256)) * rng.normal(size=(100_000, 256))).sum(axis=1)
    assert abs(scores.var() / score_variance - 1) < 0.02
