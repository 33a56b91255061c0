"""A table whose cells are shaded by a number and say what stands behind it, such as what each run came to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Normalize

from course_attention.figures import style
from course_attention.figures.drawing import ink_on


def shaded_table(
    values: np.ndarray,
    texts: Sequence[Sequence[str]],
    rows: Sequence[str],
    columns: Sequence[str],
    ax: Axes | None = None,
    *,
    norm: Normalize | None = None,
    label: str = "",
    size: float = 10,
) -> Axes:
    """Draw a cell for each row and column, dark where its number is large, with a text in it.

    Args:
        values: (n_rows, n_columns), the numbers that shade the cells; NaN leaves a cell white.
        texts: what each cell says, in the same shape.
        rows: one name for each row.
        columns: one name for each column.
        ax: where to draw; None makes a figure.
        norm: which numbers are white and black; None for 0 and 1. Numbers beyond its limits look like the limits.
        label: what the numbers are, beside the scale.
        size: of the texts in the cells.

    Raises:
        ValueError: the names or the texts do not match the shape.

    Example:
        >>> ax = shaded_table(np.array([[0.9, np.nan]]), [["0.9 0.9", "not run"]], ["a"], ["b", "c"])
        >>> [text.get_text() for text in ax.texts]
        ['0.9 0.9', 'not run']
    """
    values, norm = np.asarray(values, dtype=float), norm or Normalize(0.0, 1.0)
    if values.shape != (expected := (len(rows), len(columns))):
        raise ValueError(f"values must be (n_rows, n_columns) {expected}, as the names; got {values.shape}")
    if [len(line) for line in texts] != [len(columns)] * len(rows):
        raise ValueError(f"texts must be (n_rows, n_columns) {expected}; got rows of {[len(line) for line in texts]}")
    ax = style.axes(ax, width=2.2 + 1.05 * len(columns), height=1.6 + 0.3 * len(rows))
    shown = np.ma.masked_invalid(np.clip(values, norm.vmin, norm.vmax))
    image = ax.imshow(shown, cmap=style.WEIGHTS_MAP, norm=norm, aspect="auto")
    for (row, column), number in np.ndenumerate(shown):
        red, green, blue, _ = image.to_rgba(number)
        ink = "black" if np.isnan(values[row, column]) else ink_on((red, green, blue))
        ax.text(column, row, texts[row][column], ha="center", va="center", fontsize=size, color=ink)
    ax.set_xticks(range(len(columns)), list(columns))
    ax.set_yticks(range(len(rows)), list(rows))
    ax.xaxis.tick_top()
    ax.tick_params(length=0)
    ax.figure.colorbar(image, ax=ax, label=label)
    return ax
