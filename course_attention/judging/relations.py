"""How wrong numbers relate to the right ones, in words: a factor, an order, an input that is added, rows all alike."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from course_attention.judging.elementwise import function_of, nearly, rounded
from course_attention.judging.factors import row_by_row, scaled, shifted, weights_of_other_scores
from course_attention.judging.places import (
    accumulated,
    alike,
    in_part,
    in_square,
    on_one_side,
    reordered,
    too_open,
    zeros,
)
from course_attention.judging.seen_numbers import SeenNumbers, agree

NOTHING_BUT_ZEROS = (
    "All numbers are 0. Is what is worked out written into what is returned? Note that in whole numbers `1 // 2` and "
    "torch's `2 ** -1` are 0."
)


def relation(axes: str, seen: Sequence[SeenNumbers], is_mask: bool = False) -> str:
    """Return what is true of the wrong numbers in every case; "" where nothing simple is.

    Args:
        axes: the axes asked for as the docstring writes them, "..., n_queries, d_value".
        seen: the cases with wrong numbers. The words give the numbers of the first.
        is_mask: they are 1 where a query may attend and 0 where not, and are spoken of as such.

    Example:
        >>> right = np.array([[1.0, -2.0], [3.0, 5.0]])
        >>> relation("n_queries, d_value", [SeenNumbers(right, right / 2, {})])
        'Every number is the right one divided by 2. Is a factor missing, or is there one too many?'
    """
    if not seen or not all(one.is_finite for one in seen):
        return ""
    if is_mask:
        said = next((said for kind in _KINDS_OF_MASK if (said := kind(axes, seen))), "")
        return said.replace("numbers", "entries").replace("number", "entry")
    said = next((said for kind in _KINDS if (said := kind(axes, seen))), "")
    return said if seen[0].expected.ndim else said.replace("Every number", "The number", 1)


def _copied(axes: str, seen: Sequence[SeenNumbers]) -> str:
    for name in _as_large(seen):
        if agree(seen, (one.inputs[name] for one in seen)):
            return f"What came is `{name}` itself, as it was handed over."
    return ""


def _with_input(axes: str, seen: Sequence[SeenNumbers]) -> str:
    for name in _as_large(seen):
        for change, said in _CHANGES:
            if agree(seen, (change(one, one.inputs[name]) for one in seen)):
                return f"{said.format(name)}. The exercise does not ask for that step."
    return ""


_CHANGES: tuple[tuple[Callable[[SeenNumbers, np.ndarray], np.ndarray], str], ...] = (
    (lambda one, array: one.expected + array, "To the right numbers, `{}` is added"),
    (lambda one, array: one.expected - array, "From the right numbers, `{}` is subtracted"),
    (lambda one, array: one.expected * array, "The right numbers are multiplied with `{}`, entry by entry"),
)


def _as_large(seen: Sequence[SeenNumbers]) -> Iterator[str]:
    """Yield the inputs of numbers that have the shape of the result in every case."""
    for name, value in seen[0].inputs.items():
        numbers = isinstance(value, np.ndarray) and value.dtype.kind == "f" and value.ndim > 0
        if numbers and all(np.asarray(one.inputs.get(name)).shape == one.expected.shape for one in seen):
            yield name


_KINDS = (
    _copied,
    scaled,
    weights_of_other_scores,
    rounded,
    function_of,
    shifted,
    _with_input,
    reordered,
    alike,
    accumulated,
    on_one_side,
    in_square,
    in_part,
    zeros,
    row_by_row,
    nearly,
)
"""What is looked for, the most telling first."""

_KINDS_OF_MASK = (reordered, on_one_side, alike, too_open, in_part)
