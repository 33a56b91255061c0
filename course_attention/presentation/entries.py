"""The entries of an array as text: how many digits a number has, and what stands for an entry that is no number."""

from typing import Any

import numpy as np

LONGEST_TEXT = 39  # characters of an entry that is no number
LARGE = 1e5  # numbers from here on are written as 1e+05

Index = tuple[int, ...]


def decimals_for(*arrays: object, where: Index | None = None) -> int:
    """How many decimals to show: as few as give the values exactly, and at most 3.

    Args:
        arrays: what is shown with this number of decimals.
        where: the index of the first difference of two arrays. Up to 6 decimals then tell the two entries apart.

    Example:
        >>> decimals_for([1.0, 2.5]), decimals_for([1 / 3]), decimals_for([0.5], [0.50001], where=(0,))
        (1, 3, 5)
    """
    several = [as_floats(as_array(array)) for array in arrays]
    numbers = [values[np.abs(values) < LARGE] for values in several]
    exact = (d for d in range(3) if all(np.allclose(a, a.round(d), rtol=0, atol=1e-6) for a in numbers))
    decimals = next(exact, 3)
    if where is not None and len(arrays) == 2:
        one, other = (entry_at(array, where) for array in arrays)
        while decimals < 6 and entry_text(one, decimals) == entry_text(other, decimals):
            decimals += 1
    return decimals


def entry_at(array: object, where: Index) -> object:
    """Return the entry at an index; None where the array has no such index.

    Example:
        >>> entry_at([[1.0, 2.0]], (0, 1)), entry_at([[1.0, 2.0]], (3, 0))
        (2.0, None)
    """
    entries = as_array(array)
    return entries[where] if has_index(where, entries.shape) else None


def entry_text(entry: Any, decimals: int) -> str:
    """One entry as text, of at most 39 characters.

    Example:
        >>> [entry_text(x, 2) for x in (0.333, -0.0001, 1e6, float("nan"), True, 3, None, np.array(0.5))]
        ['0.33', '0.00', '1e+06', 'nan', 'True', '3', 'None', '0.50']
    """
    if isinstance(entry, np.ndarray) and entry.ndim == 0:
        entry = entry[()]  # an input without axes is one number
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
    if not abs(number) < LARGE:  # NaN as well
        return f"{number:.3g}"
    rounded = f"{number:.{decimals}f}"
    return rounded.lstrip("-") if float(rounded) == 0 else rounded


def as_array(array: object) -> np.ndarray:
    """Return an array, a nested list or a single entry as an array.

    Example:
        >>> as_array([[1.0, 2.0], "two"]).shape
        (2,)
    """
    # A nested list may be ragged or hold anything; NumPy takes it in only as objects.
    return np.asarray(array, dtype=object) if isinstance(array, (list, tuple)) else np.asarray(array)


def as_floats(entries: np.ndarray) -> np.ndarray:
    """Return the entries as floats, NaN where an entry is no number."""
    if entries.dtype.kind in "fiub":
        return entries.astype(float)
    numbers = [_number(entry) for entry in entries.ravel()]
    return np.array(numbers, dtype=float).reshape(entries.shape)


def has_index(where: Index, shape: tuple[int, ...]) -> bool:
    """Whether an array of this shape has an entry at this index.

    Example:
        >>> has_index((1, 2), (2, 3)), has_index((1, 3), (2, 3)), has_index((1,), (2, 3))
        (True, False, False)
    """
    return len(where) == len(shape) and all(0 <= i < n for i, n in zip(where, shape, strict=True))


def _number(entry: Any) -> float:
    is_number = isinstance(entry, (bool, int, float, np.bool_, np.integer, np.floating))
    try:
        return float(entry) if is_number else np.nan
    except OverflowError:  # a Python integer may have any number of digits
        return np.nan


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
