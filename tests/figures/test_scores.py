"""Heat maps of scores, side by side."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest

from course_attention.figures.scores import side_by_side


def test_one_map_per_score():
    """Every score has its heat map, under its name, with its numbers."""
    weights = {"dot product": np.eye(2), "Gaussian": np.full((2, 2), 0.5)}
    axes = side_by_side(weights, ["q0", "q1"], ["k0", "k1"], plt.subplots(1, 2)[1])
    assert [ax.get_title() for ax in axes] == list(weights)
    assert [text.get_text() for text in axes[0].texts] == ["1.0", "0.0", "0.0", "1.0"]


def test_no_number_shares_another_ones_colour():
    """A weight above 1 would have the colour of 1, and a negative one that of 0."""
    axes = plt.subplots(1, 1, squeeze=False)[1]
    for wrong in (1.9, -0.1):
        with pytest.raises(ValueError, match="between 0 and 1"):
            side_by_side({"mean": np.array([[wrong]])}, ["q"], ["k"], axes)
