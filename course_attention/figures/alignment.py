"""Heat map of attention weights, with the tokens on its axes."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import style


def alignment(
    weights: np.ndarray,
    rows: Sequence[str],
    columns: Sequence[str],
    ax: Axes | None = None,
    title: str = "",
    row_label: str = "",
    column_label: str = "",
    limits: tuple[float, float] = (0.0, 1.0),
    bar: bool = False,
) -> Axes:
    """Draw attention weights: a row for each token that attends, a column for each attended to; dark is large.

    Args:
        weights: (n_rows, n_columns).
        rows: tokens that attend (target, queries), one per row; a string counts as its characters.
        columns: tokens attended to (source, keys), one per column.
        ax: where to draw; None makes a figure with room for every token.
        title, row_label, column_label: what to see, and what the tokens are.
        limits: weights of the brightest and the darkest colour, the same in figures to be compared.
        bar: whether to draw the scale of colours.

    Raises:
        ValueError: the tokens do not match the shape of the weights.

    Example:
        >>> ax = alignment(np.eye(2), "AB", "ab")
        >>> [label.get_text() for label in ax.get_yticklabels()]
        ['A', 'B']
    """
    weights = np.asarray(weights)
    if weights.shape != (len(rows), len(columns)):
        expected = (len(rows), len(columns))
        raise ValueError(f"weights must be (n_rows, n_columns) {expected}, as the tokens; got {weights.shape}")
    words = max(map(len, [*rows, *columns])) > 1
    cell = 0.45 if words else 0.22  # inches
    ax = style.axes(ax, width=1.4 + cell * len(columns), height=1.0 + cell * len(rows))
    image = ax.imshow(weights, cmap=style.WEIGHTS_MAP, vmin=limits[0], vmax=limits[1], aspect="auto")
    look = style.SLANTED if max(map(len, columns)) > 3 else {}
    ax.set_xticks(range(len(columns)), _visible(columns), **look)
    ax.set_yticks(range(len(rows)), _visible(rows))
    ax.tick_params(length=0, labelsize="small")
    ax.set(xlabel=column_label, ylabel=row_label, title=title)
    if bar:
        ax.figure.colorbar(image, ax=ax, label="weight")
    return ax


def _visible(tokens: Sequence[str]) -> list[str]:
    return ["␣" if token == " " else token for token in tokens]
