"""A shaded table is dark where its numbers are large, and says in each cell what stands behind the number."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import LogNorm, to_rgb

from course_attention.figures.drawing import luminance
from course_attention.figures.real_models import difference_map
from course_attention.figures.shaded_table import shaded_table


def test_texts_and_names() -> None:
    """Each cell has its text, at its row and column; the scale goes from 0 to 1 and has a name."""
    ax = shaded_table(np.array([[0.5, np.nan]]), [["0.4 0.6", "not run"]], ["rate 1"], ["x", "y"], label="mean")
    assert {text.get_position(): text.get_text() for text in ax.texts} == {(0, 0): "0.4 0.6", (1, 0): "not run"}
    assert [label.get_text() for label in ax.get_yticklabels()] == ["rate 1"]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["x", "y"]
    assert ax.images[0].get_clim() == (0, 1) and ax.images[0].get_array().mask.tolist() == [[False, True]]
    assert ax.images[0].colorbar.ax.get_ylabel() == "mean"


@pytest.mark.parametrize("norm", [None, LogNorm(1e-3, 1.0)])
def test_dark_is_large_and_texts_can_be_read(norm: LogNorm | None) -> None:
    """A larger number has a darker cell, and its text a contrast of 4.5 to 1; numbers may be beyond the scale."""
    values = np.linspace(0, 1.2, 25)[None]
    ax = shaded_table(values, [["x"] * 25], ["a"], ["b"] * 25, norm=norm)
    cells = [luminance(ax.images[0].to_rgba(number)[:3]) for number in ax.images[0].get_array()[0]]
    assert (np.diff(cells) <= 1e-9).all()
    for cell, text in zip(cells, ax.texts, strict=True):
        low, high = sorted((cell, luminance(to_rgb(text.get_color()))))
        assert (high + 0.05) / (low + 0.05) >= 4.5


def test_shapes() -> None:
    """Names and texts that do not fit are refused."""
    with pytest.raises(ValueError, match="values must be"):
        shaded_table(np.zeros((2, 1)), [["x"], ["x"]], ["a"], ["b"])
    with pytest.raises(ValueError, match="texts must be"):
        shaded_table(np.zeros((1, 2)), [["x"]], ["a"], ["b", "c"])


def test_differences_of_models() -> None:
    """Notebook 14's map is such a table on a logarithmic scale."""
    ax = difference_map(np.array([[1e-7, 0.5], [np.nan, 0.0]]), ["a", "b"], ["right", "wrong"])
    assert [text.get_text() for text in ax.texts] == ["1e-07", "0.5", "error", "0"]
    assert ax.images[0].get_clim() == (1e-8, 3.0)
