"""Stacked bars that show the shares of a whole."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import style


def stacked_bars(
    names: Sequence[str],
    parts: Mapping[str, np.ndarray],
    ax: Axes | None = None,
    title: str = "",
    x_label: str = "",
    colours: Sequence[str] = style.PALETTE,
) -> Axes:
    """Draw a bar of length 1 for each name, divided into the shares of its parts.

    Args:
        names: of the bars, (n_bars,).
        parts: name of a part → how much of it each bar has, (n_bars,), in any unit.
        ax: where to draw; None makes a figure.
        title, x_label: what to see, and what the bars are.
        colours: of the parts, where a drawing before this one has given them colours.

    Example:
        >>> ax = stacked_bars(["short", "long"], {"a": np.array([1.0, 9.0]), "b": np.array([1.0, 1.0])})
        >>> [round(float(bar.get_height()), 2) for bar in ax.patches]
        [0.5, 0.9, 0.5, 0.1]
    """
    ax = style.axes(ax, width=6.0, height=3.4)
    whole = sum(np.asarray(part, dtype=float) for part in parts.values())
    below = np.zeros(len(names))
    for index, (name, part) in enumerate(parts.items()):
        share = part / whole
        colour = colours[index % len(colours)]
        hatch = style.HATCHES[index % len(style.HATCHES)]
        ax.bar(names, share, bottom=below, label=name, color=colour, hatch=hatch, edgecolor="white")
        below = below + share
    ax.set(title=title, xlabel=x_label, ylabel="share", ylim=(0, 1))
    ax.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax
