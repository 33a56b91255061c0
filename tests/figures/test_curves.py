"""Lines are medians, bands reach from the smallest run to the largest."""

from __future__ import annotations

import numpy as np

from course_attention.figures import style
from course_attention.figures.curves import curves


def test_median_and_band():
    """The line is the median of three runs; the band spans all three."""
    runs = np.array([[1.0, 2.0], [2.0, 5.0], [9.0, 3.0]])
    ax = curves(np.array([10, 20]), {"accuracy": runs}, x_label="length", y_label="share")
    assert np.array_equal(ax.lines[0].get_ydata(), [2.0, 3.0])
    heights = ax.collections[0].get_paths()[0].vertices
    assert {tuple(point) for point in heights} >= {(10, 1), (10, 9), (20, 2), (20, 5)}
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("length", "share")


def test_single_run():
    """One run has no spread to show."""
    ax = curves(np.arange(3), {"loss": np.array([3.0, 2.0, 1.0])})
    assert not ax.collections
    assert np.array_equal(ax.lines[0].get_ydata(), [3.0, 2.0, 1.0])


def test_own_looks():
    """A name that is given an index looks as the line of this index, whatever is drawn beside it."""
    first = curves(np.arange(2), {"adding": np.zeros(2), "fading": np.zeros(2)})
    alone = curves(np.arange(2), {"fading": np.zeros(2)}, looks={"adding": 0, "fading": 1})
    assert alone.lines[0].get_color() == first.lines[1].get_color() != first.lines[0].get_color()
    assert alone.lines[0].get_marker() == first.lines[1].get_marker()


def test_told_apart():
    """As many lines as there are colours differ in colour, marker and dashes, and each is named."""
    names = [f"line {i}" for i in range(len(style.PALETTE))]
    ax = curves(np.arange(2), {name: np.zeros(2) for name in names})
    assert len({line.get_color() for line in ax.lines}) == len(names)
    assert len({line.get_marker() for line in ax.lines}) == len(names)
    assert len({str(line._dash_pattern) for line in ax.lines}) == len(names)  # no public name for it
    assert [text.get_text() for text in ax.get_legend().get_texts()] == names
