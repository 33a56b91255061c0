"""The weights of several scores side by side."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_attention.figures.alignment import alignment


def side_by_side(
    weights: Mapping[str, np.ndarray], rows: Sequence[str], columns: Sequence[str], axes: np.ndarray
) -> np.ndarray:
    """Draw the weights of each score as a heat map, with the numbers in the cells.

    Args:
        weights: name → `(n_queries, n_keys)`, between 0 and 1, which are the ends of the colours.
        rows, columns: labels of the queries and of the keys.
        axes: one for each score.

    Raises:
        ValueError: a weight lies outside 0 and 1, so that its colour would be that of another number.
    """
    for ax, (name, numbers) in zip(axes.flat, weights.items(), strict=True):
        if numbers.min() < 0 or numbers.max() > 1 + 1e-6:
            raise ValueError(
                f"weights of {name!r} must lie between 0 and 1; got {numbers.min():g} to {numbers.max():g}"
            )
        alignment(numbers, rows, columns, ax, title=name, row_label="queries", column_label="keys")
        for (row, column), number in np.ndenumerate(numbers):
            shade = "black" if number > 0.5 else "white"
            ax.text(column, row, f"{number:.1f}", ha="center", va="center", fontsize=8, color=shade)
    return axes
