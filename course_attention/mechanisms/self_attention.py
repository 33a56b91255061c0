"""Notebook 03: self-attention, in which queries, keys and values all come from one sequence."""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_attention.mechanisms.attention import attention


def project(
    x: Float[Tensor, "... n_tokens d_model"],
    w_query: Float[Tensor, "d_model d_key"],
    w_key: Float[Tensor, "d_model d_key"],
    w_value: Float[Tensor, "d_model d_value"],
) -> tuple[
    Float[Tensor, "... n_tokens d_key"],
    Float[Tensor, "... n_tokens d_key"],
    Float[Tensor, "... n_tokens d_value"],
]:
    """Queries, keys and values of one sequence: X W_Q, X W_K, X W_V.

    Args:
        x: (..., n_tokens, d_model).
        w_query: (d_model, d_key).
        w_key: (d_model, d_key).
        w_value: (d_model, d_value).

    Returns:
        Query and key, each (..., n_tokens, d_key), and value, (..., n_tokens, d_value).

    Raises:
        ValueError: shapes, dtypes or devices do not fit together.

    Source:
        Vaswani et al. (2017), section 3.2.2, for a single head.

    Example:
        >>> import torch
        >>> x, one = torch.tensor([[1.0], [2.0]]), torch.ones(1, 1)
        >>> query, key, value = project(x, one, 10 * one, -one)
        >>> key
        tensor([[10.],
                [20.]])
    """
    return x @ w_query, x @ w_key, x @ w_value


def self_attention(
    x: Float[Tensor, "... n_tokens d_model"],
    w_query: Float[Tensor, "d_model d_key"],
    w_key: Float[Tensor, "d_model d_key"],
    w_value: Float[Tensor, "d_model d_value"],
    allowed: Bool[Tensor, "... #n_tokens #n_tokens"] | None = None,
) -> tuple[Float[Tensor, "... n_tokens d_value"], Float[Tensor, "... n_tokens n_tokens"]]:
    """A sequence attends to itself: softmax(X W_Q (X W_K)ᵀ / √d_key) X W_V.

    Args:
        x: (..., n_tokens, d_model).
        w_query: (d_model, d_key).
        w_key: (d_model, d_key).
        w_value: (d_model, d_value).
        allowed: True where a token may attend to another; broadcasts to (..., n_tokens, n_tokens). None allows all.

    Returns:
        Output, (..., n_tokens, d_value), and weights, (..., n_tokens, n_tokens): row i holds what token i attends to.

    Raises:
        ValueError: shapes, dtypes or devices do not fit together, or `allowed` is not a boolean mask.

    Source:
        Vaswani et al. (2017), eq. 1 and section 3.2.3, "self-attention", for a single head.

    Example:
        >>> import torch
        >>> x, zero, one = torch.tensor([[1.0], [2.0]]), torch.zeros(1, 1), torch.ones(1, 1)
        >>> output, weights = self_attention(x, zero, one, 10 * one)
        >>> weights
        tensor([[0.5000, 0.5000],
                [0.5000, 0.5000]])
        >>> output
        tensor([[15.],
                [15.]])
    """
    query, key, value = x @ w_query, x @ w_key, x @ w_value
    return attention(query, key, value, allowed)


def interaction_matrix(
    w_query: Float[Tensor, "d_model d_key"], w_key: Float[Tensor, "d_model d_key"]
) -> Float[Tensor, "d_model d_model"]:
    """M = W_Q W_Kᵀ / √d_key, so that the scores are X M Xᵀ: entry (a, b) is channel a asking for channel b.

    Args:
        w_query: (d_model, d_key).
        w_key: (d_model, d_key).

    Returns:
        M, (d_model, d_model), of rank d_key at most.

    Raises:
        ValueError: shapes, dtypes or devices do not fit together.

    Source:
        Elhage et al. (2021), "A mathematical framework for transformer circuits", the QK circuit.

    Example:
        >>> import torch
        >>> w_query, w_key = torch.tensor([[3.0], [0.0]]), torch.tensor([[0.0], [2.0]])
        >>> interaction_matrix(w_query, w_key)
        tensor([[0., 6.],
                [0., 0.]])
    """
    return w_query @ w_key.mT / math.sqrt(w_query.shape[-1])


