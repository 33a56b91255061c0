"""Self-attention, its interaction matrix and the convolution beside it: conventions that hold whatever the sizes."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st

from course_attention import (
    SelfAttention,
    attention,
    convolution_mixing,
    interaction_matrix,
    project,
    self_attention,
    self_attention_parameters,
)

sizes = st.integers(min_value=1, max_value=5)


@given(d_model=sizes, d_key=sizes, n_tokens=sizes, seed=st.integers(0, 99))
def test_interaction(d_model: int, d_key: int, n_tokens: int, seed: int) -> None:
    """The softmax of X M Xᵀ gives the weights of self-attention; M has rank d_key at most."""
    generator = torch.Generator().manual_seed(seed)
    x, w_query, w_key = (
        torch.randn(n, d, generator=generator, dtype=torch.float64)
        for n, d in ((n_tokens, d_model), (d_model, d_key), (d_model, d_key))
    )
    m = interaction_matrix(w_query, w_key)
    torch.testing.assert_close((x @ m @ x.mT).softmax(-1), self_attention(x, w_query, w_key, w_query)[1])
    assert torch.linalg.matrix_rank(m) <= d_key


@given(half=st.integers(0, 4), n_tokens=st.integers(1, 7), seed=st.integers(0, 99))
def test_as_torch_convolves(half: int, n_tokens: int, seed: int) -> None:
    """M @ x is torch's conv1d, for kernels shorter and longer than the sequence."""
    generator = torch.Generator().manual_seed(seed)
    kernel, x = (torch.randn(n, generator=generator, dtype=torch.float64) for n in (2 * half + 1, n_tokens))
    right = F.conv1d(x.view(1, 1, -1), kernel.view(1, 1, -1), padding=half).flatten()
    torch.testing.assert_close(convolution_mixing(kernel, n_tokens) @ x, right)


def test_layer_is_the_function() -> None:
    """The layer is self_attention with the transposed weights of its projections, mask and all."""
    layer, x, allowed = SelfAttention(4, 2, 3).double(), torch.randn(2, 5, 4).double(), torch.rand(5, 5) < 0.6
    weights = (layer.w_query.weight.T, layer.w_key.weight.T, layer.w_value.weight.T)
    for came, right in zip(layer(x, allowed), self_attention(x, *weights, allowed), strict=True):
        torch.testing.assert_close(came, right)


@pytest.mark.parametrize("size", [0, 2, 4])
def test_even_kernel(size: int) -> None:
    """A kernel without a middle is refused, and the error says its length."""
    with pytest.raises(ValueError, match=f"odd length.*got length {size}"):
        convolution_mixing(torch.ones(size), 3)


def test_layer_keeps_dtype_and_device(dtype: torch.dtype, device: str) -> None:
    """The layer works in each dtype on each device, alike in training and evaluation, to the dtype's rounding."""
    layer = SelfAttention(6, 4, 5).to(device, dtype)
    x = torch.randn(2, 3, 6, device=device).to(dtype)
    output, weights = layer(x)
    assert (output.dtype, weights.dtype, output.device.type) == (dtype, dtype, device)
    assert torch.equal(layer.eval()(x)[0], output)
    exact = SelfAttention(6, 4, 5).to(device, torch.float64)
    exact.load_state_dict(layer.state_dict())
    torch.testing.assert_close(output.double(), exact(x.double())[0], rtol=0, atol=40 * torch.finfo(dtype).eps)


def test_kernel_keeps_dtype_and_device(dtype: torch.dtype, device: str) -> None:
    """The mixing matrix has the kernel's dtype and device, and a gradient that counts where each weight stands."""
    kernel = torch.tensor([1.0, 2.0, 4.0], dtype=dtype, device=device, requires_grad=True)
    mixing = convolution_mixing(kernel, 4)
    mixing.sum().backward()
    assert (mixing.dtype, mixing.device.type) == (dtype, device)
    assert kernel.grad.tolist() == [3, 4, 3]


def test_equivariant(device: str) -> None:
    """Tokens in another order give the same outputs in that order."""
    x, *weights = (torch.randn(n, 4, dtype=torch.float64, device=device) for n in (6, 4, 4, 4))
    order = torch.randperm(6, device=device)
    torch.testing.assert_close(self_attention(x[order], *weights)[0], self_attention(x, *weights)[0][order])


def test_one_token_attends_to_itself(device: str) -> None:
    """A single token has a weight of 1, and its output is its value."""
    x, w_query, w_value = (torch.randn(n, 3, device=device) for n in (1, 3, 3))
    output, weights = self_attention(x, w_query, w_query, w_value)
    assert weights.item() == 1
    torch.testing.assert_close(output, x @ w_value)


def test_errors_name_the_argument() -> None:
    """Projections that do not fit are refused by name, with the size expected."""
    x, w = torch.ones(3, 4), torch.ones(4, 2)
    with pytest.raises(ValueError, match=r"w_key must be \(d_model=4, d_key=2\).*got \(5, 2\)"):
        self_attention(x, w, torch.ones(5, 2), w)
    with pytest.raises(ValueError, match=r"w_key must be \(d_model=4, d_key=2\).*got \(4, 3\)"):
        interaction_matrix(w, torch.ones(4, 3))
    with pytest.raises(ValueError, match=r"w_query must be \(d_model=4, d_key\)"):
        project(x, torch.ones(3, 2), w, w)


def test_is_attention_of_the_projections(device: str) -> None:
    """Self-attention is attention of what project gives, mask and all."""
    x, *weights = (torch.randn(n, 4, device=device) for n in (5, 4, 4, 4))
    allowed = torch.rand(5, 5, device=device) < 0.5
    for came, right in zip(
        self_attention(x, *weights, allowed), attention(*project(x, *weights), allowed), strict=True
    ):
        torch.testing.assert_close(came, right)


def test_parameters() -> None:
    """The number is what a layer of these sizes trains."""
    layer = SelfAttention(d_model=512, d_key=64, d_value=64)
    assert sum(parameter.numel() for parameter in layer.parameters()) == self_attention_parameters
