"""A line for each allowed pair; the future is told by its dashes."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from course_attention.figures.mask_graph import mask_graph


@settings(max_examples=15)
@given(arrays(bool, (4, 4), elements=st.booleans()))
def test_lines_are_pairs(allowed):
    """From query i above to key j below, for the allowed pairs alone; dashed where j comes after i."""
    ax = mask_graph(allowed, "abcd")
    drawn = {tuple(map(int, line.get_xdata())): line.get_linestyle() for line in ax.lines}
    plt.close("all")
    assert set(drawn) == {(i, j) for i, j in np.argwhere(allowed)}
    assert all((style == "--") is (j > i) for (i, j), style in drawn.items())
    assert all(list(line.get_ydata()) == [1, 0] for line in ax.lines)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["keys", "queries"]


def test_blind_query_is_empty():
    """A query that sees nothing, and a key that nobody sees, are empty circles."""
    ax = mask_graph(np.array([[False, False], [True, False]]), "ab", title="see")
    queries, keys = (circles.get_facecolors()[:, 0].tolist() for circles in ax.collections)
    assert (queries, keys) == ([1.0, 0.0], [0.0, 1.0])
    assert ax.get_title() == "see"
