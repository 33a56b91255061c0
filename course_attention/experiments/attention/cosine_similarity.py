"""Cosine similarity compared with the dot product: its cost, and the largest weight that it allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor

from course_attention.experiments.attention.score_functions import cosine_scores
from course_attention.experiments.common.threads import one_thread
from course_attention.experiments.common.timing import seconds


@dataclass(frozen=True)
class Cost:
    """Multiply–adds of all scores between `n_queries` and `n_keys`; a division counts as one.

    Attributes:
        dot: dot products.
        cosine: cosines, each row divided by its norm once, before the products.
        cosine_per_pair: cosines, both norms computed anew for each pair, as in the formula.
    """

    dot: int
    cosine: int
    cosine_per_pair: int


def score_cost(n_queries: int, n_keys: int, d_key: int) -> Cost:
    """Count the multiply–adds of dot product and cosine scores.

    Example:
        >>> score_cost(n_queries=2, n_keys=3, d_key=4)
        Cost(dot=24, cosine=64, cosine_per_pair=78)
    """
    pairs = n_queries * n_keys
    dot = pairs * d_key
    # per row: d_key squares summed, d_key divisions
    rows = (n_queries + n_keys) * 2 * d_key
    # per pair: three sums of d_key products, and one division
    return Cost(dot, dot + rows, 3 * dot + pairs)


def dot_scores(query: Tensor, key: Tensor) -> Tensor:
    """Plain dot products: `(..., n_queries, n_keys)`.

    Example:
        >>> dot_scores(torch.tensor([[1.0, 2.0]]), torch.tensor([[3.0, 4.0]]))
        tensor([[11.]])
    """
    return query @ key.mT


@dataclass(frozen=True)
class Ratios:
    """Cost of the cosine divided by that of the dot product, counted and timed; each array is `(n_lengths,)`."""

    lengths: np.ndarray
    counted: np.ndarray
    counted_per_pair: np.ndarray
    clocked: np.ndarray


@one_thread()
def cosine_over_dot(
    lengths: Sequence[int] = (4, 16, 64, 256, 1024), d_key: int = 64, device: str | torch.device = "cpu"
) -> Ratios:
    """Compare both similarities at several lengths, each the number of queries and of keys."""
    rows = []
    for n in lengths:
        generator = torch.Generator().manual_seed(n)
        query, key = (torch.randn(n, d_key, generator=generator).to(device) for _ in range(2))
        cost = score_cost(n, n, d_key)
        cosine, dot = (
            seconds(partial(scores, query, key), device, n_tries=30)[1]
            for scores in (cosine_scores, dot_scores)
        )
        rows.append((cost.cosine / cost.dot, cost.cosine_per_pair / cost.dot, cosine / dot))
    return Ratios(np.asarray(lengths), *np.array(rows).T)


def largest_softmax_weight(n_keys: Sequence[int], largest_score: float = 1.0) -> np.ndarray:
    """The largest weight that a softmax can give when scores lie between ±`largest_score`: `(n_sizes,)`.

    One key then has the score +largest_score, and all others have −largest_score. For a cosine, largest_score is 1.

    Example:
        >>> largest_softmax_weight([1, 64]).round(3)
        array([1.   , 0.105])
    """
    others = np.asarray(n_keys) - 1
    return 1 / (1 + others * np.exp(-2 * largest_score))
