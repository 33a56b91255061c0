"""Which part of an array is shown, and with how many digits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

LARGEST = 8  # rows and columns shown of a longer array
MOST_SLICES = 4  # matrices shown of an array with more than two axes


@dataclass(frozen=True)
class Matrix:
    """One matrix of an array as shown.

    Attributes:
        name: the array's name, its shape, and what is left out.
        texts: the cells' texts, row by row.
        values: the cells' values.
        rows: the rows' indices; None where the array has fewer than two axes.
        columns: the columns' indices; None for a single number.
        first: row and column in `texts` of the first difference.
    """

    name: str
    texts: list[list[str]]
    values: np.ndarray
    rows: list[int] | None
    columns: list[int] | None
    first: tuple[int, int] | None


def matrices(
    name: str, array: object, where: tuple[int, ...] | None = None, decimals: int | None = None
) -> Iterator[Matrix]:
    """The matrices that show an array: one up to two axes, else one for each of the first slices.

    Longer arrays are cut to a window of 8 × 8, and the name says so. With `where`, the window holds that
    place, and of the slices only its own is shown.
    """
    values = np.asarray(array)
    decimals = places(values) if decimals is None else decimals
    if where is not None and not _within(where, values.shape):
        where = None
    leading = values.shape[:-2]
    slices = [where[:-2]] if where is not None else list(np.ndindex(leading))[:MOST_SLICES]
    place = (0, 0, *(where or ()))[-2:]
    for index in slices:
        matrix = np.atleast_2d(values[index])
        rows, columns = (_window(n, i) for n, i in zip(matrix.shape, place, strict=True))
        part = matrix[np.ix_(rows, columns)]
        title = name + "".join(f"[{i}]" for i in index) + (" of" if index else "")
        title += f" {values.shape}" if values.ndim else ""
        if part.size < matrix.size:
            title += f": {_span('row', rows)}, {_span('column', columns)} shown"
        elif len(slices) < np.prod(leading):
            title += f": {len(slices)} of {np.prod(leading)} matrices shown"
        yield Matrix(
            name=title,
            texts=[[text(entry, decimals) for entry in row] for row in part],
            values=part,
            rows=rows if values.ndim > 1 else None,
            columns=columns if values.ndim else None,
            first=None if where is None else (rows.index(place[0]), columns.index(place[1])),
        )


def _within(where: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    return len(where) == len(shape) and all(0 <= i < n for i, n in zip(where, shape, strict=True))


def _window(length: int, around: int) -> list[int]:
    start = max(0, min(around - LARGEST // 2, length - LARGEST))
    return list(range(start, min(length, start + LARGEST)))


def _span(axis: str, indices: list[int]) -> str:
    if not indices:
        return f"no {axis}s"
    return f"{axis} {indices[0]}" if len(indices) == 1 else f"{axis}s {indices[0]} to {indices[-1]}"


def places(*arrays: object, where: tuple[int, ...] | None = None) -> int:
    """How many decimals to show: as few as hold the values exactly, at most 3.

    With `where`, and two arrays of one shape, up to 6, so that the two look different there.

    Example:
        >>> places([1.0, 2.5]), places([1 / 3]), places([0.5], [0.50001], where=(0,))
        (1, 3, 5)
    """
    several = [np.asarray(array) for array in arrays]
    finite = [a[np.isfinite(a)].astype(float) for a in several if a.dtype.kind in "fiu"]
    exact = (d for d in range(3) if all(np.allclose(a, a.round(d), rtol=0, atol=1e-6) for a in finite))
    decimals = next(exact, 3)
    if where is not None and len(several) == 2 and all(_within(where, a.shape) for a in several):
        while decimals < 6 and text(several[0][where], decimals) == text(several[1][where], decimals):
            decimals += 1
    return decimals


def text(entry: object, decimals: int) -> str:
    """One entry as text.

    Example:
        >>> [text(x, 2) for x in (0.333, -0.0001, 1e6, float("nan"), True, 3)]
        ['0.33', '0.00', '1e+06', 'nan', 'True', '3']
    """
    if isinstance(entry, (bool, np.bool_)):
        return str(bool(entry))
    if isinstance(entry, (int, np.integer)):
        return str(int(entry))
    if not isinstance(entry, (float, np.floating)):
        return type(entry).__name__  # never the entry's own repr, which may hold an address, or raise
    if not np.isfinite(entry) or abs(entry) >= 1e5:
        return f"{float(entry):.3g}"
    rounded = f"{float(entry):.{decimals}f}"
    return rounded.lstrip("-") if float(rounded) == 0 else rounded