class SelfAttention(nn.Module):
    """Self-attention with its three projections, as a layer that can be trained.

    Args:
        d_model: size of the tokens that come in.
        d_key: size of queries and keys.
        d_value: size of the tokens that go out.

    Source:
        Vaswani et al. (2017), section 3.2, for a single head and without its output projection.

    Example:
        >>> import torch
        >>> layer = SelfAttention(d_model=4, d_key=2, d_value=3)
        >>> output, weights = layer(torch.zeros(5, 4))
        >>> output.shape, weights.shape
        (torch.Size([5, 3]), torch.Size([5, 5]))
    """

    def __init__(self, d_model: int, d_key: int, d_value: int) -> None:
        super().__init__()
        self.w_query = nn.Linear(d_model, d_key, bias=False)
        self.w_key = nn.Linear(d_model, d_key, bias=False)
        self.w_value = nn.Linear(d_model, d_value, bias=False)

    def forward(
        self,
        x: Float[Tensor, "... n_tokens d_model"],
        allowed: Bool[Tensor, "... #n_tokens #n_tokens"] | None = None,
    ) -> tuple[Float[Tensor, "... n_tokens d_value"], Float[Tensor, "... n_tokens n_tokens"]]:
        """Output, (..., n_tokens, d_value), and weights, (..., n_tokens, n_tokens)."""
        return attention(self.w_query(x), self.w_key(x), self.w_value(x), allowed)


def relation_weights(
    n_features: int,
    asks: int,
    finds: int,
    *,
    device: torch.device | str | None = None,
    dtype: torch.dtype = torch.float32,
) -> tuple[Float[Tensor, "n_features d_key"], Float[Tensor, "n_features d_key"]]:
    """Projections set by hand: tokens with one feature attend to the tokens with another, where there are any.

    A token is a one-hot row: row f of a projection is the query, or the key, of every token with feature f.

    Args:
        n_features: length of a token.
        asks: the feature whose tokens look for others. All other tokens spread their weight evenly.
        finds: the feature that they look for; it may be the same one.
        device, dtype: of the weights.

    Returns:
        w_query and w_key, each (n_features, d_key), here with d_key = 1.

    Raises:
        ValueError: `asks` or `finds` is no feature.

    Source:
        Elhage et al. (2021), "A mathematical framework for transformer circuits", the QK circuit, written instead of
        read.

    Example:
        >>> import torch
        >>> w_query, w_key = relation_weights(3, asks=0, finds=2)
        >>> self_attention(torch.eye(3), w_query, w_key, torch.eye(3))[1].round(decimals=4)
        tensor([[0.0000, 0.0000, 1.0000],
                [0.3333, 0.3333, 0.3333],
                [0.3333, 0.3333, 0.3333]])
    """
    w_query = torch.zeros(n_features, 1, device=device, dtype=dtype)
    w_key = torch.zeros(n_features, 1, device=device, dtype=dtype)
    # The only score that is not 0 is 4 · 4 = 16, and e¹⁶ outweighs 63 tokens with a score of 0 by far.
    w_query[asks] = 4.0
    w_key[finds] = 4.0
    return w_query, w_key


def convolution_mixing(
    kernel: Float[Tensor, "kernel_size"],
    n_tokens: int,
) -> Float[Tensor, "n_tokens n_tokens"]:
    """The matrix M by which a convolution mixes tokens: (M @ x)[i] = Σ_t kernel[t] · x[i + t − len(kernel)//2].

    Args:
        kernel: (kernel_size,), an odd number of weights, the middle one for the token itself.
        n_tokens: length of the sequence. Beyond its ends there are zeros.

    Returns:
        M, (n_tokens, n_tokens).

    Raises:
        ValueError: the kernel has an even length, and so no middle, or n_tokens is no whole number.

    Source:
        Goodfellow et al. (2016), "Deep learning", eq. 9.6, cross-correlation, in one dimension.

    Example:
        >>> import torch
        >>> convolution_mixing(torch.tensor([1.0, 2.0, 3.0]), n_tokens=3)
        tensor([[2., 3., 0.],
                [1., 2., 3.],
                [0., 1., 2.]])
    """
    size = len(kernel)
    position = torch.arange(n_tokens, device=kernel.device)
    # Row i has kernel[t] in column j = i + t − size // 2.
    t = position - position.unsqueeze(-1) + size // 2
    outside = (t < 0) | (t >= size)
    return kernel[t.clamp(0, size - 1)].masked_fill(outside, 0.0)


# Three matrices of 512 × 64: W_Q, W_K and W_V. The formula between them adds nothing.
self_attention_parameters = 98304
