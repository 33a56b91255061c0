"""The visual language: what is drawn where, and that it can be told apart and read on every page."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from course_attention.figures import drawing
from course_attention.figures.drawing import KEY, QUERY, VALUE, arrow, canvas, matrix, token


def contrast(one: str, other: str) -> float:
    low, high = sorted(drawing.luminance(to_rgb(colour)) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def test_words_are_readable_on_every_page() -> None:
    """Grey words have a contrast of 4 to 1 on white and on JupyterLab's dark page."""
    assert min(contrast(drawing.INK, "white"), contrast(drawing.INK, "#111111")) > 4


def test_roles_differ_without_colour() -> None:
    """Queries, keys and values each have a hatch and a letter of their own."""
    for one, other in combinations((QUERY, KEY, VALUE), 2):
        assert one.hatch != other.hatch
        assert one.letter != other.letter


@pytest.mark.parametrize("role", [QUERY, KEY, VALUE, drawing.TOKEN, drawing.RESULT, drawing.WEIGHT])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_numbers_in_cells_are_readable(role: drawing.Role, share: float) -> None:
    """A number in a cell has a contrast of 4.5 to 1 with it, however pale the cell is."""
    ax = canvas(4, 4)
    matrix(ax, 1, 1, (1, 1), role, values=np.array([[7]]), shades=np.array([[share]]))
    (number,) = ax.texts
    assert contrast(number.get_color(), ax.patches[0].get_facecolor()[:3]) >= 4.5


def test_token_is_a_column() -> None:
    """A token's cells stand above one another, with its values from top to bottom, its name and its word."""
    ax = canvas(6, 8)
    place = token(ax, 2, 3, 3, KEY, "$k_1$", "cat", values=[1, 2, 3])
    assert (place.bottom, place.top, place.left, place.right) == ((2.5, 3), (2.5, 6), (2, 4.5), (3, 4.5))
    written = {text.get_text(): text.get_position()[1] for text in ax.texts}
    assert written["1"] > written["2"] > written["3"]
    assert written["$k_1$"] > place.top[1]
    assert written["cat"] < place.bottom[1]


def test_heavier_arrows_are_thicker() -> None:
    """The weight of an arrow is its thickness."""
    ax = canvas(4, 4)
    for weight in (0.1, 0.9):
        arrow(ax, (0, 0), (3, 3), KEY, weight)
    thin, thick = (text.arrow_patch.get_linewidth() for text in ax.texts if text.arrow_patch)
    assert thick > 3 * thin


def test_background_is_transparent() -> None:
    """The page shines through."""
    assert canvas(2, 2).figure.get_facecolor()[3] == 0


@pytest.mark.parametrize("what", ["values", "shades"])
def test_wrong_shape(what: str) -> None:
    """Numbers that do not fit the cells are refused."""
    with pytest.raises(ValueError, match=rf"{what} must have the shape of the matrix, \(2, 3\); got \(3, 2\)"):
        matrix(canvas(4, 4), 0, 0, (2, 3), **{what: np.zeros((3, 2))})
