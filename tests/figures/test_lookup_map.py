"""The map of looked-up places."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import same_color

from course_attention.figures import style
from course_attention.figures.lookup_map import largest_weights, lookup_map


def test_lines_lead_from_the_place_to_the_output():
    """Each call has a line from the place that was asked for to what was found, and its word at the place."""
    places = np.array([[0.0, 0.0], [3.0, 1.0], [5.0, 5.0]])
    asked, found = np.array([2, 0]), np.array([[4.0, 4.0], [1.0, 1.0]])
    ax = lookup_map(places, asked, found, ["fife", "sero"])
    assert [line.get_xydata().tolist() for line in ax.lines] == [[[5, 5], [4, 4]], [[0, 0], [1, 1]]]
    assert [(text.get_text(), text.xy) for text in ax.texts] == [("fife", (5, 5)), ("sero", (0, 0))]


def test_a_word_is_on_the_outer_side():
    """West of a place in the west and east of one in the east, wherever the outputs are."""
    places, asked = np.array([[-2.0, 0.0], [2.0, 1.0]]), np.array([0, 1])
    for found in (np.zeros((2, 2)), 2 * places):
        ax = lookup_map(places, asked, found, ["fife", "sero"])
        assert [(text.get_position()[0] > 0, text.get_ha()) for text in ax.texts] == [(False, "right"), (True, "left")]


def test_words_are_moved_and_places_named():
    """A word that would cover a line or a place stands elsewhere; a place that nobody asked for may have its name."""
    places, asked = np.array([[-2.0, 0.0], [2.0, 1.0]]), np.array([0])
    ax = lookup_map(places, asked, places[:1], ["fife"], moved={"fife": (4, 9, "left")}, named={1: "Rome"})
    assert [(text.get_text(), text.xy) for text in ax.texts] == [("fife", (-2, 0)), ("Rome", (2, 1))]
    assert (ax.texts[0].get_position(), ax.texts[0].get_ha()) == ((4, 9), "left")


def test_bars_sum_to_one():
    """The largest weights come first, all others together last, and the place that was asked for is set apart."""
    ax = largest_weights(np.array([0.1, 0.2, 0.3, 0.25, 0.15]), "abcde", 1, title="once", n_bars=3)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["c", "d", "b", "2 others"]
    assert np.allclose([bar.get_width() for bar in ax.patches], [0.3, 0.25, 0.2, 0.25])
    assert [same_color(bar.get_facecolor(), style.PALETTE[0]) for bar in ax.patches] == [False, False, True, False]
    assert ax.yaxis_inverted() and ax.get_title() == "once"
