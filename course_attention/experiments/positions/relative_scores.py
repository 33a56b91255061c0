"""Scores of one query and one key at all positions: do they depend on the offset alone?"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from course_attention.mechanisms.positions import rotary, sinusoidal_encoding


def shifted_scores(
    query: Tensor,
    key: Tensor,
    n_positions: int,
    encode: Callable = sinusoidal_encoding,
    rotate: Callable = rotary,
) -> dict[str, Tensor]:
    """Scores of a query at position i with a key at position j, for all i and j: name → `(n_positions, n_positions)`.

    Args:
        query, key: `(d_head,)`, the same at every position.
        n_positions: how many positions.
        encode: makes the encoding that is added.
        rotate: applies rotary positions.

    Returns:
        Scores without positions ("none"), with an encoding added to both ("added"), and with both rotated ("rotary").

    Example:
        >>> scores = shifted_scores(torch.ones(2), torch.ones(2), 3)
        >>> scores["none"][0], spread_along_diagonals(scores["rotary"]) < 1e-6
        (tensor([2., 2., 2.]), True)
    """
    query, key = (vector.expand(n_positions, -1) for vector in (query, key))
    encoding = encode(n_positions, query.shape[-1]).to(query)
    place = torch.arange(n_positions, device=query.device)
    return {
        "none": query @ key.mT,
        "added": (query + encoding) @ (key + encoding).mT,
        "rotary": rotate(query, place) @ rotate(key, place).mT,
    }


def spread_along_diagonals(scores: Tensor) -> float:
    """The largest difference between two scores with the same i − j.

    Example:
        >>> spread_along_diagonals(torch.tensor([[1.0, 5.0], [7.0, 1.5]]))
        0.5
    """
    n = len(scores)
    diagonals = (scores.diagonal(offset) for offset in range(1 - n, n))
    return max(float(diagonal.max() - diagonal.min()) for diagonal in diagonals)
