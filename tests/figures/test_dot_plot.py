"""Runs as dots, with their median."""

from __future__ import annotations

import numpy as np

from course_attention.figures.dot_plot import dot_plot


def test_a_dot_for_each_run():
    """Each name has a row, the first on top; every run is a dot, and the line stands at the median."""
    ax = dot_plot({"whole": np.array([1.0, 0.8, 0.9]), "without": np.array([0.1])}, title="t", x_label="share")
    assert [label.get_text() for label in ax.get_yticklabels()] == ["whole", "without"]
    middle, dots = ax.lines[0], ax.lines[1]
    assert list(middle.get_xdata()) == [0.9, 0.9]
    assert sorted(dots.get_xdata()) == [0.8, 0.9, 1.0]
    assert middle.get_zorder() > dots.get_zorder()  # the dots do not hide it
    assert ax.yaxis_inverted() and ax.get_xlabel() == "share"


def test_equal_runs_are_seen():
    """Three runs that came to the same are three dots apart, and none leaves its row."""
    ax = dot_plot({"first": np.zeros(3), "second": np.zeros(40)})
    first, second = (np.asarray(ax.lines[index].get_ydata()) for index in (1, 3))
    assert np.diff(np.sort(first)).min() > 0.05
    assert len(set(second)) == 40 and abs(second - 1).max() < 0.35
