"""The drawings of notebook 11 show what their words say."""

from __future__ import annotations

import numpy as np

from course_attention.figures.drawing import KEY, QUERY, RESULT, VALUE, WEIGHT
from course_attention.figures.long_context import masks, tiles
from tests.figures.counting import filled


def test_one_tile_at_work():
    """Of each of Q, K and V one block is at work, in the large memory and in the fast one; its numbers are named."""
    ax = tiles(n_blocks=3, row=2, column=0)
    assert filled(ax, QUERY) == filled(ax, KEY) == filled(ax, VALUE) == 2
    words = {text.get_text() for text in ax.texts}
    assert {"$Q_3$", "$K_1$", "$V_1$", "large memory (HBM)", "fast memory (SRAM)"} <= words


def test_sinks_have_a_colour_of_their_own():
    """What is seen because it is a sink is marked, and what the window shows is not."""
    window = np.tri(6, dtype=int) - np.tri(6, k=-2, dtype=int)
    sinks = window.copy()
    sinks[2:, 0] = 2
    for kinds, marked in ((window, 0), (sinks, 4)):
        ax = masks({"mask": kinds})
        assert filled(ax, RESULT) == marked and filled(ax, WEIGHT) == 11 + marked
