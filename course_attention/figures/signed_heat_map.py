"""Heat map of a matrix with numbers of either sign, such as an interaction matrix."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import style
from course_attention.figures.drawing import ink_on

SIGNED_MAP = "PuOr_r"  # white at 0, orange above, purple below


def signed_heat_map(
    matrix: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str] | None = None,
    ax: Axes | None = None,
    title: str = "",
    limit: float | None = None,
) -> Axes:
    """Draw a matrix with its numbers in the cells; queries are rows, keys are columns, and white is 0.

    Args:
        matrix: (n_rows, n_columns).
        rows: one name for each row; a string counts as its characters.
        columns: one name for each column; None for those of the rows.
        ax: where to draw; None makes a figure.
        title: what to see.
        limit: number of the darkest orange; its negative has the darkest purple. None for the largest absolute number.

    Raises:
        ValueError: the names do not match the shape of the matrix.

    Example:
        >>> ax = signed_heat_map(np.array([[0.0, 2.0], [-1.0, 0.0]]), "ab")
        >>> [text.get_text() for text in ax.texts]
        ['0', '2', '-1', '0']
    """
    matrix, columns = np.asarray(matrix), rows if columns is None else columns
    if matrix.shape != (expected := (len(rows), len(columns))):
        raise ValueError(f"matrix must be (n_rows, n_columns) {expected}, as the names; got {matrix.shape}")
    ax = style.axes(ax, width=1.5 + 0.3 * len(columns), height=1.5 + 0.3 * len(rows))
    limit = float(np.abs(matrix).max(initial=1e-9)) if limit is None else limit
    image = ax.imshow(matrix, cmap=SIGNED_MAP, vmin=-limit, vmax=limit)
    for (row, column), number in np.ndenumerate(matrix):
        red, green, blue, _ = image.to_rgba(number)
        text = f"{round(float(number)) + 0:d}"
        ax.text(column, row, text, ha="center", va="center", fontsize=10, color=ink_on((red, green, blue)))
    ax.set_xticks(range(len(columns)), list(columns), **(style.SLANTED if max(map(len, columns)) > 1 else {}))
    ax.set_yticks(range(len(rows)), list(rows))
    ax.tick_params(length=0)
    ax.set(xlabel="is asked (key)", ylabel="asks (query)", title=title)
    return ax
