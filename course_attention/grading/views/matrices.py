"""The arrays of a result file as matrices that a page can show: which part of them, with how many digits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

LARGEST = 8  # rows and columns shown of a longer array
MOST_SLICES = 4  # matrices shown of an array with more than two axes
_WORDS = ("nan", "inf", "-inf")


@dataclass(frozen=True)
class Matrix:
    """One matrix of an array, as shown.

    Attributes:
        name: the array's name, with its indices where it has more than two axes.
        about: its shape, and what is left out.
        texts: the cells' texts, row by row.
        values: the cells' numbers, NaN where there is none.
        rows, columns: their indices; no rows where the array has one axis.
        first: row and column in `texts` of the first difference.
    """

    name: str
    about: str
    texts: list[list[str]]
    values: list[list[float]]
    rows: list[int] | None
    columns: list[int]
    first: tuple[int, int] | None


def is_array(value: Any) -> bool:
    """Whether a value is more than one number."""
    return isinstance(value, list)


def matrices(
    name: str, nested: list, where: Sequence[int] | None = None, decimals: int | None = None
) -> Iterator[Matrix]:
    """The matrices that show an array: one up to two axes, else one for each of the first slices.

    Longer arrays are cut to a window of 8 × 8. With `where`, the window holds that place, and of the slices only its
    own is shown.

    Example:
        >>> (matrix,) = matrices("weights", [[0.5, 0.5], [1.0, "nan"]])
        >>> matrix.about, matrix.texts
        ('2 × 2', [['0.5', '0.5'], ['1.0', 'nan']])
    """
    array = np.asarray(nested, dtype=object)
    decimals = places(nested) if decimals is None else decimals
    where = tuple(where) if where is not None and _within(where, array.shape) else None
    leading = array.shape[:-2]
    slices = [where[:-2]] if where is not None else list(np.ndindex(leading))[:MOST_SLICES]
    row, column = (0, 0, *(where or ()))[-2:]
    for index in slices:
        matrix = np.atleast_2d(array[index])
        rows, columns = _window(matrix.shape[0], row), _window(matrix.shape[1], column)
        part = matrix[np.ix_(rows, columns)]
        shape = " × ".join(map(str, array.shape))
        if part.size < matrix.size:
            shape += f"; {_span('row', rows)}, {_span('column', columns)} shown"
        elif len(slices) < math.prod(leading):
            shape += f"; {len(slices)} of {math.prod(leading)} matrices shown"
        yield Matrix(
            name=name + "".join(f"[{i}]" for i in index),
            about=shape,
            texts=[[text(entry, decimals) for entry in line] for line in part],
            values=[[number(entry) for entry in line] for line in part],
            rows=rows if array.ndim > 1 else None,
            columns=columns,
            first=(rows.index(row), columns.index(column)) if where is not None else None,
        )


def entry(value: Any, where: Sequence[int]) -> Any:
    """One entry of an array, or the number itself; None where the array has no such place."""
    array = np.asarray(value, dtype=object)
    return array[tuple(where)] if _within(where, array.shape) else None


def places(*values: Any, where: Sequence[int] | None = None) -> int:
    """How many decimals to show: as few as hold the values exactly, at most 3; more where two differ only there.

    Example:
        >>> places([1.0, 2.5]), places([0.3333333]), places([0.5], [0.50001], where=[0])
        (1, 3, 5)
    """
    numbers = [n for value in values for n in _floats(value) if math.isfinite(n)]
    decimals = next((d for d in range(3) if all(abs(n - round(n, d)) < 1e-6 for n in numbers)), 3)
    if where is not None and len(values) == 2:
        one, other = (entry(value, where) for value in values)
        while decimals < 6 and text(one, decimals) == text(other, decimals):
            decimals += 1
    return decimals


def text(value: Any, decimals: int) -> str:
    """One entry as text.

    Example:
        >>> [text(x, 2) for x in (0.333, -0.0001, 1e6, "nan", True, 3, None)]
        ['0.33', '0.00', '1e+06', 'nan', 'True', '3', 'None']
    """
    if not isinstance(value, float):
        return str(value)
    if abs(value) >= 1e5:
        return f"{value:.3g}"
    rounded = f"{value:.{decimals}f}"
    return rounded.lstrip("-") if float(rounded) == 0 else rounded


def number(value: Any) -> float:
    """One entry as a number, NaN where it is none.

    Example:
        >>> number(True), number("-inf"), number("one")
        (1.0, -inf, nan)
    """
    return float(value) if isinstance(value, (bool, int, float)) or value in _WORDS else math.nan


def _floats(value: Any) -> list[float]:
    return [x for x in np.asarray(value, dtype=object).ravel() if isinstance(x, float)]


def _within(where: Sequence[int], shape: tuple[int, ...]) -> bool:
    return len(where) == len(shape) and all(0 <= i < n for i, n in zip(where, shape, strict=True))


def _window(length: int, around: int) -> list[int]:
    start = max(0, min(around - LARGEST // 2, length - LARGEST))
    return list(range(start, min(length, start + LARGEST)))


def _span(axis: str, indices: list[int]) -> str:
    return f"{axis} {indices[0]}" if len(indices) == 1 else f"{axis}s {indices[0]} to {indices[-1]}"
