"""Notebook 02: attention with queries, keys and values, and its score functions."""

import math

from jaxtyping import Bool, Float
from torch import Tensor


def attention(
    query: Float[Tensor, "... n_queries d_key"],
    key: Float[Tensor, "... n_keys d_key"],
    value: Float[Tensor, "... n_keys d_value"],
    allowed: Bool[Tensor, "... #n_queries #n_keys"] | None = None,
) -> tuple[Float[Tensor, "... n_queries d_value"], Float[Tensor, "... n_queries n_keys"]]:
    """Scaled dot-product attention: softmax(Q Kᵀ / √d_key) V.

    Args:
        query: (..., n_queries, d_key).
        key: (..., n_keys, d_key).
        value: (..., n_keys, d_value).
        allowed: True where a query may attend to a key; broadcasts to (..., n_queries, n_keys). None allows all.

    Returns:
        Output, (..., n_queries, d_value), and weights, (..., n_queries, n_keys). Each row of weights sums to 1, or
        to 0 for a query that may attend to nothing.

    Raises:
        ValueError: shapes, dtypes or devices do not fit together, or `allowed` is not a boolean mask.

    Source:
        Vaswani et al. (2017), eq. 1.

    Example:
        >>> import torch
        >>> query = torch.tensor([[0.0, 0.0]])
        >>> key = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
        >>> output, weights = attention(query, key, value=torch.tensor([[2.0], [4.0]]))
        >>> weights
        tensor([[0.5000, 0.5000]])
        >>> output
        tensor([[3.]])
    """
    scores = query / math.sqrt(query.shape[-1]) @ key.mT
    if allowed is None:
        weights = scores.softmax(dim=-1)
    else:
        # A fully masked row would be NaN: it keeps its scores for the softmax, and is set to 0 after it.
        nothing = ~allowed.any(dim=-1, keepdim=True)
        weights = scores.masked_fill(~(allowed | nothing), float("-inf")).softmax(dim=-1)
        weights = weights.masked_fill(nothing, 0.0)
    return weights @ value, weights


def attention_columns(
    query: Float[Tensor, "d_key n_queries"],
    key: Float[Tensor, "d_key n_keys"],
    value: Float[Tensor, "d_value n_keys"],
) -> Float[Tensor, "d_value n_queries"]:
    """Attention with tokens as columns, unscaled: A = softmax(Qᵀ K), output V Aᵀ.

    Args:
        query: (d_key, n_queries).
        key: (d_key, n_keys).
        value: (d_value, n_keys).

    Returns:
        Output, (d_value, n_queries).

    Raises:
        ValueError: shapes, dtypes or devices do not fit together.

    Source:
        Wang, "Attention Mechanism, part 1" (lecture slides), the definition of attention.

    Example:
        >>> import torch
        >>> key = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
        >>> attention_columns(torch.tensor([[0.0], [0.0]]), key, value=torch.tensor([[2.0, 4.0]]))
        tensor([[3.]])
    """
    return value @ (query.mT @ key).softmax(dim=-1).mT


def bilinear_scores(
    query: Float[Tensor, "... n_queries d_query"],
    key: Float[Tensor, "... n_keys d_key"],
    weight: Float[Tensor, "d_query d_key"],
) -> Float[Tensor, "... n_queries n_keys"]:
    """Scores q W kᵀ: a learned product between vectors of different sizes.

    Args:
        query: (..., n_queries, d_query).
        key: (..., n_keys, d_key).
        weight: W, (d_query, d_key).

    Returns:
        Scores, (..., n_queries, n_keys), unscaled.

    Raises:
        ValueError: shapes, dtypes or devices do not fit together.

    Source:
        Luong et al. (2015), eq. 8, "general".

    Example:
        >>> import torch
        >>> query, key = torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0], [5.0]])
        >>> bilinear_scores(query, key, weight=torch.tensor([[1.0], [10.0]]))
        tensor([[ 63., 105.]])
    """
    return query @ weight @ key.mT


