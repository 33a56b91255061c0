"""Comparisons of score functions: their weights side by side, and a number before and after a change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import style
from course_attention.figures.alignment import alignment


def side_by_side(
    weights: Mapping[str, np.ndarray],
    rows: Sequence[str],
    columns: Sequence[str],
    axes: np.ndarray | None = None,
) -> np.ndarray:
    """Draw the weights of each score as a heat map, four to a row, with the numbers in the cells.

    Colours end at 0 and 1. Weights that are no probabilities can lie outside, which the numbers show.

    Args:
        weights: name → `(n_queries, n_keys)`.
        rows, columns: labels of the queries and of the keys.
        axes: at least one per score, of any shape; made if None.
    """
    if axes is None:
        n_rows = -(-len(weights) // 4)
        _, axes = plt.subplots(n_rows, 4, figsize=(12, 3.1 * n_rows), layout="constrained", squeeze=False)
    for ax in axes.flat[len(weights) :]:
        ax.set_axis_off()
    for ax, (name, numbers) in zip(axes.flat, weights.items(), strict=False):
        alignment(numbers, rows, columns, ax, title=name, row_label="queries", column_label="keys")
        for (row, column), number in np.ndenumerate(numbers):
            shade = "black" if number > 0.5 else "white"
            ax.text(
                column, row, f"{round(number, 1) + 0:.1f}", ha="center", va="center", fontsize=8, color=shade
            )
    return axes


def dumbbell_plot(
    before: Mapping[str, float],
    after: Mapping[str, float],
    labels: tuple[str, str],
    x_label: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw a number of each score before and after a change, joined by a line.

    Args:
        before, after: name → number.
        labels: names of the two in the legend.
        x_label: what the numbers are.
        ax: where to draw; None makes a figure.
    """
    ax = style.axes(ax, width=6, height=3.2)
    names = list(before)
    start, end = np.array([before[name] for name in names]), np.array([after[name] for name in names])
    ax.hlines(names, start, end, color="0.6", linewidth=2)
    ax.plot(start, names, "o", color=style.PALETTE[0], label=labels[0])
    ax.plot(end, names, "D", color=style.PALETTE[1], label=labels[1])
    ax.axvline(0, color="0.85", linewidth=0.8, zorder=0)
    ax.invert_yaxis()
    ax.set_xlabel(x_label)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False)
    return ax
