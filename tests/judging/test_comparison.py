"""What counts as the same: tolerance from dtype and size, no broadcasting, NaN only for NaN."""

from __future__ import annotations

import numpy as np
import pytest

from course_attention.execution.protocol import Outcome, Raised, Result
from course_attention.judging.comparison import alike, differences, first_difference, same


def _outcome(values: np.ndarray, dtype: str = "float64") -> Outcome:
    return Outcome((Result("tensor", dtype, "cpu", values.shape, values),), "single")


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda x: x + 1e-3, "values"),
        (lambda x: x[:, :1], "shape"),
        (lambda x: np.where(x > 0, np.nan, x), "nan"),
        (lambda x: np.where(x > 0, np.inf, x), "values"),
    ],
)
def test_kinds(change, kind: str) -> None:
    """Each way to differ is told from the others, and `same` agrees with `differences`."""
    right = np.array([[1.0, -2.0], [3.0, 4.0]])
    wrong = _outcome(change(right))
    assert [d.kind for d in differences(wrong, ["output"], [right], [1.0], "float64")] == [kind]
    assert not same(wrong, ["output"], [right], [1.0], "float64")
    assert same(_outcome(right), ["output"], [right], [1.0], "float64")


def test_errors_and_forms() -> None:
    """What was raised, and what was not returned, is said in words."""
    right = [np.zeros(2)]
    raised = Outcome(error=Raised("ValueError", "too long"))
    assert differences(raised, ["output"], right, [1.0], "float64")[0].note == "the answer raised ValueError: too long"
    two = Outcome(_outcome(np.zeros(2)).results * 2, "tuple")
    assert "output alone should be returned" in differences(two, ["output"], right, [1.0], "float64")[0].note
    one = _outcome(np.zeros(2))
    note = differences(one, ["output", "weights"], right * 2, [1.0] * 2, "float64")[0].note
    assert note == "(output, weights) should be returned; the answer returned one tensor, by itself"


def test_tolerance_is_that_of_the_question() -> None:
    """float32 numbers are too coarse for a float64 question: the dtype that came widens no tolerance."""
    right = np.array([1 / 3])
    came = right.astype(np.float32).astype(np.float64)
    assert differences(_outcome(came, "float32"), ["x"], [right], [1.0], "float64") != []
    assert differences(_outcome(came, "float32"), ["x"], [right], [1.0], "float32") == []


def test_nan_meets_nan_only() -> None:
    """Expected NaN and infinities are met by the same."""
    wild = np.array([np.nan, np.inf, -np.inf])
    assert alike(wild, wild, 0.0)
    assert first_difference(np.array([np.nan, np.inf, np.inf]), wild, 1.0) == (2,)