def additive_scores(
    query: Float[Tensor, "... n_queries d_query"],
    key: Float[Tensor, "... n_keys d_key"],
    w_query: Float[Tensor, "d_query d_hidden"],
    w_key: Float[Tensor, "d_key d_hidden"],
    w_score: Float[Tensor, "d_hidden"],
) -> Float[Tensor, "... n_queries n_keys"]:
    """Scores tanh(q W_q + k W_k) · w_score: a small network scores each pair of query and key.

    Args:
        query: (..., n_queries, d_query).
        key: (..., n_keys, d_key).
        w_query: (d_query, d_hidden).
        w_key: (d_key, d_hidden).
        w_score: (d_hidden,).

    Returns:
        Scores, (..., n_queries, n_keys).

    Raises:
        ValueError: shapes, dtypes or devices do not fit together.

    Source:
        Bahdanau et al. (2015), appendix A.1.2.

    Example:
        >>> import torch
        >>> one = torch.ones(1, 1)
        >>> additive_scores(torch.tensor([[1.0]]), torch.tensor([[-1.0], [9.0]]), one, one, torch.tensor([2.0]))
        tensor([[0., 2.]])
    """
    # (..., n_queries, n_keys, d_hidden)
    pairs = (query @ w_query).unsqueeze(-2) + (key @ w_key).unsqueeze(-3)
    return pairs.tanh() @ w_score


def gaussian_scores(
    query: Float[Tensor, "... n_queries d_key"], key: Float[Tensor, "... n_keys d_key"], width: float
) -> Float[Tensor, "... n_queries n_keys"]:
    """Scores −‖q − k‖² / (2·width²): near keys win, and the softmax of them is Nadaraya–Watson regression.

    Args:
        query: (..., n_queries, d_key).
        key: (..., n_keys, d_key).
        width: how far a query sees, in the units of the keys; positive.

    Returns:
        Scores, (..., n_queries, n_keys), at most 0.

    Raises:
        ValueError: shapes, dtypes or devices do not fit together.

    Source:
        Nadaraya (1964), "On estimating regression"; Watson (1964), "Smooth regression analysis".

    Example:
        >>> import torch
        >>> gaussian_scores(torch.tensor([[0.0, 0.0]]), torch.tensor([[3.0, 4.0], [0.0, 0.0]]), width=5.0)
        tensor([[-0.5000, -0.0000]])
    """
    offsets = query.unsqueeze(-2) - key.unsqueeze(-3)  # (..., n_queries, n_keys, d_key)
    return -offsets.square().sum(dim=-1) / (2 * width**2)


def mean_attention(
    query: Float[Tensor, "... n_queries d_key"],
    key: Float[Tensor, "... n_keys d_key"],
    value: Float[Tensor, "... n_keys d_value"],
) -> tuple[Float[Tensor, "... n_queries d_value"], Float[Tensor, "... n_queries n_keys"]]:
    """Attention without a softmax: the dot products, divided by the number of keys, are the weights.

    Args:
        query: (..., n_queries, d_key).
        key: (..., n_keys, d_key).
        value: (..., n_keys, d_value).

    Returns:
        Output, (..., n_queries, d_value), and weights, (..., n_queries, n_keys), of either sign and any sum.

    Raises:
        ValueError: shapes, dtypes or devices do not fit together.

    Source:
        Wang et al. (2018), "Non-local neural networks", eq. 4, dot product with C(x) = N.

    Example:
        >>> import torch
        >>> key = torch.tensor([[2.0], [4.0]])
        >>> output, weights = mean_attention(torch.tensor([[1.0]]), key, value=torch.tensor([[1.0], [1.0]]))
        >>> weights
        tensor([[1., 2.]])
        >>> output
        tensor([[3.]])
    """
    weights = query @ key.mT / key.shape[-2]
    return weights @ value, weights


def cross_attention(
    x: Float[Tensor, "... n_queries d_model"],
    context: Float[Tensor, "... n_keys d_context"],
    w_query: Float[Tensor, "d_model d_key"],
    w_key: Float[Tensor, "d_context d_key"],
    w_value: Float[Tensor, "d_context d_value"],
) -> tuple[Float[Tensor, "... n_queries d_value"], Float[Tensor, "... n_queries n_keys"]]:
    """Attention between two sequences: the queries come from `x`, the keys and values from `context`.

    Args:
        x: (..., n_queries, d_model).
        context: (..., n_keys, d_context); another length and another size than `x` are fine.
        w_query: (d_model, d_key).
        w_key: (d_context, d_key).
        w_value: (d_context, d_value).

    Returns:
        Output, (..., n_queries, d_value), and weights, (..., n_queries, n_keys).

    Raises:
        ValueError: shapes, dtypes or devices do not fit together.

    Source:
        Vaswani et al. (2017), section 3.2.3, "encoder-decoder attention".

    Example:
        >>> import torch
        >>> one = torch.ones(1, 1)
        >>> x, context = torch.tensor([[0.0]]), torch.tensor([[2.0], [4.0]])
        >>> output, weights = cross_attention(x, context, one, one, one)
        >>> output
        tensor([[3.]])
    """
    return attention(x @ w_query, context @ w_key, context @ w_value)


# q·k is a sum of d_key products of independent entries with variance 1, and each product has variance 1: d_key = 256.
score_variance = 256
