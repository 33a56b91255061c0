"""Grouped bars: the same measurements of several models, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import style


def grouped_bars(
    values: Mapping[str, Sequence[float]],
    groups: Sequence[str],
    ax: Axes | None = None,
    title: str = "",
    y_label: str = "",
    chance: float | None = None,
) -> Axes:
    """Draw a group of bars for each measurement, with a bar for each name, told apart by colour and hatching.

    Args:
        values: name → what was measured, (n_groups,).
        groups: what the groups measure.
        ax: where to draw; None makes a figure.
        title, y_label: what to see, and what the height is.
        chance: what guessing would reach, drawn as a dashed line; None for no line.

    Example:
        >>> ax = grouped_bars({"one": [1.0, 0.5], "two": [0.2, 0.3]}, ["short", "long"])
        >>> len(ax.patches), [text.get_text() for text in ax.get_xticklabels()]
        (4, ['short', 'long'])
    """
    ax = style.axes(ax, width=2.0 + 1.5 * len(groups), height=3.2)
    width = 0.8 / len(values)
    for index, (name, heights) in enumerate(values.items()):
        place = np.arange(len(groups)) + (index - (len(values) - 1) / 2) * width
        colour, hatch = style.PALETTE[index % len(style.PALETTE)], style.HATCHES[index % len(style.HATCHES)]
        ax.bar(place, heights, width, color=colour, hatch=hatch, edgecolor="white", label=name)
    if chance is not None:
        ax.axhline(chance, color="0.4", linestyle="--", linewidth=1)
        beside = ax.get_yaxis_transform()
        ax.text(1.01, chance, "guessing", fontsize=8, color="0.3", va="center", ha="left", transform=beside)
    ax.set_xticks(range(len(groups)), groups)
    ax.set(ylabel=y_label, title=title, ylim=(0, 1.05))
    ax.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return ax
