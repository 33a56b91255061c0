"""Heads as blocks of cells and as heat maps."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex

from course_attention.figures.heads import GROUNDS, channels_by_head, weights_by_head


def test_cells_are_named_and_grounded():
    """Every cell holds its own name, on the ground of the head that it belongs in."""
    owners = np.array([[[0, 0], [1, 1]], [[0, 0], [1, 1]]])
    names = np.array([[["a0", "a1"], ["a2", "a3"]], [["b0", "b1"], ["b2", "b3"]]])
    ax = channels_by_head(owners, names)
    assert [text.get_text() for text in ax.texts] == [*names.flat, "head 0", "head 1"]
    assert [to_hex(patch.get_facecolor()).upper() for patch in ax.patches] == [GROUNDS[o] for o in owners.flat]


def test_heads_stand_below_one_another():
    """Rows of one head are adjacent, with a gap to the next head."""
    ax = channels_by_head(np.zeros((2, 2, 1)), np.full((2, 2, 1), "a"))
    tops = [patch.get_y() for patch in ax.patches]
    assert np.allclose(np.diff(tops), [-1, -1.7, -1])


def test_a_map_for_each_head():
    """Each head has its own heat map, with words on both axes and one scale of colours for all."""
    weights = np.stack([np.eye(3), np.full((3, 3), 1 / 3)])
    axes = weights_by_head(weights, ["six", "big", "dogs"], ["first", "second"])
    assert [ax.get_title() for ax in axes] == ["first", "second"]
    for ax, one in zip(axes, weights, strict=True):
        assert np.array_equal(ax.images[0].get_array(), one)
        assert ax.images[0].get_clim() == (0.0, 1.0)
        assert [label.get_text() for label in ax.get_yticklabels()] == ["six", "big", "dogs"]


def test_each_line_of_maps_says_what_its_rows_are():
    """Where maps stand in two lines, the first of each line has the label of the rows, and the others have none."""
    axes = plt.subplots(2, 2)[1].ravel()
    weights_by_head(np.ones((4, 1, 1)), ["a"], axes=axes, row_label="token")
    assert [ax.get_ylabel() for ax in axes] == ["token", "", "token", ""]


def test_titles_must_match():
    """A title too few is refused rather than a head left out."""
    with pytest.raises(ValueError, match="zip"):
        weights_by_head(np.ones((2, 1, 1)), ["a"], ["only one"])
