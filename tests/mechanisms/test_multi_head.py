"""Multi-head attention: heads come apart and together, agree with PyTorch's, and count what they should."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from course_attention import (
    MultiHeadAttention,
    attention,
    merge_heads,
    multi_head_attention,
    multi_head_parameters,
    split_heads,
    transplant,
)
from course_attention.exercises import CATALOGUE
from course_attention.experiments.multi_head.torch_multi_head import differences

sizes = st.integers(min_value=1, max_value=4)
batches = st.lists(sizes, max_size=2)


def _weights(d_model: int, n_heads: int, d_key: int, d_value: int, d_out: int, **kind) -> list[torch.Tensor]:
    shapes = [(d_model, n_heads * d_key)] * 2 + [(d_model, n_heads * d_value), (n_heads * d_value, d_out)]
    return [torch.randn(*shape, **kind) for shape in shapes]


@given(batch=batches, n_heads=sizes, n_tokens=sizes, d_head=sizes)
def test_there_and_back(batch: list[int], n_heads: int, n_tokens: int, d_head: int) -> None:
    """Head h of a token holds its channels from h·d_head on, and merging undoes splitting, whatever the sizes."""
    x = torch.arange(float(np.prod([*batch, n_tokens, n_heads, d_head]))).reshape(*batch, n_tokens, n_heads * d_head)
    heads = split_heads(x, n_heads)
    assert heads.shape == (*batch, n_heads, n_tokens, d_head)
    for h in range(n_heads):
        assert torch.equal(heads[..., h, :, :], x[..., h * d_head : (h + 1) * d_head])
    assert torch.equal(merge_heads(heads), x)


@given(
    batch=batches,
    n_tokens=sizes,
    d_model=sizes,
    n_heads=sizes,
    d_key=sizes,
    d_value=sizes,
    d_out=sizes,
    seed=st.integers(0, 99),
)
def test_any_shape(
    batch: list[int],
    n_tokens: int,
    d_model: int,
    n_heads: int,
    d_key: int,
    d_value: int,
    d_out: int,
    seed: int,
) -> None:
    """It agrees with its oracle for any shape and any mask, sizes of 1 and no batch included."""
    rng = np.random.default_rng(seed)
    x, allowed = rng.normal(size=(*batch, n_tokens, d_model)), rng.random((*batch, n_tokens, n_tokens)) < 0.6
    shapes = [(d_model, n_heads * d_key)] * 2 + [(d_model, n_heads * d_value), (n_heads * d_value, d_out)]
    weights = [rng.normal(size=shape) for shape in shapes]
    expected = CATALOGUE["multi_head_attention"].exercise.oracle(x, *weights, n_heads, allowed)
    received = multi_head_attention(
        torch.from_numpy(x), *map(torch.from_numpy, weights), n_heads, torch.from_numpy(allowed)
    )
    for right, came in zip(expected, received, strict=True):
        np.testing.assert_allclose(came.numpy(), right, atol=1e-12)


@pytest.mark.parametrize("masked", [False, True])
def test_as_torch_does(dtype: torch.dtype, masked: bool, device: str) -> None:
    """On the same weights our module and PyTorch's agree to rounding: output, weights and all gradients."""
    for seed in range(3):
        apart = differences(dtype, masked, seed=seed, device=device)
        assert len(apart) == 7 and max(apart.values()) < 32, apart


def test_sum_over_heads(device: str) -> None:
    """Each head adds its own part: its attention's output through its own rows of w_out."""
    x = torch.randn(2, 5, 6, device=device, dtype=torch.float64)
    w_query, w_key, w_value, w_out = _weights(6, 3, 2, 4, 7, device=device, dtype=torch.float64)
    total = 0
    for h in range(3):
        keys, values = slice(2 * h, 2 * h + 2), slice(4 * h, 4 * h + 4)
        head, _ = attention(x @ w_query[:, keys], x @ w_key[:, keys], x @ w_value[:, values])
        total = total + head @ w_out[values]
    torch.testing.assert_close(multi_head_attention(x, w_query, w_key, w_value, w_out, 3)[0], total)


