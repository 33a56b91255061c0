"""Matrices are drawn with as many cells as they have, and with the names of their axes."""

from __future__ import annotations

import matplotlib.pyplot as plt
from hypothesis import given
from hypothesis import strategies as st

from course_attention.figures.matrices import Box, equation, equations

sizes = st.integers(1, 4)


@given(sizes, sizes)
def test_cells(n_rows, n_columns):
    """n_rows × n_columns cells, none on top of another."""
    ax = equation([Box("X", (n_rows, n_columns), "n_tokens", "d_model")])
    corners = {patch.get_xy() for patch in ax.patches}
    plt.close("all")
    assert len(corners) == n_rows * n_columns


def test_names():
    """Names, signs and labels of rows are written."""
    ax = equation([Box("X", (2, 1), "n_tokens", "d_model", labels=("the", "cat")), "=", Box("Y", (1, 1), "a", "b")])
    written = {text.get_text() for text in ax.texts}
    assert written == {"X", "n_tokens", "d_model", "the", "cat", "=", "Y", "a", "b"}


def test_boxes_do_not_overlap():
    """Each matrix begins to the right of the one before."""
    ax = equation([Box("A", (2, 2), "r", "c"), "×", Box("B", (2, 3), "r", "c", labels=("long label", "x"))])
    lefts = [patch.get_x() for patch in ax.patches]
    assert max(lefts[:4]) + 1 < min(lefts[4:])


def test_equations_share_a_scale():
    """Equations below one another have cells of one size, however wide each is."""
    axes = equations([[Box("A", (1, 5), "a", "b")], [Box("B", (3, 1), "b", "c"), "=", Box("C", (1, 1), "c", "d")]])
    axes[0].figure.canvas.draw()
    cells = [ax.patches[0].get_window_extent() for ax in axes]
    assert abs(cells[0].width - cells[1].width) < 0.5
    assert abs(cells[0].height - cells[0].width) < 0.5
