"""Kernel regression: the prediction with its measurements, and the error against the width."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

from course_attention.figures import style


def prediction(
    x: np.ndarray,
    y: np.ndarray,
    grid: np.ndarray,
    truth: np.ndarray,
    predicted: np.ndarray,
    weights: np.ndarray | None = None,
    at: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw measurements, the true curve and the predicted one.

    Args:
        x, y: the measurements, `(n_points,)`.
        grid, truth, predicted: `(n_grid,)`.
        weights: `(n_grid, n_points)`; with `at`, the measurements' areas show the weights of one query, the largest
            drawn alike for every query.
        at: index in `grid` of that query.
        ax: where to draw; None makes a figure.
    """
    ax = style.axes(ax, width=5, height=3.2)
    size = 16.0
    if weights is not None and at is not None:
        size = 4 + 120 * weights[at] / weights[at].max()
        ax.axvline(grid[at], color="0.5", linestyle=":", label="one query; areas: its weights / the largest")
    ax.scatter(x, y, s=size, color="0.55", label="measurements (keys, values)")
    ax.plot(grid, truth, color=style.PALETTE[0], linestyle="--", label="true curve")
    ax.plot(grid, predicted, color=style.PALETTE[4], label="prediction (output)")
    ax.set(xlabel="x (query, key)", ylabel="y (value, output)")
    return ax


def error_against_width(widths: np.ndarray, errors: dict[str, np.ndarray], ax: Axes | None = None) -> Axes:
    """Draw error against width on logarithmic axes, the smallest of each line marked.

    Args:
        widths: `(n_widths,)`.
        errors: label → `(n_widths,)`.
        ax: where to draw; None makes a figure.
    """
    ax = style.axes(ax, width=5, height=3.2)
    for (label, error), line, color in zip(errors.items(), style.LINES, style.PALETTE, strict=False):
        best = error.argmin()
        ax.loglog(widths, error, linestyle=line, color=color, label=f"{label}: best at {widths[best]:.2f}")
        ax.plot(widths[best], error[best], "o", color=color)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axis.set_minor_formatter(NullFormatter())
    ax.set(xlabel="width", ylabel="mean squared error", title="too narrow, about right, too wide")
    ax.legend()
    return ax
