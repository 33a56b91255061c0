"""The counts of the two similarities are those of their loops."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_attention.experiments.attention.cosine_similarity import (
    cosine_over_dot,
    largest_softmax_weight,
    score_cost,
)
from course_attention.experiments.attention.score_functions import cosine_scores

sizes = st.integers(1, 6)


@given(sizes, sizes, sizes)
def test_counted_by_loops(n_queries, n_keys, d_key):
    """Each multiply–add and each division of the loops is counted once."""
    dot = sum(1 for _ in range(n_queries) for _ in range(n_keys) for _ in range(d_key))
    rows = sum(2 for _ in range(n_queries + n_keys) for _ in range(d_key))
    per_pair = sum(3 * d_key + 1 for _ in range(n_queries) for _ in range(n_keys))
    cost = score_cost(n_queries, n_keys, d_key)
    assert (cost.dot, cost.cosine, cost.cosine_per_pair) == (dot, dot + rows, per_pair)


def test_norms_cost_little_on_long_sequences():
    """The counted ratio is 1 + 4/n: 2 at 4 tokens, under 1.01 at 1024; taken per pair it stays above 3."""
    ratios = cosine_over_dot((4, 1024))
    assert ratios.counted[0] == 2
    assert 1 < ratios.counted[1] < 1.01
    assert (ratios.counted_per_pair > 3).all()
    assert (ratios.clocked > 0).all()


def test_sharpest_is_reached():
    """The bound is the weight of one key along the query among others against it."""
    query, key = torch.tensor([[1.0, 0.0]]), torch.tensor([[5.0, 0.0]] + [[-2.0, 0.0]] * 63)
    weights = cosine_scores(query, key).softmax(-1)
    assert np.isclose(weights.max().item(), largest_softmax_weight([64])[0])


def test_cosine_ignores_length():
    """Neither a longer query nor a longer key changes a cosine."""
    query, key = torch.randn(3, 4, dtype=torch.float64), torch.randn(5, 4, dtype=torch.float64)
    assert torch.allclose(cosine_scores(query, key), cosine_scores(7 * query, 0.1 * key))
