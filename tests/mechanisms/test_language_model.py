"""A cache changes nothing, and groups share."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from course_attention import (
    attention,
    cached_attention,
    causal_mask,
    grouped_query_attention,
    kv_cache_bytes,
)
from tests.mechanisms.drawn import drawn_triple

sizes = st.integers(min_value=1, max_value=5)
batches = st.lists(st.integers(1, 3), max_size=2)


@given(batch=batches, n=sizes, d_key=sizes, d_value=sizes, seed=st.integers(0, 99))
def test_cache_is_causal(batch: list[int], n: int, d_key: int, d_value: int, seed: int) -> None:
    """Step by step with a cache, the outputs are the rows of causal attention."""
    query, key, value = map(torch.from_numpy, drawn_triple(batch, n, n, d_key, d_value, seed))
    whole, _ = attention(query, key, value, causal_mask(n))
    cache = None
    for t in range(n):
        now = slice(t, t + 1)
        output, cache = cached_attention(query[..., now, :], key[..., now, :], value[..., now, :], cache)
        torch.testing.assert_close(output, whole[..., now, :])
    assert torch.equal(cache[0], key) and torch.equal(cache[1], value)


def test_cache_is_kept(device: str) -> None:
    """A step leaves the old cache as it was, so that two continuations may start from it."""
    token = torch.randn(2, 1, 4, device=device)
    _, cache = cached_attention(token, token, token)
    before = cache[0].clone()
    first = cached_attention(token, token, token, cache)[0]
    cached_attention(-token, -token, -token, cache)
    assert torch.equal(cache[0], before) and torch.equal(first, cached_attention(token, token, token, cache)[0])


@given(
    batch=batches,
    n_groups=st.integers(1, 3),
    size=st.integers(1, 3),
    n=sizes,
    d=sizes,
    seed=st.integers(0, 99),
)
def test_groups_as_torch(batch: list[int], n_groups: int, size: int, n: int, d: int, seed: int) -> None:
    """It agrees with PyTorch's own grouped queries, masked."""
    rng = np.random.default_rng(seed)
    query = torch.from_numpy(rng.normal(size=(*batch, n_groups * size, n, d)))
    key, value = (torch.from_numpy(rng.normal(size=(*batch, n_groups, n, d))) for _ in range(2))
    allowed = causal_mask(n)
    theirs = F.scaled_dot_product_attention(query, key, value, allowed, enable_gqa=True)
    torch.testing.assert_close(grouped_query_attention(query, key, value, allowed)[0], theirs)


def test_groups_at_the_ends() -> None:
    """With a group for each head it is plain attention; with one group, every head reads the same keys."""
    query, key, value = torch.randn(4, 3, 2), torch.randn(4, 5, 2), torch.randn(4, 5, 6)
    for ours, plain in zip(grouped_query_attention(query, key, value), attention(query, key, value), strict=True):
        assert torch.equal(ours, plain)
    one = grouped_query_attention(query, key[:1], value[:1])[0]
    torch.testing.assert_close(one, attention(query, key[:1], value[:1])[0])


@pytest.mark.parametrize("shape", [(3, 5), (4, 3, 5), (2, 1, 3, 5), (2, 4, 1, 5)])
def test_mask_of_any_shape(shape: tuple[int, ...]) -> None:
    """A mask may be one for all, one for each head, one for each item, or one for each of both."""
    query, key = torch.randn(2, 4, 3, 6), torch.randn(2, 2, 5, 6)
    allowed = torch.rand(shape) < 0.5
    weights = grouped_query_attention(query, key, key, allowed)[1]
    assert ((weights > 0) == allowed.expand(2, 4, 3, 5)).all()


def test_dtype_and_device(dtype: torch.dtype, device: str) -> None:
    """Every result has the dtype and the device of its inputs."""
    x = torch.randn(2, 4, 6, device=device).to(dtype)
    output, cache = cached_attention(x[:, :1], x[:, :1], x[:, :1])
    results = (output, *cache, *grouped_query_attention(x, x[:1], x[:1]))
    assert {(r.dtype, r.device) for r in results} == {(dtype, x.device)}


def test_cache_bytes() -> None:
    """The number is what the tensors of such a cache take, counted on one layer."""
    keys, values = (torch.empty(32, 4096, 128, dtype=torch.float16, device="meta") for _ in range(2))
    assert 32 * (keys.nbytes + values.nbytes) == kv_cache_bytes


ONE = torch.ones(1, 4)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: cached_attention(torch.ones(2, 4), torch.ones(2, 4), torch.ones(2, 4)),
            "query must be of one token",
        ),
        (
            lambda: cached_attention(ONE, ONE, ONE, (torch.ones(2, 3), torch.ones(2, 4))),
            "cache must be keys and values",
        ),
        (
            lambda: cached_attention(ONE, ONE, ONE, (torch.ones(2, 4), torch.ones(3, 4))),
            "cache must be keys and values",
        ),
        (
            lambda: grouped_query_attention(torch.ones(4, 2, 3), torch.ones(3, 2, 3), torch.ones(3, 2, 3)),
            "3 groups for 4 heads",
        ),
        (
            lambda: grouped_query_attention(
                torch.ones(4, 2, 3),
                torch.ones(2, 2, 3),
                torch.ones(2, 2, 3),
                torch.ones(3, 2, 2, dtype=torch.bool),
            ),
            "n_heads=4",
        ),
    ],
)
def test_errors(call, message: str) -> None:
    """What does not fit is refused with the rule and what came."""
    with pytest.raises(ValueError, match=message):
        call()
