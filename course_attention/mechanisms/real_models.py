"""Notebook 14: what lies between the course's own functions and the models that a library publishes."""

from jaxtyping import Float
from torch import Tensor


def split_fused(
    weight: Float[Tensor, "d_model d_fused"], n_heads: int
) -> tuple[
    Float[Tensor, "d_model d_heads"], Float[Tensor, "d_model d_heads"], Float[Tensor, "d_model d_heads"]
]:
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


def to_neighbouring_pairs(
    weight: Float[Tensor, "d_model d_heads"], n_heads: int
) -> Float[Tensor, "d_model d_heads"]:
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
