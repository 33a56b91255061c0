"""Which part of an array is shown, with how many digits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_attention.presentation.arrays import LARGEST, MOST_SLICES, matrices
from course_attention.presentation.entries import decimals_for, entry_text


@given(st.lists(st.integers(0, 20), max_size=4), st.data())
def test_window(shape: list[int], data: st.DataObject) -> None:
    """At most 8 × 8 entries of at most 4 slices are shown of any array, the first difference among them."""
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    where = tuple(data.draw(st.integers(0, n - 1)) for n in shape) if array.size else None
    for place in (where, None):
        shown = list(matrices("scores", array, place))
        assert len(shown) <= MOST_SLICES
        assert all(len(m.texts) <= LARGEST and len(row) <= LARGEST for m in shown for row in m.texts)
    if where is not None:
        (matrix,) = matrices("scores", array, where)
        row, column = matrix.first
        assert matrix.texts[row][column] == str(array[where])
        assert matrix.columns is None or matrix.columns[column] == where[-1]


def test_window_around_the_difference() -> None:
    """A large matrix is cut to 8 × 8 around the first difference, and says so."""
    nested = [[float(100 * i + j) for j in range(20)] for i in range(30)]
    (shown,) = matrices("weights", nested, where=(29, 3))
    assert (shown.rows, shown.columns) == (list(range(22, 30)), list(range(8)))
    assert shown.texts[shown.first[0]][shown.first[1]] == "2903"
    assert shown.about == "(30, 20): rows 22 to 29, columns 0 to 7 shown"


def test_cut_said() -> None:
    """What is left out is said."""
    shapes = ((2, 3), (20, 3), (9, 2, 2), (9,), ())
    assert [(m.name, m.about) for m in (next(matrices("key", np.zeros(shape))) for shape in shapes)] == [
        ("key", "(2, 3)"),
        ("key", "(20, 3): rows 0 to 7, columns 0 to 2 shown"),
        ("key[0]", "of (9, 2, 2): 4 of 9 matrices shown"),
        ("key", "(9,): entries 0 to 7 shown"),
        ("key", ""),
    ]


def test_slices() -> None:
    """Of more than two axes, the slice with the first difference is shown, else the first four."""
    nested = [[[[1.0, 2.0]]] * 3] * 2
    (shown,) = matrices("output", nested, where=(1, 2, 0, 1))
    assert shown.name == "output[1][2]" and shown.about == "of (2, 3, 1, 2)"
    assert len(list(matrices("output", nested))) == 4


def test_where_outside() -> None:
    """A place that the array does not have (a wrong shape came) marks nothing."""
    assert next(matrices("received", np.zeros((2, 2)), (3, 0))).first is None


def test_tell_apart() -> None:
    """Two values that differ in the fifth place are shown with five."""
    decimals = decimals_for([[0.5]], [[0.50001]], where=(0, 0))
    assert entry_text(0.5, decimals) != entry_text(0.50001, decimals)


@pytest.mark.parametrize(
    "entry",
    [
        float("nan"),
        float("-inf"),
        1e300,
        -0.0,
        np.float32(1 / 3),
        10**30,
        pytest.param(10**9999, id="long"),
        None,
        "x" * 99,
        object(),
    ],
)
def test_any_entry(entry: object) -> None:
    """Whatever an answer returns can be shown, and briefly; where an object lies in memory is not told."""
    assert len(entry_text(entry, 3)) < 40 and "0x" not in entry_text(entry, 3)
    (shown,) = matrices("received", [[1.0, entry]])
    assert shown.texts[0][1] == entry_text(entry, decimals_for([[1.0, entry]]))


@pytest.mark.parametrize("nested", [[], [[]], [[1.0], [2.0, 3.0]], [["=1", None]], [{"a": 1}], [[True, 2]]])
@pytest.mark.parametrize("where", [None, (0,), (0, 0), (7, 7), (0, 0, 0)])
def test_anything_is_shown(nested: list, where: tuple[int, ...] | None) -> None:
    """Empty, ragged and strange values, and places that are not there, raise nothing."""
    for shown in matrices("x", nested, where):
        assert all(isinstance(text, str) for row in shown.texts for text in row)


def test_nested_lists_are_shown_as_arrays_are() -> None:
    """A result file's nested list and the array that it was made from give the same matrix."""
    array = np.array([[0.25, np.nan, -np.inf], [1.0, 1 / 3, 1e9]])
    (one,), (other,) = matrices("w", array, (1, 1)), matrices("w", array.tolist(), (1, 1))
    assert (one.about, one.texts, one.first) == (other.about, other.texts, other.first)
    np.testing.assert_array_equal(one.values, other.values)


def test_large_numbers() -> None:
    """They are written in short, without a warning, and the others keep their digits."""
    (shown,) = matrices("x", np.array([1e300, -1e308, 0.25, np.inf]))
    assert shown.texts == [["1e+300", "-1e+308", "0.25", "inf"]]
