"""Dot plot of trainings that differ in their seed alone, with their median."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import style


def dot_plot(
    outcomes: Mapping[str, np.ndarray],
    ax: Axes | None = None,
    title: str = "",
    x_label: str = "",
    limits: tuple[float, float] | None = None,
) -> Axes:
    """Draw a row for each name, the first on top, with a dot for each run and a line at their median.

    The dots of a row have different heights, which mean nothing: runs that came to the same are seen side by side.

    Args:
        outcomes: name → (n_runs,).
        ax: where to draw; None makes a figure.
        title, x_label: what to see, and what the outcomes are.
        limits: of the x axis; None fits the outcomes.

    Example:
        >>> ax = dot_plot({"whole": np.array([1.0, 0.9]), "without": np.array([0.1, 0.3])})
        >>> [label.get_text() for label in ax.get_yticklabels()], len(ax.lines)
        (['whole', 'without'], 4)
    """
    ax = style.axes(ax, width=5.2, height=0.9 + 0.34 * len(outcomes))
    for row, values in enumerate(map(np.asarray, outcomes.values())):
        middle = float(np.median(values))
        ax.plot([middle, middle], [row - 0.3, row + 0.3], color="black", linewidth=2, zorder=3)
        ax.plot(
            values,
            row + _heights(len(values)),
            linestyle="",
            marker="o",
            markersize=7,
            alpha=0.75,
            color=style.PALETTE[0],
            markeredgecolor="white",
        )
    ax.set_yticks(range(len(outcomes)), list(outcomes))
    ax.set(title=title, xlabel=x_label, xlim=limits, ylim=(len(outcomes) - 0.5, -0.5))
    ax.grid(axis="x", alpha=0.3)
    return ax


def _heights(n_runs: int) -> np.ndarray:
    """Return how far each dot is from the middle of its row: any few neighbours are well apart."""
    golden = (5**0.5 - 1) / 2
    return 0.6 * ((np.arange(n_runs) * golden + 0.5) % 1 - 0.5)
