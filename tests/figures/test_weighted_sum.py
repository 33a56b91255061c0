"""The drawing of attention's three steps shows the numbers that it is given, and their weighted sum."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures.weighted_sum import three_steps


def drawn() -> Axes:
    """Draw a sentence of two words, in which “bank” gives most of its weight to “river”."""
    vectors = np.array([[0.5, 0.5], [1.0, 0.0]])
    return three_steps(["bank", "river"], np.array([2.0, 4.0]), np.array([0.2, 0.8]), vectors, moves="bank")


def test_every_number_is_there():
    """Scores, weights and the weighted sum are in cells, with three decimals; the word that looks is bold."""
    texts = {text.get_text(): text for text in drawn().texts}
    assert {"2", "4", "0.200", "0.800", "0.900", "0.100"} <= set(texts)
    assert texts["bank"].get_weight() == "bold" and texts["river"].get_weight() != "bold"


def test_a_larger_weight_has_a_thicker_arrow():
    """The two arrows to the sum are the last of each word's three."""
    widths = [text.arrow_patch.get_linewidth() for text in drawn().texts if getattr(text, "arrow_patch", None)]
    assert len(widths) == 6
    assert widths[5] > 2 * widths[2]
