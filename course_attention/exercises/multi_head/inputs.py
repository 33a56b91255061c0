"""Inputs that the cases of several exercises of this topic are made of."""

from __future__ import annotations

import numpy as np

from course_attention.execution.protocol import Array
from course_attention.judging.drawing import Draw

BY_HAND = "3 tokens, 2 heads, d_key 1, d_value 1"


SQUARE_BY_HAND = "2 tokens, 2 heads, d_key 1, d_value 1"  # a mask without a batch lines up with the heads


def drawn_weights(
    draw: Draw, d_model: int, n_heads: int, d_key: int, d_value: int, d_out: int, **kind
) -> dict:
    return {
        "w_query": draw.normal(d_model, n_heads * d_key, **kind),
        "w_key": draw.normal(d_model, n_heads * d_key, **kind),
        "w_value": draw.normal(d_model, n_heads * d_value, **kind),
        "w_out": draw.normal(n_heads * d_value, d_out, **kind),
    }


def nothing_for(n_queries: int, n_keys: int, query: int) -> Array:
    mask = np.ones((n_queries, n_keys), dtype=bool)
    mask[np.arange(n_queries), np.arange(n_queries) % n_keys] = False
    mask[query] = False
    return Array(mask, "bool")


def large_inputs() -> dict[str, Array]:
    """Scores near ±10,000, far enough apart that rounding does not decide which token wins; in head 1 turned round."""
    numbers = {
        "x": [[103.0], [-106.0], [100.0]],
        "w_query": [[1.0, -1.0]],
        "w_key": [[1.0, 1.0]],
        "w_value": [[1.0, -0.5]],
        "w_out": [[1.0, 0.5], [-0.5, 2.0]],
    }
    return {name: Array(np.array(values), "float32") for name, values in numbers.items()}


# Allows only the lowest score of each token in head 0: a fill that is not low enough shows.
LOWEST = Array(np.array([[False, True, False], [True, False, False], [False, True, False]]), "bool")
