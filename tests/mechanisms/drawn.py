"""Random inputs for the tests of several topics."""

from __future__ import annotations

import numpy as np


def drawn_triple(
    batch: list[int], n_queries: int, n_keys: int, d_key: int, d_value: int, seed: int
) -> list[np.ndarray]:
    """Draw query, key and value of these sizes."""
    rng = np.random.default_rng(seed)
    shapes = ((n_queries, d_key), (n_keys, d_key), (n_keys, d_value))
    return [rng.normal(size=(*batch, *shape)) for shape in shapes]
