"""The map of looked-up places."""

from __future__ import annotations

import numpy as np

from course_attention.figures.lookup_map import lookup_map


def test_lines_lead_from_the_place_to_the_output():
    """Each call has a line from the place that was asked for to what was found, and its word at the place."""
    places = np.array([[0.0, 0.0], [3.0, 1.0], [5.0, 5.0]])
    asked, found = np.array([2, 0]), np.array([[4.0, 4.0], [1.0, 1.0]])
    ax = lookup_map(places, asked, found, ["fife", "sero"])
    assert [line.get_xydata().tolist() for line in ax.lines] == [[[5, 5], [4, 4]], [[0, 0], [1, 1]]]
    assert [(text.get_text(), text.xy) for text in ax.texts] == [("fife", (5, 5)), ("sero", (0, 0))]
