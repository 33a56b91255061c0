"""Curves: the median of several runs, with a band from the smallest to the largest."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import style


def curve(x: np.ndarray, runs: np.ndarray, label: str, index: int, ax: Axes | None = None) -> Axes:
    """Draw the median over the runs, in a band from the smallest to the largest.

    Args:
        x: (n_points,).
        runs: (n_runs, n_points), or (n_points,) for a single run, which has no band.
        label: for the legend, which the caller draws.
        index: which of the figure's lines this is; it sets colour, marker and dashes.
        ax: where to draw; None makes a figure.

    Raises:
        ValueError: the runs and x differ in their number of points.

    Example:
        >>> ax = curve(np.array([1, 2]), np.array([[3.0, 1.0], [5.0, 2.0]]), "loss", 0)
        >>> [round(float(y), 1) for y in ax.lines[0].get_ydata()]
        [4.0, 1.5]
    """
    x, runs = np.asarray(x), np.atleast_2d(runs)
    if runs.shape[-1] != len(x):
        raise ValueError(f"line {label!r} must have {len(x)} points, as x has; got {runs.shape[-1]}")
    ax = style.axes(ax)
    colour = style.PALETTE[index % len(style.PALETTE)]
    if len(runs) > 1:
        low, high = runs.min(axis=0), runs.max(axis=0)
        ax.fill_between(x, low, high, color=colour, alpha=style.BAND, linewidth=0)
    ax.plot(
        x,
        np.median(runs, axis=0),
        color=colour,
        linestyle=style.LINES[index % len(style.LINES)],
        marker=style.MARKERS[index % len(style.MARKERS)],
        markersize=5,
        markevery=max(1, len(x) // 20),
        label=label,
    )
    return ax


def curves(
    x: np.ndarray,
    lines: Mapping[str, np.ndarray],
    ax: Axes | None = None,
    title: str = "",
    x_label: str = "",
    y_label: str = "",
    looks: Mapping[str, int] | None = None,
) -> Axes:
    """Draw a curve for each name, with labelled axes and a legend.

    Args:
        x: (n_points,), the same for all lines.
        lines: name → runs, as `curve` takes them.
        ax: where to draw; None makes a figure.
        title, x_label, y_label: what to see, and what the axes measure.
        looks: name → the `index` of `curve`, so that a name looks the same in several figures; None counts the lines.

    Example:
        >>> losses = {"seen": np.array([1.0, 0.0]), "unseen": np.array([1.0, 0.5])}
        >>> ax = curves(np.arange(2), losses, x_label="step", y_label="loss")
        >>> len(ax.lines)
        2
    """
    ax = style.axes(ax)
    for index, (name, runs) in enumerate(lines.items()):
        curve(x, runs, name, index if looks is None else looks[name], ax)
    ax.set(xlabel=x_label, ylabel=y_label, title=title)
    ax.grid(alpha=0.3)
    ax.legend(frameon=False)
    return ax
