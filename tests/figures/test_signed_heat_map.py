"""The picture of a relation shows the numbers that it was given, under their symbols."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import to_rgb

from course_attention.figures.drawing import luminance
from course_attention.figures.signed_heat_map import signed_heat_map


def test_numbers_and_symbols():
    """Row a, column b holds the number of a asking b."""
    matrix = np.array([[0.2, 5.6], [-3.4, 0.0]])
    ax = signed_heat_map(matrix, "()", title="see")
    assert np.array_equal(ax.images[0].get_array(), matrix)
    written = {text.get_position(): text.get_text() for text in ax.texts}
    assert written == {(0, 0): "0", (1, 0): "6", (0, 1): "-3", (1, 1): "0"}
    assert [label.get_text() for label in ax.get_yticklabels()] == ["(", ")"]
    assert ax.get_title() == "see" and "key" in ax.get_xlabel() and "query" in ax.get_ylabel()


def test_zero_is_in_the_middle():
    """Colours reach as far below 0 as above, to the limit given or to the largest number."""
    assert signed_heat_map(np.array([[0.0, -3.0], [1.0, 0.0]]), "ab").images[0].get_clim() == (-3, 3)
    assert signed_heat_map(np.eye(2), "ab", limit=7).images[0].get_clim() == (-7, 7)


def test_numbers_can_be_read():
    """A number has a contrast of 4.5 to 1 with the colour of its cell, be that dark, bright or in between."""
    matrix = np.linspace(-7, 7, 64).reshape(8, 8)
    ax = signed_heat_map(matrix, "abcdefgh")
    for text, number in zip(ax.texts, matrix.flat, strict=True):
        cell = luminance(ax.images[0].to_rgba(number)[:3])
        low, high = sorted((cell, luminance(to_rgb(text.get_color()))))
        assert (high + 0.05) / (low + 0.05) >= 4.5


def test_rows_and_columns_of_their_own():
    """A matrix need not be square: its columns have names of their own."""
    ax = signed_heat_map(np.zeros((1, 3)), ["bank"], ["river", "mud", "loan"])
    assert [label.get_text() for label in ax.get_xticklabels()] == ["river", "mud", "loan"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["bank"]
