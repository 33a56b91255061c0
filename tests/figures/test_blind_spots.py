"""A cell is dark where the input shows the mistake, and a row says how many it shows."""

from __future__ import annotations

import numpy as np
import pytest

from course_attention.figures.blind_spots import blind_spots

SHOWN = np.array([[True, False, False], [True, True, False]])


def test_cells_and_names() -> None:
    """Row i, column j is dark where input i shows that function j is wrong; the rows end in their numbers."""
    ax = blind_spots(SHOWN, ["small", "large"], ["no root", "exp", "mask"], title="see")
    assert np.array_equal(ax.images[0].get_array(), SHOWN)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["no root", "exp", "mask"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["small", "large"]
    assert [text.get_text() for text in ax.texts] == ["1 of 3", "2 of 3"]
    assert ax.get_title() == "see"


def test_dark_is_shown() -> None:
    """What is shown is dark and what is not is white, also where all cells are alike."""
    for value in (False, True):
        image = blind_spots(np.full((1, 2), value), ["a"], ["b", "c"]).images[0]
        red, green, blue, _ = image.to_rgba(image.get_array())[0, 0]
        light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        assert light < 0.5 if value else light == pytest.approx(1)


def test_names_must_match() -> None:
    """A name too few is refused rather than a row left out."""
    with pytest.raises(ValueError, match="n_inputs"):
        blind_spots(SHOWN, ["small"], ["no root", "exp", "mask"])


def test_groups() -> None:
    """Each group has its name in the middle above its columns, and a line parts it from the next."""
    ax = blind_spots(SHOWN, ["small", "large"], ["no root", "exp", "mask"], groups={"formula": 2, "elsewhere": 1})
    named = {text.get_text(): text.get_position()[0] for text in ax.texts}
    assert (named["formula"], named["elsewhere"]) == (0.5, 2.0)
    assert [line.get_xdata()[0] for line in ax.lines] == [1.5]
    with pytest.raises(ValueError, match="3 columns together; got 2"):
        blind_spots(SHOWN, ["small", "large"], ["no root", "exp", "mask"], groups={"formula": 2})
