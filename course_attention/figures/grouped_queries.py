"""Grouped queries: lines from each query head to the key and value head that it uses."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_attention.figures import style


def head_groups(group: Sequence[int], ax: Axes | None = None, title: str = "") -> Axes:
    """Draw query heads above, key and value heads below, and a line from each query head to the one that it uses.

    Args:
        group: for each query head, the number of its key and value head.
        ax: where to draw; None makes a figure.
        title: what to see.

    Example:
        >>> ax = head_groups([0, 0, 1, 1])
        >>> len(ax.lines), len(ax.patches)
        (4, 6)
    """
    n_heads, n_groups = len(group), max(group) + 1
    ax = style.axes(ax, width=0.8 + 0.55 * n_heads, height=2.4)
    queries = np.arange(n_heads)
    keys = (np.arange(n_groups) + 0.5) * n_heads / n_groups - 0.5
    for head, own in enumerate(group):
        ax.plot([head, keys[own]], [1, 0], color="0.3", linewidth=1.4, zorder=1)
    for row, places, ground in ((1, queries, "#e3eef6"), (0, keys, "#E69F00")):
        for number, x in enumerate(places):
            ax.add_patch(
                Rectangle((x - 0.38, row - 0.16), 0.76, 0.32, facecolor=ground, edgecolor="0.3", zorder=2)
            )
            ax.text(x, row, str(number), ha="center", va="center", fontsize=9)
    ax.set_yticks([1, 0], ["query heads", "keys, values"])
    ax.set(xlim=(-0.6, n_heads - 0.4), ylim=(-0.4, 1.4), xticks=[], title=title)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return ax


def compare(groups: dict[str, Sequence[int]]) -> np.ndarray:
    """Draw a panel for each way to share keys and values.

    Args:
        groups: title → group, as `head_groups` takes it.

    Returns:
        The Axes, one for each title.

    Example:
        >>> compare({"own": [0, 1], "one for all": [0, 0]}).shape
        (2,)
    """
    width = max(map(len, groups.values()))
    _, axes = plt.subplots(
        1,
        len(groups),
        figsize=(len(groups) * (0.8 + 0.42 * width), 2.4),
        layout="constrained",
        squeeze=False,
        sharey=True,
    )
    for ax, (title, group) in zip(axes[0], groups.items(), strict=True):
        head_groups(group, ax, title)
    return axes[0]
