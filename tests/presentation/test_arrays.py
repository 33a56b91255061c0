"""Tests of lesson/arrays.py."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_attention.presentation.arrays import LARGEST, MOST_SLICES, matrices, places, text


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


def test_cut_said() -> None:
    """What is left out is said."""
    names = [next(matrices("key", np.zeros(shape))).name for shape in ((2, 3), (20, 3), (9, 2, 2))]
    assert names == [
        "key (2, 3)",
        "key (20, 3): rows 0 to 7, columns 0 to 2 shown",
        "key[0] of (9, 2, 2): 4 of 9 matrices shown",
    ]


def test_where_outside() -> None:
    """A place that the array does not have (a wrong shape came) marks nothing."""
    assert next(matrices("received", np.zeros((2, 2)), (3, 0))).first is None


def test_tell_apart() -> None:
    """Two values that differ in the fifth place are shown with five."""
    decimals = places([[0.5]], [[0.50001]], where=(0, 0))
    assert text(0.5, decimals) != text(0.50001, decimals)


@pytest.mark.parametrize(
    "entry", [float("nan"), float("-inf"), 1e300, -0.0, np.float32(1 / 3), 10**30, None, "x"]
)
def test_any_entry(entry: object) -> None:
    """Whatever an answer returns can be shown, and briefly."""
    assert len(text(entry, 3)) < 40
