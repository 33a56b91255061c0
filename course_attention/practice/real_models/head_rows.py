"""The rows of a query's or key's weight, head by head, in the two orders in which channels can turn in pairs."""

from collections.abc import Callable

from torch import Tensor

from course_attention.mechanisms.real_models import to_neighbouring_pairs

Move = Callable[[Tensor], Tensor]


def neighbours(n_heads: int) -> Move:
    """Return what takes the rows of each head from the pairs (i, i + d_head/2) to the pairs (2i, 2i + 1)."""
    return lambda weight: to_neighbouring_pairs(weight.T, n_heads).T


def halves(n_heads: int) -> Move:
    """Return the inverse, from the pairs (2i, 2i + 1) to the pairs (i, i + d_head/2)."""
    return lambda weight: weight.unflatten(0, (n_heads, -1, 2)).transpose(1, 2).flatten(0, 2)
