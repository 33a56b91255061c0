"""What each normaliser keeps is what its formula says."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.attention.normalisers import (
    NORMALISERS,
    NormaliserProperties,
    properties_of,
)

EXPECTED = {
    "softmax": NormaliserProperties(True, True, True, False, True, True),
    "1/n_keys": NormaliserProperties(False, False, False, False, True, True),
    "ReLU / n_keys": NormaliserProperties(False, True, False, False, True, True),
    "ReLU / sum": NormaliserProperties(True, True, False, True, True, False),
}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", NORMALISERS)
def test_kept(name, seed):
    """The table holds at every seed."""
    assert properties_of(NORMALISERS[name], seed) == EXPECTED[name]


def test_a_plain_sum_sees_copies():
    """Without any normaliser a key given twice counts twice."""
    assert not properties_of(torch.relu).ignores_copy
