"""The pictures of notebook 00 show the numbers they are given."""

from __future__ import annotations

import numpy as np

from course_attention.figures.softmax import overflow, temperatures


def test_temperatures():
    """One panel for the scores and one per temperature, with bars as high as the weights."""
    weights = np.array([[0.9, 0.1], [0.6, 0.4]])
    axes = temperatures(np.array([2.0, 0.0]), weights, (0.5, 2.0), names=["a", "b"])
    heights = [[bar.get_height() for bar in ax.patches] for ax in axes]
    assert heights == [[2.0, 0.0], [0.9, 0.1], [0.6, 0.4]]
    assert "2" in axes[2].get_title()


def test_overflow_stops():
    """The line ends at the last finite number, and the limit is named."""
    ax = overflow(np.array([0.0, 1.0, 2.0]), np.array([1.0, 10.0, np.inf]), limit=1.5)
    assert ax.lines[0].get_ydata().tolist() == [0.0, 1.0]
    assert "1.50" in ax.get_title()
