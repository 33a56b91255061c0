"""Heat map of a square matrix with numbers of either sign, such as an interaction matrix."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import style


def signed_heat_map(
    matrix: np.ndarray,
    symbols: Sequence[str],
    ax: Axes | None = None,
    title: str = "",
    limit: float | None = None,
) -> Axes:
    """Draw a matrix with its numbers in the cells; queries are rows, keys are columns, bright is positive.

    Args:
        matrix: (n_symbols, n_symbols).
        symbols: one for each row, and for the column of the same number; a string counts as its characters.
        ax: where to draw; None makes a figure.
        title: what to see.
        limit: number of the brightest colour; its negative has the darkest. None for the largest absolute number.

    Raises:
        ValueError: the symbols do not match the shape of the matrix.

    Example:
        >>> ax = signed_heat_map(np.array([[0.0, 2.0], [-1.0, 0.0]]), "ab")
        >>> [text.get_text() for text in ax.texts]
        ['0', '2', '-1', '0']
    """
    matrix = np.asarray(matrix)
    if matrix.shape != (len(symbols), len(symbols)):
        expected = (len(symbols), len(symbols))
        raise ValueError(
            f"matrix must be (n_symbols, n_symbols) {expected}, as the symbols; got {matrix.shape}"
        )
    ax = style.axes(ax, width=1.5 + 0.4 * len(symbols), height=1.2 + 0.4 * len(symbols))
    limit = float(np.abs(matrix).max(initial=1e-9)) if limit is None else limit
    ax.imshow(matrix, cmap=style.WEIGHTS_MAP, vmin=-limit, vmax=limit)
    for (row, column), number in np.ndenumerate(matrix):
        colour = "black" if number > 0.2 * limit else "white"
        text = f"{round(float(number)) + 0:d}"
        ax.text(column, row, text, ha="center", va="center", fontsize=8, color=colour)
    ax.set_xticks(range(len(symbols)), list(symbols))
    ax.set_yticks(range(len(symbols)), list(symbols))
    ax.tick_params(length=0)
    ax.set(xlabel="is asked (key)", ylabel="asks (query)", title=title)
    return ax
