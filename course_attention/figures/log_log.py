"""Costs against length on logarithmic axes, where a power law is a straight line whose slope is its exponent."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import style

MOST_TICKS = 8


def power_laws(
    lengths: np.ndarray,
    costs: Mapping[str, np.ndarray],
    exponents: Mapping[str, tuple[float, float]] | None = None,
    ax: Axes | None = None,
    title: str = "",
    y_label: str = "",
    x_label: str = "n_tokens",
) -> Axes:
    """Draw a line for each layer, with a band for its noise and a thin line with the slope of its count.

    Args:
        lengths: (n_lengths,).
        costs: name → (n_lengths,), or (n_rows, n_lengths): the first row is the line, and the band spans them all. NaN
            where there is no measurement.
        exponents: name → (fitted, by the count), for the legend and the thin lines; None for neither.
        ax: where to draw; None makes a figure.
        title, y_label, x_label: what to see, and what the axes measure.

    Example:
        >>> lengths = np.array([1.0, 2.0, 4.0])
        >>> ax = power_laws(lengths, {"pairs": lengths**2}, {"pairs": (1.9, 2.0)}, y_label="seconds")
        >>> ax.get_legend().get_texts()[0].get_text()
        'pairs: 1.90, by the count 2.00'
    """
    ax = style.axes(ax, width=5.6, height=4.2)
    for index, (name, rows) in enumerate(costs.items()):
        rows, label, look = np.atleast_2d(rows), name, _look(index)
        if exponents is not None:
            fitted, expected = exponents[name]
            label = f"{name}: {fitted:.2f}, by the count {expected:.2f}"
            _slope(lengths, rows[0], expected, ax, look["linestyle"])
        if len(rows) > 1:
            low, high = rows.min(axis=0), rows.max(axis=0)
            ax.fill_between(lengths, low, high, color=look["color"], alpha=style.BAND, linewidth=0)
        ax.plot(lengths, rows[0], label=label, markersize=5, **look)
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    ax.set_xticks(lengths[:: -(-len(lengths) // MOST_TICKS)])
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set(xlabel=x_label, ylabel=y_label, title=title)
    ax.grid(alpha=0.3)
    ax.legend(frameon=False, fontsize=8)
    return ax


def _look(index: int) -> dict:
    looks = {"color": style.PALETTE, "linestyle": style.LINES, "marker": style.MARKERS}
    return {name: options[index % len(options)] for name, options in looks.items()}


def _slope(lengths: np.ndarray, costs: np.ndarray, exponent: float, ax: Axes, dashes: str | tuple) -> None:
    """Draw a thin line of this slope through the middle of the points, with the dashes of its own line."""
    there = np.isfinite(costs)
    factor = np.exp(np.mean(np.log(costs[there]) - exponent * np.log(lengths[there])))
    ax.plot(lengths[there], factor * lengths[there] ** exponent, color="0.5", linestyle=dashes, linewidth=0.8, zorder=1)


def memory_limit(
    lengths: np.ndarray,
    costs: Mapping[str, np.ndarray],
    limit: float,
    limit_label: str,
    ax: Axes | None = None,
) -> Axes:
    """Draw bytes against length with the machine's limit, and an open circle where a line crosses it.

    Args:
        lengths: (n_lengths,).
        costs: name → bytes, (n_lengths,), growing.
        limit: the bytes that a machine has.
        limit_label: the name of the machine.
        ax: where to draw; None makes a figure.

    Example:
        >>> lengths = np.array([1.0, 10.0, 100.0])
        >>> ax = memory_limit(lengths, {"scores": 4 * lengths**2}, limit=400.0, limit_label="this machine")
        >>> ax.get_legend().get_texts()[0].get_text()
        'scores: up to n = 10'
    """
    within = {name: line[0] <= limit <= line[-1] for name, line in costs.items()}
    at = {name: float(np.exp(np.interp(np.log(limit), np.log(line), np.log(lengths)))) for name, line in costs.items()}
    named = {f"{name}: up to n = {at[name]:,.0f}" if within[name] else name: costs[name] for name in costs}
    ax = power_laws(lengths, named, ax=ax, title="where the memory runs out", y_label="bytes")
    ax.axhline(limit, color="0.2", linewidth=1.2)
    # At the right end all lines but the slowest are far above the limit.
    ax.annotate(
        limit_label, (lengths[-1], limit), xytext=(0, -4), textcoords="offset points", ha="right", va="top", fontsize=9
    )  # fmt: skip
    for index, name in enumerate(costs):
        if within[name]:
            ax.plot([at[name]], [limit], "o", color=_look(index)["color"], markersize=9, markerfacecolor="white")
    return ax
