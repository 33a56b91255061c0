"""Every state has its box, the thickest line comes from the largest weight, and wrong sizes are refused."""

from __future__ import annotations

import numpy as np

from course_attention.figures.encoder_decoder import encoder_decoder


def test_states_and_tokens():
    """A box for each state, under its name and over its token; a space is made visible."""
    ax = encoder_decoder("a c", "AB")
    shown = {text.get_text() for text in ax.texts}
    assert shown >= {"$h_{1}$", "$h_{2}$", "$h_{3}$", "$s_{1}$", "$s_{2}$", "a", "␣", "c", "A", "B"}
    assert len(ax.patches) == 5
    assert not ax.lines


def test_thickness():
    """One line for each weight, thicker where it is larger; a_t stands in a box of its own."""
    ax = encoder_decoder("abc", "AB", np.array([0.1, 0.7, 0.2]), step=2)
    widths = [line.get_linewidth() for line in ax.lines]
    assert np.argsort(widths).tolist() == [0, 2, 1]
    assert "$a_{2}$" in {text.get_text() for text in ax.texts}
    assert len(ax.patches) == 6
