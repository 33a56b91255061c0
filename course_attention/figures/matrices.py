"""Diagrams of matrix products: matrices as boxes of cells, with the names of their axes."""

from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_attention.figures import style

# neighbouring tokens have these in turn; they differ in greyscale, too
SHADES = ("#8fb8d8", "#e3eef6")


@dataclass(frozen=True)
class Box:
    """A matrix to be drawn.

    Attributes:
        name: written above it.
        shape: number of rows and columns.
        rows, columns: names of the axes that count rows and columns.
        labels: one per row, written inside at the left; none if empty.
        tokens: "rows" or "columns": which of the two are tokens, shaded in turn; "" for neither.
    """

    name: str
    shape: tuple[int, int]
    rows: str
    columns: str
    labels: Sequence[str] = ()
    tokens: str = "rows"


def equation(parts: Sequence[Box | str], ax: Axes | None = None) -> Axes:
    """Draw matrices in a row, with signs such as "×" and "=" between them.

    Example:
        >>> ax = equation([Box("Q", (2, 3), "n_queries", "d_key"), "×", Box("Kᵀ", (3, 4), "d_key", "n_keys")])
        >>> len(ax.patches)
        18
    """
    ax = style.axes(ax, width=10, height=2.8)
    ax.axis("off")
    left = 0.0
    for part in parts:
        if isinstance(part, str):
            ax.text(left + 0.1, 0, part, ha="center", va="center", fontsize=15)
            left += 1.0
        else:
            left = _draw(ax, part, left + 0.6) + 0.8
    half = _tallest(parts) / 2 + 1.0
    ax.set(xlim=(-0.4, left), ylim=(-half, half), aspect="equal")
    return ax


def equations(rows: Sequence[Sequence[Box | str]], title: str = "") -> np.ndarray:
    """Draw several equations below one another, all cells of one size; returns their Axes.

    Example:
        >>> axes = equations([[Box("A", (1, 2), "a", "b")], [Box("B", (2, 1), "b", "c")]])
        >>> axes.shape, axes[0].get_xlim() == axes[1].get_xlim()
        ((2,), True)
    """
    heights = [_tallest(parts) + 2.0 for parts in rows]
    figure, axes = plt.subplots(
        len(rows),
        1,
        figsize=(9, 0.4 * sum(heights) + 0.4),
        height_ratios=heights,
        layout="constrained",
        squeeze=False,
    )
    for parts, ax in zip(rows, axes[:, 0], strict=True):
        equation(parts, ax)
    right = max(ax.get_xlim()[1] for ax in axes[:, 0])
    for ax in axes[:, 0]:
        ax.set_xlim(right=right)
    figure.suptitle(title)
    return axes[:, 0]


def _tallest(parts: Sequence[Box | str]) -> int:
    return max(part.shape[0] for part in parts if isinstance(part, Box))


def _draw(ax: Axes, box: Box, left: float) -> float:
    n_rows, n_columns = box.shape
    top = n_rows / 2
    # labels stand at its left; a letter takes about 0.22 cells
    room = 0.22 * max(map(len, box.labels), default=0)
    left += room
    for row, column in np.ndindex(n_rows, n_columns):
        token = {"rows": row, "columns": column}.get(box.tokens)
        shade = "white" if token is None else SHADES[token % 2]
        ax.add_patch(Rectangle((left + column, top - row - 1), 1, 1, facecolor=shade, edgecolor="0.3", linewidth=0.8))
    for row, label in enumerate(box.labels):
        ax.text(left - 0.15, top - row - 0.5, label, ha="right", va="center", fontsize=9)
    middle = left + n_columns / 2
    ax.text(middle, top + 0.2, box.name, ha="center", va="bottom", weight="bold")
    ax.text(middle, -top - 0.15, box.columns, ha="center", va="top", fontsize=9)
    ax.text(left - room - 0.2, 0, box.rows, ha="right", va="center", rotation=90, fontsize=9)
    return left + n_columns
