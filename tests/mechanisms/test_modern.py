"""Modern attention: a cache changes nothing, groups share, blocks are exact, and linear attention needs no n × n."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from course_attention import (
    attention,
    attention_backward,
    blockwise_attention,
    cached_attention,
    causal_mask,
    grouped_query_attention,
    kv_cache_bytes,
    latent_attention,
    linear_attention,
    online_logsumexp,
)
from course_attention.execution.largest_tensor import LargestTensor
from course_attention.exercises import CATALOGUE

sizes = st.integers(min_value=1, max_value=5)
batches = st.lists(st.integers(1, 3), max_size=2)


def _triple(
    batch: list[int], n_queries: int, n_keys: int, d_key: int, d_value: int, seed: int
) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    shapes = ((n_queries, d_key), (n_keys, d_key), (n_keys, d_value))
    return [rng.normal(size=(*batch, *shape)) for shape in shapes]


@given(batch=batches, n=sizes, d_key=sizes, d_value=sizes, seed=st.integers(0, 99))
def test_cache_is_causal(batch: list[int], n: int, d_key: int, d_value: int, seed: int) -> None:
    """Step by step with a cache, the outputs are the rows of causal attention."""
    query, key, value = map(torch.from_numpy, _triple(batch, n, n, d_key, d_value, seed))
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
    assert torch.equal(cache[0], before) and torch.equal(
        first, cached_attention(token, token, token, cache)[0]
    )


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
    for ours, plain in zip(
        grouped_query_attention(query, key, value), attention(query, key, value), strict=True
    ):
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


@given(batch=batches, n=st.integers(1, 9), block_size=st.integers(1, 10), scale=st.sampled_from([1, 1e4]))
def test_logsumexp_as_torch(batch: list[int], n: int, block_size: int, scale: float) -> None:
    """It agrees with PyTorch's, whatever the blocks and however large the scores."""
    scores = torch.randn(*batch, n, dtype=torch.float64) * scale
    torch.testing.assert_close(online_logsumexp(scores, block_size), scores.logsumexp(dim=-1))


@pytest.mark.parametrize("block_size", [7, 16, 100])
def test_gradients_in_blocks(block_size: int, device: str) -> None:
    """Gradients through the blocks are those of attention."""
    inputs = [
        torch.randn(2, n, 4, dtype=torch.float64, device=device, requires_grad=True) for n in (40, 50, 50)
    ]
    direction = torch.randn(2, 40, 4, dtype=torch.float64, device=device)
    ours = torch.autograd.grad((blockwise_attention(*inputs, block_size) * direction).sum(), inputs)
    plain = torch.autograd.grad((attention(*inputs)[0] * direction).sum(), inputs)
    torch.testing.assert_close(ours, plain)


@given(
    batch=batches,
    n_queries=sizes,
    n_keys=sizes,
    d_key=sizes,
    d_value=sizes,
    block=sizes,
    seed=st.integers(0, 99),
)
def test_backward_as_autograd(
    batch: list[int], n_queries: int, n_keys: int, d_key: int, d_value: int, block: int, seed: int
) -> None:
    """The derivative written out is that of torch's autograd, in the helper and in its oracle."""
    query, key, value = map(torch.from_numpy, _triple(batch, n_queries, n_keys, d_key, d_value, seed))
    inputs = [part.requires_grad_() for part in (query, key, value)]
    output, _ = attention(*inputs)
    upstream = torch.cos(output).detach()
    theirs = torch.autograd.grad((output * upstream).sum(), inputs)
    with torch.no_grad():
        kept = (*inputs, output, (query @ key.mT / d_key**0.5).logsumexp(dim=-1), upstream)
        torch.testing.assert_close(attention_backward(*kept, block), theirs)
        written = CATALOGUE["attention_backward"].exercise.oracle(*(part.numpy() for part in kept), block)
    torch.testing.assert_close(tuple(map(torch.from_numpy, written)), theirs)


