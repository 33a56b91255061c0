"""Which part of an array is shown: whole, as a window of it, or as some of its slices."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from course_attention.presentation.entries import (
    Index,
    as_array,
    as_floats,
    decimals_for,
    entry_text,
    has_index,
)

LARGEST = 8  # rows and columns shown of a longer array
MOST_SLICES = 4  # matrices shown of an array with more than two axes


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


def matrices(name: str, array: object, where: Index | None = None, decimals: int | None = None) -> Iterator[Matrix]:
    """Cut an array into the matrices that show it.

    An array of up to two axes is one matrix. Of an array with more axes, each of the first slices is a matrix.
    A matrix that is larger than 8 × 8 is cut to a window of 8 × 8.

    Args:
        name: what the array is called.
        array: a NumPy array, a nested list, or a single entry.
        where: the index of the first difference. The window then holds this entry, and only its slice is shown.
            An index that the array does not have counts as None.
        decimals: how many decimals to show; None: as many as `entries.decimals_for` says.

    Yields:
        The matrices, in the order of their indices.

    Example:
        >>> (matrix,) = matrices("weights", [[0.5, 0.5], [1.0, float("nan")]], where=(1, 0))
        >>> matrix.about, matrix.texts, matrix.first
        ('(2, 2)', [['0.5', '0.5'], ['1.0', 'nan']], (1, 0))
    """
    entries = as_array(array)
    decimals = decimals_for(entries) if decimals is None else decimals
    if where is not None and not has_index(where, entries.shape):
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
            values=as_floats(part),
            rows=rows if entries.ndim > 1 else None,
            columns=columns if entries.ndim else None,
            first=(rows.index(row), columns.index(column)) if where is not None else None,
        )


def _window(length: int, around: int) -> list[int]:
    start = max(0, min(around - LARGEST // 2, length - LARGEST))
    return list(range(start, min(length, start + LARGEST)))


def _span(axis: str, indices: list[int]) -> str:
    several = f"{axis[:-1]}ies" if axis.endswith("y") else f"{axis}s"
    if not indices:
        return f"no {several}"
    return f"{axis} {indices[0]}" if len(indices) == 1 else f"{several} {indices[0]} to {indices[-1]}"
