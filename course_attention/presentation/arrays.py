"""Which part of an array is shown, with how many digits, and where the first difference is marked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

LARGEST = 8  # rows and columns shown of a longer array
MOST_SLICES = 4  # matrices shown of an array with more than two axes
LONGEST_TEXT = 39  # characters of an entry that is no number

Index = tuple[int, ...]


@dataclass(frozen=True)
class Matrix:
    """One matrix of an array, as it is shown.

    Attributes:
        name: the array's name, with the slice's indices where the array has more than two axes.
        about: the array's shape, and which part of it is shown where that is not all of it.
        texts: the entries as text, row by row.
        values: the entries as floats; NaN where an entry is no number.
        rows: the rows' indices; None where the array has fewer than two axes.
        columns: the columns' indices; None for a single number.
        first: row and column, in `texts`, of the first difference.
    """

    name: str
    about: str
    texts: list[list[str]]
    values: np.ndarray
    rows: list[int] | None
    columns: list[int] | None
    first: tuple[int, int] | None


def matrices(
    name: str, array: object, where: Index | None = None, decimals: int | None = None
) -> Iterator[Matrix]:
    """Cut an array into the matrices that show it.

    An array of up to two axes is one matrix. Of an array with more axes, each of the first slices is a matrix.
    A matrix that is larger than 8 × 8 is cut to a window of 8 × 8.

    Args:
        name: what the array is called.
        array: a NumPy array, a nested list, or a single entry.
        where: the index of the first difference. The window then holds this entry, and only its slice is shown.
            An index that the array does not have counts as None.
        decimals: how many decimals to show; None: as many as `decimals_for` says.

    Yields:
        The matrices, in the order of their indices.

    Example:
        >>> (matrix,) = matrices("weights", [[0.5, 0.5], [1.0, float("nan")]], where=(1, 0))
        >>> matrix.about, matrix.texts, matrix.first
        ('(2, 2)', [['0.5', '0.5'], ['1.0', 'nan']], (1, 0))
    """
    entries = _as_array(array)
    decimals = decimals_for(entries) if decimals is None else decimals
    if where is not None and not _within(where, entries.shape):
        where = None
    leading = entries.shape[:-2]
    slices = [where[:-2]] if where is not None else list(np.ndindex(leading))[:MOST_SLICES]
    row, column = (0, 0, *(where or ()))[-2:]
    for index in slices:
        matrix = np.atleast_2d(entries[index])
        rows, columns = _window(matrix.shape[0], row), _window(matrix.shape[1], column)
        part = matrix[np.ix_(rows, columns)]
        about = f"{'of ' if index else ''}{entries.shape}" if entries.ndim else ""
        if part.size < matrix.size:
            about += ": " + (f"{_span('row', rows)}, " if entries.ndim > 1 else "")
            about += f"{_span('column' if entries.ndim > 1 else 'entry', columns)} shown"
        elif where is None and len(slices) < np.prod(leading):
            about += f": {len(slices)} of {np.prod(leading)} matrices shown"
        yield Matrix(
            name=name + "".join(f"[{i}]" for i in index),
            about=about,
            texts=[[entry_text(entry, decimals) for entry in line] for line in part],
            values=_numbers(part),
            rows=rows if entries.ndim > 1 else None,
            columns=columns if entries.ndim else None,
            first=(rows.index(row), columns.index(column)) if where is not None else None,
        )


def decimals_for(*arrays: object, where: Index | None = None) -> int:
    """How many decimals to show: as few as give the values exactly, and at most 3.

    Args:
        arrays: what is shown with this number of decimals.
        where: the index of the first difference of two arrays. Up to 6 decimals then tell the two entries apart.

    Example:
        >>> decimals_for([1.0, 2.5]), decimals_for([1 / 3]), decimals_for([0.5], [0.50001], where=(0,))
        (1, 3, 5)
    """
    numbers = [_numbers(_as_array(array)) for array in arrays]
    finite = [values[np.isfinite(values)] for values in numbers]
    exact = (d for d in range(3) if all(np.allclose(a, a.round(d), rtol=0, atol=1e-6) for a in finite))
    decimals = next(exact, 3)
    if where is not None and len(arrays) == 2:
        one, other = (entry_at(array, where) for array in arrays)
        while decimals < 6 and entry_text(one, decimals) == entry_text(other, decimals):
            decimals += 1
    return decimals


def entry_at(array: object, where: Index) -> object:
    """The entry at an index; None where the array has no such index.

    Example:
        >>> entry_at([[1.0, 2.0]], (0, 1)), entry_at([[1.0, 2.0]], (3, 0))
        (2.0, None)
    """
    entries = _as_array(array)
    return entries[where] if _within(where, entries.shape) else None


def entry_text(entry: Any, decimals: int) -> str:
    """One entry as text, of at most 39 characters.

    Example:
        >>> [entry_text(x, 2) for x in (0.333, -0.0001, 1e6, float("nan"), True, 3, None)]
        ['0.33', '0.00', '1e+06', 'nan', 'True', '3', 'None']
    """
    if entry is None or isinstance(entry, (bool, np.bool_)):
        return str(entry)
    if isinstance(entry, (int, np.integer)):
        # Python refuses to write out an integer of thousands of digits.
        return str(int(entry)) if abs(int(entry)) < 10 ** (LONGEST_TEXT - 1) else "an integer of many digits"
    if isinstance(entry, str):
        return _shortened(str(entry))
    if not isinstance(entry, (float, np.floating)):
        return _shortened(type(entry).__name__)  # its own repr may hold an address, or raise
    number = float(entry)
    if not np.isfinite(number) or abs(number) >= 1e5:
        return f"{number:.3g}"
    rounded = f"{number:.{decimals}f}"
    return rounded.lstrip("-") if float(rounded) == 0 else rounded


def _as_array(array: object) -> np.ndarray:
    # A nested list may be ragged or hold anything; NumPy takes it in only as objects.
    return np.asarray(array, dtype=object) if isinstance(array, (list, tuple)) else np.asarray(array)


def _numbers(entries: np.ndarray) -> np.ndarray:
    """The entries as floats, NaN where an entry is no number."""
    if entries.dtype.kind in "fiub":
        return entries.astype(float)
    numbers = [_number(entry) for entry in entries.ravel()]
    return np.array(numbers, dtype=float).reshape(entries.shape)


def _number(entry: Any) -> float:
    is_number = isinstance(entry, (bool, int, float, np.bool_, np.integer, np.floating))
    try:
        return float(entry) if is_number else np.nan
    except OverflowError:  # a Python integer may have any number of digits
        return np.nan


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"


def _within(where: Index, shape: tuple[int, ...]) -> bool:
    return len(where) == len(shape) and all(0 <= i < n for i, n in zip(where, shape, strict=True))


def _window(length: int, around: int) -> list[int]:
    start = max(0, min(around - LARGEST // 2, length - LARGEST))
    return list(range(start, min(length, start + LARGEST)))


def _span(axis: str, indices: list[int]) -> str:
    several = f"{axis[:-1]}ies" if axis.endswith("y") else f"{axis}s"
    if not indices:
        return f"no {several}"
    return f"{axis} {indices[0]}" if len(indices) == 1 else f"{several} {indices[0]} to {indices[-1]}"