@given(
    batch=batches,
    n_heads=sizes,
    n_queries=sizes,
    n_keys=sizes,
    d_latent=sizes,
    d_key=sizes,
    seed=st.integers(0, 99),
)
def test_latent_as_grouped(
    batch: list[int], n_heads: int, n_queries: int, n_keys: int, d_latent: int, d_key: int, seed: int
) -> None:
    """It is attention to the keys and values of each head, made first, under a mask."""
    rng = np.random.default_rng(seed)

    def normal(*shape: int) -> torch.Tensor:
        return torch.from_numpy(rng.normal(size=shape))

    query, latent = normal(*batch, n_heads, n_queries, d_key), normal(*batch, n_keys, d_latent)
    w_key, w_value = normal(n_heads, d_latent, d_key), normal(n_heads, d_latent, 3)
    allowed = causal_mask(n_queries, n_keys)
    made = latent.unsqueeze(-3) @ w_key, latent.unsqueeze(-3) @ w_value
    ours, plain = latent_attention(query, latent, w_key, w_value, allowed), attention(query, *made, allowed)
    torch.testing.assert_close(ours, plain)


def test_latent_makes_no_keys() -> None:
    """Without a mask or with one, nothing grows with n_heads · n_keys · d_key."""
    query, latent = torch.randn(2, 4, 1, 32), torch.randn(2, 100, 16)
    w_key, w_value = torch.randn(4, 16, 32), torch.randn(4, 16, 32)
    for allowed in (None, torch.ones(1, 100, dtype=torch.bool)):
        with LargestTensor() as largest:
            latent_attention(query, latent, w_key, w_value, allowed)
        assert largest.numbers <= max(2 * 4 * 100, w_key.numel())


def test_no_large_tensor() -> None:
    """In blocks no tensor grows with n²; linear attention makes none larger than its inputs."""
    for n in (128, 512):
        query, key, value = (torch.randn(n, 8) for _ in range(3))
        with LargestTensor() as largest:
            blockwise_attention(query, key, value, 16)
        assert largest.numbers <= n * 16
        with LargestTensor() as largest:
            attention_backward(query, key, value, value, value[:, 0], value, 16)
        assert largest.numbers <= n * 16
        with LargestTensor() as largest:
            linear_attention(query, key, value)
        assert largest.numbers <= n * 8
        with LargestTensor() as largest:
            attention(query, key, value)
        assert largest.numbers == n * n


@given(batch=batches, n_queries=sizes, n_keys=sizes, d_key=sizes, d_value=sizes, seed=st.integers(0, 99))
def test_linear_is_an_average(
    batch: list[int], n_queries: int, n_keys: int, d_key: int, d_value: int, seed: int
) -> None:
    """It is attention with weights φ(q)·φ(k), normalised: the matrix that it never makes gives the same."""
    query, key, value = map(torch.from_numpy, _triple(batch, n_queries, n_keys, d_key, d_value, seed))
    likenesses = (F.elu(query) + 1) @ (F.elu(key) + 1).mT
    weights = likenesses / likenesses.sum(dim=-1, keepdim=True)
    torch.testing.assert_close(linear_attention(query, key, value), weights @ value)


def test_dtype_and_device(dtype: torch.dtype, device: str) -> None:
    """Every result has the dtype and the device of its inputs."""
    x = torch.randn(2, 4, 6, device=device).to(dtype)
    output, cache = cached_attention(x[:, :1], x[:, :1], x[:, :1])
    results = (
        output,
        *cache,
        *grouped_query_attention(x, x[:1], x[:1]),
        online_logsumexp(x, 4),
        blockwise_attention(x, x, x, 3),
        linear_attention(x, x, x),
        *latent_attention(x, x[0], x.mT @ x, x.mT @ x),
        *attention_backward(x, x, x, x, x[..., 0], x, 3),
    )
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
        (lambda: online_logsumexp(torch.ones(3), 0), "block_size must be a whole number, 1 or more; got 0"),
        (lambda: blockwise_attention(ONE, ONE, ONE, 1.5), "block_size must be a whole number"),
        (
            lambda: attention_backward(ONE, ONE, ONE, ONE, torch.ones(1), ONE, 0),
            "block_size must be a whole number",
        ),
        (
            lambda: latent_attention(torch.ones(2, 3, 4), ONE, torch.ones(2, 5, 4), torch.ones(2, 4, 3)),
            "d_latent",
        ),
        (lambda: linear_attention(torch.ones(2, 3), torch.ones(2, 4), torch.ones(2, 3)), "d_key=3"),
    ],
)
def test_errors(call, message: str) -> None:
    """What does not fit is refused with the rule and what came."""
    with pytest.raises(ValueError, match=message):
        call()
