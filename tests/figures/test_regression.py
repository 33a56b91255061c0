"""The regression's pictures show the numbers they are given."""

from __future__ import annotations

import numpy as np

from course_attention.figures.regression import error_against_width, prediction


def test_prediction():
    """Both curves are drawn as given; a query's weights become areas, the largest weight the largest area."""
    grid = np.array([0.0, 1.0])
    weights = np.array([[0.5, 0.5], [0.1, 0.9]])
    ax = prediction(np.array([0.2, 0.8]), np.array([1.0, 2.0]), grid, grid**2, 3 * grid, weights, at=1)
    drawn = [list(line.get_ydata()) for line in ax.lines]
    assert [0.0, 1.0] in drawn
    assert [0.0, 3.0] in drawn
    sizes = ax.collections[0].get_sizes()
    assert sizes[1] > sizes[0]


def test_best_width_is_marked():
    """The label names the width of the smallest error."""
    ax = error_against_width(np.array([0.1, 0.25, 1.0]), {"left out": np.array([3.0, 1.0, 2.0])})
    assert "0.25" in ax.get_legend().get_texts()[0].get_text()
