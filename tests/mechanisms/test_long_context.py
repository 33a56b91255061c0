"""Latents make no keys, and blocks are exact, forward and backward."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from course_attention import (
    attention,
    attention_backward,
    attention_with_sink,
    blockwise_attention,
    causal_mask,
    latent_attention,
    online_logsumexp,
    yarn_frequencies,
)
from course_attention.execution.largest_tensor import LargestTensor
from course_attention.exercises import CATALOGUE
from tests.mechanisms.drawn import drawn_triple

sizes = st.integers(min_value=1, max_value=5)
batches = st.lists(st.integers(1, 3), max_size=2)


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


@given(batch=batches, n=st.integers(1, 9), block_size=st.integers(1, 10), scale=st.sampled_from([1, 1e4]))
def test_logsumexp_as_torch(batch: list[int], n: int, block_size: int, scale: float) -> None:
    """It agrees with PyTorch's, whatever the blocks and however large the scores."""
    scores = torch.randn(*batch, n, dtype=torch.float64) * scale
    torch.testing.assert_close(online_logsumexp(scores, block_size), scores.logsumexp(dim=-1))


@pytest.mark.parametrize("block_size", [7, 16, 100])
def test_gradients_in_blocks(block_size: int, device: str) -> None:
    """Gradients through the blocks are those of attention."""
    inputs = [torch.randn(2, n, 4, dtype=torch.float64, device=device, requires_grad=True) for n in (40, 50, 50)]
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
    query, key, value = map(torch.from_numpy, drawn_triple(batch, n_queries, n_keys, d_key, d_value, seed))
    inputs = [part.requires_grad_() for part in (query, key, value)]
    output, _ = attention(*inputs)
    upstream = torch.cos(output).detach()
    theirs = torch.autograd.grad((output * upstream).sum(), inputs)
    with torch.no_grad():
        kept = (*inputs, output, (query @ key.mT / d_key**0.5).logsumexp(dim=-1), upstream)
        torch.testing.assert_close(attention_backward(*kept, block), theirs)
        written = CATALOGUE["attention_backward"].exercise.oracle(*(part.numpy() for part in kept), block)
    torch.testing.assert_close(tuple(map(torch.from_numpy, written)), theirs)


def test_no_large_tensor() -> None:
    """In blocks no tensor grows with n², neither forward nor backward."""
    for n in (128, 512):
        query, key, value = (torch.randn(n, 8) for _ in range(3))
        with LargestTensor() as largest:
            blockwise_attention(query, key, value, 16)
        assert largest.numbers <= n * 16
        with LargestTensor() as largest:
            attention_backward(query, key, value, value, value[:, 0], value, 16)
        assert largest.numbers <= n * 16
        with LargestTensor() as largest:
            attention(query, key, value)
        assert largest.numbers == n * n


@given(batch=batches, n_heads=sizes, n_queries=sizes, n_keys=sizes, seed=st.integers(0, 99))
def test_a_sink_is_a_key_without_a_value(batch, n_heads, n_queries, n_keys, seed: int) -> None:
    """It is attention to one key more, which has a value of zeros; a very low sink leaves plain attention."""
    query, key, value = map(torch.tensor, drawn_triple([*batch, n_heads], n_queries, n_keys, 4, 3, seed))
    sink = torch.linspace(-2, 2, n_heads, dtype=torch.float64)
    output, weights = attention_with_sink(query, key, value, sink)
    # One channel more carries the sink: 1 in every query, and √5 times the sink in the new key, which has 5 channels.
    asked = torch.cat([query * math.sqrt(5 / 4), torch.ones_like(query[..., :1])], dim=-1)
    found = F.pad(key, (0, 1, 0, 1))
    found[..., -1, -1] = sink * math.sqrt(5)
    ours, all_weights = attention(asked, found, F.pad(value, (0, 0, 0, 1)))
    torch.testing.assert_close((output, weights), (ours, all_weights[..., :-1]))
    torch.testing.assert_close(attention_with_sink(query, key, value, sink - 1e4), attention(query, key, value))


def test_dtype_and_device(dtype: torch.dtype, device: str) -> None:
    """Every result has the dtype and the device of its inputs."""
    x = torch.randn(2, 4, 6, device=device).to(dtype)
    results = (
        online_logsumexp(x, 4),
        blockwise_attention(x, x, x, 3),
        *latent_attention(x, x[0], x.mT @ x, x.mT @ x),
        *attention_backward(x, x, x, x, x[..., 0], x, 3),
        *attention_with_sink(x, x, x, x[:, 0, 0]),
    )
    assert {(r.dtype, r.device) for r in results} == {(dtype, x.device)}


ONE = torch.ones(1, 4)


@pytest.mark.parametrize(
    ("call", "message"),
    [
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
        (
            lambda: attention_with_sink(torch.ones(2, 3, 4), torch.ones(2, 3, 4), torch.ones(2, 3, 4), torch.ones(3)),
            "the leading dimensions of sink must broadcast",
        ),
        (
            lambda: attention_with_sink(ONE, ONE, ONE, torch.ones(1)),
            r"sink must be of a shape that broadcasts to the leading axes of query; got \(1,\) for \(\)",
        ),
    ],
)
def test_errors(call, message: str) -> None:
    """What does not fit is refused with the rule and what came."""
    with pytest.raises(ValueError, match=message):
        call()


def test_stretched_frequencies_meet_their_ends() -> None:
    """Fast pairs keep their frequency, slow ones are divided by the factor, and a factor of 1 changes nothing."""
    trained = 10_000.0 ** (-torch.arange(0, 64, 2, dtype=torch.float64) / 64)
    stretched = yarn_frequencies(64, 10_000.0, 8.0, 2048).double()
    turns = 2048 * trained / (2 * torch.pi)
    slower = trained / stretched
    torch.testing.assert_close(slower[turns >= 32], torch.ones_like(slower[turns >= 32]), rtol=1e-6, atol=0)
    torch.testing.assert_close(slower[turns <= 1], torch.full_like(slower[turns <= 1], 8.0), rtol=1e-6, atol=0)
    assert (slower.diff() > -1e-6).all()
    torch.testing.assert_close(yarn_frequencies(64, 10_000.0, 1.0, 2048).double(), trained, rtol=1e-6, atol=0)


@pytest.mark.parametrize(
    ("change", "expected"),
    [({"d": 5}, "even"), ({"factor": 0.5}, "1 or more"), ({"fast": 1.0}, "larger than slow")],
)
def test_frequencies_that_cannot_be_stretched(change: dict[str, float], expected: str) -> None:
    """An odd number of channels, a shorter text and a ramp of no width are refused."""
    given = {"d": 4, "base": 100.0, "factor": 2.0, "n_trained": 50} | change
    with pytest.raises(ValueError, match=expected):
        yarn_frequencies(**given)  # type: ignore[arg-type]
