"""The four panels of the explorer show query, scores, weights and output."""

from __future__ import annotations

import numpy as np

from course_attention.figures.attention_2d import attention_2d


def draw(output, axes=None):
    points = np.array([[1.0, 0.0], [0.0, 1.0]])
    scores, weights = np.array([0.5, -0.5]), np.array([0.73, 0.27])
    return attention_2d(np.array([1.0, 0.5]), points, points, scores, weights, np.array(output), ["a", "b"], axes)


def test_bars_and_output():
    """Bars are as long as the numbers, and the cross stands at the output."""
    _, scores, weights, values = draw([0.2, 0.3])
    assert [bar.get_width() for bar in scores.patches] == [0.5, -0.5]
    assert [bar.get_width() for bar in weights.patches] == [0.73, 0.27]
    assert ([0.2], [0.3]) in [(list(line.get_xdata()), list(line.get_ydata())) for line in values.lines]
    assert (values.get_xlabel(), values.get_ylabel()) == ("first channel", "second channel")


def test_drawn_again():
    """Drawn on the same axes again, nothing of the first picture is left."""
    axes = draw([0.2, 0.3])
    counts = [len(ax.get_children()) for ax in axes]
    again = draw([0.9, 0.9], axes)
    assert again is axes
    assert [len(ax.get_children()) for ax in again] == counts
    assert [0.2] not in [list(line.get_xdata()) for line in axes[3].lines]
