"""Arrays of any shape are shown as matrices of a size that a page holds."""

from __future__ import annotations

import pytest

from course_attention.grading.views.matrices import matrices


def test_window() -> None:
    """A large matrix is cut to 8 × 8 around the first difference, and says so."""
    nested = [[float(100 * i + j) for j in range(20)] for i in range(30)]
    (shown,) = matrices("weights", nested, where=[29, 3])
    assert (shown.rows, shown.columns) == (list(range(22, 30)), list(range(8)))
    assert shown.texts[shown.first[0]][shown.first[1]] == "2903"
    assert shown.about == "30 × 20; rows 22 to 29, columns 0 to 7 shown"


def test_slices() -> None:
    """Of more than two axes, the slice with the first difference is shown, else the first four."""
    nested = [[[[1.0, 2.0]]] * 3] * 2
    (shown,) = matrices("output", nested, where=[1, 2, 0, 1])
    assert shown.name == "output[1][2]" and shown.about == "2 × 3 × 1 × 2; 1 of 6 matrices shown"
    assert len(list(matrices("output", nested))) == 4


@pytest.mark.parametrize("nested", [[], [[]], [[1.0], [2.0, 3.0]], [["=1", None]], [{"a": 1}], [[True, 2]]])
@pytest.mark.parametrize("where", [None, [0], [0, 0], [7, 7], [0, 0, 0]])
def test_anything_is_shown(nested: list, where: list[int] | None) -> None:
    """Empty, ragged and strange values, and places that are not there, raise nothing."""
    for shown in matrices("x", nested, where):
        assert all(isinstance(text, str) for row in shown.texts for text in row)