def test_nothing_allowed(dtype: torch.dtype, device: str) -> None:
    """A token that may attend to nothing gets weights of 0 in every head, output 0, and finite gradients all round."""
    layer = MultiHeadAttention(6, 3).to(device, dtype)
    x = torch.randn(2, 4, 6, device=device).to(dtype).requires_grad_()
    allowed = torch.ones(4, 4, dtype=torch.bool, device=device).tril(-1)
    output, weights = layer(x, allowed=allowed)
    output.float().square().sum().backward()
    assert (weights[:, :, 0] == 0).all() and (output[:, 0] == 0).all() and output.dtype == dtype
    assert (weights[:, :, ~allowed] == 0).all()
    assert all(t.grad.isfinite().all() for t in (x, *layer.parameters()))


def test_one_mask_for_all_heads(device: str) -> None:
    """A mask without a head axis holds in every head, with as many heads as items in the batch too."""
    x = torch.randn(3, 4, 6, device=device)
    allowed = torch.rand(3, 4, 4, device=device) < 0.5
    weights = multi_head_attention(x, *_weights(6, 3, 2, 2, 6, device=device), 3, allowed)[1]
    assert ((weights > 0) == allowed.unsqueeze(1)).all()


def test_key_and_value() -> None:
    """Without a key the query is the key, without a value the key is the value; lengths may differ."""
    layer = MultiHeadAttention(6, 2, d_key=5, d_value=4)
    x, context = torch.randn(3, 6), torch.randn(4, 6)
    for short, whole in (((x,), (x, x, x)), ((x, context), (x, context, context))):
        assert all(torch.equal(a, b) for a, b in zip(layer(*short), layer(*whole), strict=True))
    assert layer(x, context)[1].shape == (2, 3, 4)
    assert layer.eval()(x)[0].equal(layer.train()(x)[0])


def test_parameters() -> None:
    """The number is what a module of that size holds, and what PyTorch's holds."""
    ours, theirs = MultiHeadAttention(512, 8), nn.MultiheadAttention(512, 8, bias=False)
    for module in (ours, theirs):
        assert sum(p.numel() for p in module.parameters()) == multi_head_parameters
    assert sum(p.numel() for p in MultiHeadAttention(512, 4).parameters()) == multi_head_parameters


def test_transplant_copies() -> None:
    """What is transplanted stays as it is when the other layer learns on."""
    theirs = nn.MultiheadAttention(4, 2, bias=False)
    weights = transplant(theirs)
    before = {name: weight.clone() for name, weight in weights.items()}
    nn.init.zeros_(theirs.in_proj_weight)
    nn.init.zeros_(theirs.out_proj.weight)
    assert all(torch.equal(weights[name], before[name]) for name in before)
    assert not any(weight.requires_grad for weight in weights.values())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: split_heads(torch.ones(2, 6), 4), "divides the last axis of x; got 4 for 6"),
        (lambda: split_heads(torch.ones(6), 2), "x must be"),
        (lambda: merge_heads(torch.ones(2, 3)), "x must be"),
        (lambda: MultiHeadAttention(6, 4), "n_heads must divide d_model=6"),
        (lambda: MultiHeadAttention(6, 4, d_key=2), "n_heads must divide d_model=6"),
        (lambda: transplant(nn.MultiheadAttention(4, 2)), "bias=False"),
        (lambda: transplant(nn.MultiheadAttention(4, 2, bias=False, kdim=3)), "neither kdim nor vdim"),
        (
            lambda: multi_head_attention(torch.ones(2, 4), *[torch.ones(4, 4)] * 3, torch.ones(3, 4), 2),
            r"w_out must be \(d_values=4",
        ),
    ],
)
def test_errors(call, message: str) -> None:
    """What does not fit is refused with the rule and what came."""
    with pytest.raises(ValueError, match=message):
        call()
