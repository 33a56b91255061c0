"""A map of looked-up places: a line from each place that was asked for to the one that was found."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import style


def lookup_map(
    places: np.ndarray,
    asked: np.ndarray,
    found: np.ndarray,
    words: Sequence[str],
    ax: Axes | None = None,
    title: str = "",
) -> Axes:
    """Draw all places, and for each call a line from the place that was asked for to the output.

    Args:
        places: (n_places, 2), hundreds of kilometres east and north.
        asked: (n_calls,), indices of the places that were asked for.
        found: (n_calls, 2), the outputs.
        words: what was typed in each call, written beside the place that was asked for: places stand apart, and
            outputs may not.
        ax: where to draw; None makes a figure.
        title: what is drawn.

    Example:
        >>> ax = lookup_map(np.eye(2), np.array([1]), np.zeros((1, 2)), ["rone"])
        >>> [text.get_text() for text in ax.texts]
        ['rone']
    """
    ax = style.axes(ax, width=5.5, height=5.2)
    ax.scatter(places[:, 0], places[:, 1], s=16, color="0.75", label="all cities", zorder=1)
    for place, output, word in zip(places[asked], found, words, strict=True):
        ax.plot(*np.stack([place, output]).T, color="0.45", linewidth=1, zorder=1)
        ax.annotate(word, place, xytext=(0, 6), textcoords="offset points", ha="center", fontsize=8, zorder=4)
    ax.scatter(places[asked, 0], places[asked, 1], s=36, color=style.PALETTE[0], label="asked for", zorder=2)
    ax.scatter(found[:, 0], found[:, 1], s=42, marker="X", color=style.PALETTE[4], label="output", zorder=3)
    ax.set(xlabel="east (100 km)", ylabel="north (100 km)", title=title, aspect="equal")
    return ax
