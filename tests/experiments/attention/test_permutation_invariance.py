"""The order of keys and values does not matter to attention, as long as the two keep together."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.attention.permutation_invariance import output_changes


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("dtype", "rounding"), [(torch.float32, 1e-5), (torch.float64, 1e-13)])
def test_shuffles(seed, dtype, rounding):
    """Keys and values shuffled alike change nothing but rounding; either alone changes the output."""
    generator = torch.Generator().manual_seed(seed)
    query, key, value = (torch.randn(n, 4, generator=generator, dtype=dtype) for n in (5, 7, 7))
    changes = output_changes(query, key, value, seed=seed)
    assert max(changes.keys_and_values, changes.queries, changes.shifted) < rounding
    assert min(changes.keys_alone, changes.values_alone) > 0.01
