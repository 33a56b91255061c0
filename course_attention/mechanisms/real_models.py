"""Notebook 14: what lies between the course's own functions and the models that a library publishes."""

from jaxtyping import Float
from torch import Tensor

from course_attention.mechanisms.language_model import grouped_query_attention


def split_fused(
    weight: Float[Tensor, "d_model d_fused"], n_heads: int
) -> tuple[Float[Tensor, "d_model d_heads"], Float[Tensor, "d_model d_heads"], Float[Tensor, "d_model d_heads"]]:
    """Take a fused projection apart, in which the columns of each head are its query, its key and its value.

    Args:
        weight: (d_model, n_heads·3·d_head), applied as x @ weight.
        n_heads: how many heads there are.

    Returns:
        w_query, w_key and w_value, each (d_model, n_heads·d_head).

    Raises:
        ValueError: the columns cannot be divided among n_heads heads with three parts each.

    Source:
        Black et al. (2022), "GPT-NeoX-20B", whose published weights are stored in this order.

    Example:
        >>> import torch
        >>> weight = torch.arange(6.0).reshape(1, 6)  # 2 heads, d_head 1
        >>> [part.tolist() for part in split_fused(weight, n_heads=2)]
        [[[0.0, 3.0]], [[1.0, 4.0]], [[2.0, 5.0]]]
    """
    by_head = weight.unflatten(-1, (n_heads, 3, -1))  # (d_model, n_heads, 3, d_head)
    w_query, w_key, w_value = by_head.unbind(-2)
    return w_query.flatten(-2), w_key.flatten(-2), w_value.flatten(-2)


def to_neighbouring_pairs(weight: Float[Tensor, "d_model d_heads"], n_heads: int) -> Float[Tensor, "d_model d_heads"]:
    """Reorder the columns of W_Q or W_K from rotary pairs (i, i + d_head/2) to the pairs (2i, 2i + 1) of `rotary`.

    Args:
        weight: (d_model, n_heads·d_head), applied as x @ weight; d_head is even.
        n_heads: how many heads there are.

    Returns:
        The same columns, (d_model, n_heads·d_head), reordered in each head.

    Raises:
        ValueError: the columns cannot be divided among n_heads heads with an even d_head.

    Source:
        Su et al. (2021), "RoFormer", eq. 34, turns neighbours; Touvron et al. (2023), "LLaMA", published for the
        library transformers, turns halves.

    Example:
        >>> import torch
        >>> weight = torch.arange(6.0).reshape(1, 6)  # one head; 0 and 3 are a pair, 1 and 4, 2 and 5
        >>> to_neighbouring_pairs(weight, n_heads=1)
        tensor([[0., 3., 1., 4., 2., 5.]])
    """
    halves = weight.unflatten(-1, (n_heads, 2, -1))  # (d_model, n_heads, first or second of a pair, d_head/2)
    return halves.mT.flatten(-3)


def interface_attention(
    query: Float[Tensor, "batch n_heads n_queries d_key"],
    key: Float[Tensor, "batch n_groups n_keys d_key"],
    value: Float[Tensor, "batch n_groups n_keys d_value"],
    bias: Float[Tensor, "batch 1 n_queries n_keys"] | None,
    scaling: float,
) -> tuple[Float[Tensor, "batch n_queries n_heads d_value"], Float[Tensor, "batch n_heads n_queries n_keys"]]:
    """Attention with the arguments that the library transformers hands over, and in the layout that it wants.

    Args:
        query: (batch, n_heads, n_queries, d_key).
        key: (batch, n_groups, n_keys, d_key); consecutive heads share a group.
        value: (batch, n_groups, n_keys, d_value).
        bias: (batch, 1, n_queries, n_keys), 0 where a query may attend, the most negative number of its dtype or −∞
            where it may not; None where everything is allowed.
        scaling: a positive number, by which the products are multiplied in the place of 1/√d_key.

    Returns:
        Output, (batch, n_queries, n_heads, d_value), and weights, (batch, n_heads, n_queries, n_keys). A query that
        may attend to nothing gets zeros.

    Raises:
        ValueError: shapes, dtypes or devices do not fit together, n_groups does not divide n_heads, or scaling is
            not positive.

    Source:
        Wolf et al. (2020), "Transformers": its interface for attention functions.

    Example:
        >>> import torch
        >>> query, key = torch.zeros(1, 2, 1, 4), torch.zeros(1, 1, 2, 4)  # 2 heads share a group, 2 keys
        >>> value = torch.tensor([[[[5.0], [7.0]]]])
        >>> bias = torch.tensor([[[[0.0, torch.finfo(torch.float32).min]]]])  # the second key is blocked
        >>> output, weights = interface_attention(query, key, value, bias, scaling=0.5)
        >>> output.shape, output.flatten().tolist()
        (torch.Size([1, 1, 2, 1]), [5.0, 5.0])
    """
    query = query * (scaling * query.shape[-1] ** 0.5)  # attention divides by √d_key
    allowed = None if bias is None else bias == 0
    output, weights = grouped_query_attention(query, key, value, allowed)
    return output.transpose(1, 2), weights
