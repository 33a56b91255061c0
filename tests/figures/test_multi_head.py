"""The drawings of heads cut what is cut, and give each head its own block."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_attention.figures.multi_head import output_as_sum, whole_layer


def texts(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts]


def framed(ax: Axes) -> list[tuple[float, float]]:
    """Width and height of each block that belongs to one head, which has a thick frame."""
    patches = [patch for patch in ax.patches if isinstance(patch, Rectangle) and patch.get_linewidth() == 3]
    return [(patch.get_width(), patch.get_height()) for patch in patches]


def test_the_rows_of_the_projections_are_not_cut():
    """A head's blocks of W_Q, W_K and W_V have all d_model rows, and its own Q, K and V have all tokens."""
    ax = whole_layer(n_tokens=3, d_model=6, d_head=2)
    blocks = framed(ax)
    assert blocks.count((2, 6)) == 6  # of the three projections
    assert blocks.count((2, 3)) == 16  # of Q, K, V and the merged heads; each head's own Q, K, V and result
    assert blocks.count((6, 2)) == 2  # of W_O
    assert texts(ax).count("d_model, not cut") == 1
    assert [text for text in texts(ax) if text.startswith("$A_")] == ["$A_0$", "$A_1$"]


def test_all_three_are_cut_and_all_heads_are_merged():
    """A short line leaves each of Q, K and V for the upright line at the cut, and each head for that at the merge."""
    ends = [line.get_xdata()[1] for line in whole_layer().lines if np.ptp(line.get_ydata()) == 0]
    assert [ends.count(x) for x in dict.fromkeys(ends)] == [3, 2, 1]  # the last leads on to the merged heads


def test_a_term_for_each_head():
    """Each head has one block of d_value rows of W_O, in the matrix and in its own term of the sum."""
    ax = output_as_sum(n_tokens=3, d_head=2, n_heads=4, d_out=5)
    assert framed(ax).count((5, 2)) == 8
    assert framed(ax).count((2, 3)) == 8
    assert texts(ax).count("+") == 3 and texts(ax).count("×") == 5
    assert [text for text in texts(ax) if text.startswith("head ")] == [f"head {i}" for i in range(4) for _ in "12"]
    assert [text for text in texts(ax) if "adds" in text] == [f"what head {i} adds" for i in range(4)]
