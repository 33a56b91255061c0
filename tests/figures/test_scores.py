"""Heat maps side by side, and one number before and after."""

from __future__ import annotations

import numpy as np

from course_attention.figures.scores import dumbbell_plot, side_by_side


def test_one_map_per_score():
    """Every score has its heat map, under its name; left-over axes are hidden."""
    weights = {name: np.eye(2) for name in ("dot product", "cosine", "Gaussian", "bilinear", "additive")}
    axes = side_by_side(weights, ["q0", "q1"], ["k0", "k1"])
    shown = [ax for ax in axes.flat if ax.axison]
    assert [ax.get_title() for ax in shown] == list(weights)


def test_before_and_after():
    """Both numbers of each score stand on its line."""
    ax = dumbbell_plot({"a": 0.1, "b": 0.2}, {"a": 0.3, "b": 0.4}, ("before", "after"))
    points = {line.get_label(): list(line.get_xdata()) for line in ax.lines}
    assert points["before"] == [0.1, 0.2]
    assert points["after"] == [0.3, 0.4]
