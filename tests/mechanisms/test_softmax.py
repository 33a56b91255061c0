"""softmax: weights along any axis, in the dtype that came."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_attention import softmax
from course_attention.exercises import CATALOGUE

sizes = st.integers(min_value=1, max_value=5)


@given(shape=st.lists(sizes, min_size=1, max_size=4), data=st.data())
def test_any_shape_any_axis(shape: list[int], data: st.DataObject) -> None:
    """It agrees with its oracle along any axis of any shape."""
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    scores = np.random.default_rng(data.draw(st.integers(0, 2**16))).normal(size=shape) * 100
    expected = CATALOGUE["softmax"].exercise.oracle(scores, axis)
    np.testing.assert_allclose(softmax(scores, axis), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("dtype", "result"),
    [
        ("float16", "float16"),
        ("float32", "float32"),
        ("float64", "float64"),
        ("int64", "float64"),
        ("bool", "float64"),
    ],
)
def test_dtype(dtype: str, result: str) -> None:
    """A floating dtype is kept; anything else gives float64."""
    assert softmax(np.array([0, 1], dtype=dtype)).dtype == result


def test_large_scores() -> None:
    """Scores of ±1e4 do not overflow, and the input stays as it was."""
    scores = np.array([1e4, -1e4, 1e4])
    assert (softmax(scores) == [0.5, 0, 0.5]).all()
    assert (scores == [1e4, -1e4, 1e4]).all()


def test_bad_input() -> None:
    """An axis that is not there and an axis without numbers are told."""
    with pytest.raises(ValueError, match="axis 1 is out of bounds"):
        softmax(np.zeros(3), axis=1)
    with pytest.raises(ValueError, match="zero-size array"):
        softmax(np.zeros((2, 0)))
