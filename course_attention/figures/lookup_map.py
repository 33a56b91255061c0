"""A map of looked-up places, with a line from each place that was asked for to the output, and one lookup's weights."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from course_attention.figures import style

_ASIDE = 7  # points from a place to its word


def lookup_map(
    places: np.ndarray,
    asked: np.ndarray,
    found: np.ndarray,
    words: Sequence[str],
    ax: Axes | None = None,
    title: str = "",
    moved: Mapping[str, tuple[float, float, str]] = MappingProxyType({}),
    named: Mapping[int, str] = MappingProxyType({}),
) -> Axes:
    """Draw all places, and for each call a line from the place that was asked for to the output.

    Args:
        places: (n_places, 2), hundreds of kilometres east and north.
        asked: (n_calls,), indices of the places that were asked for.
        found: (n_calls, 2), the outputs.
        words: what was typed in each call, written beside the place that was asked for: places stand apart, and
            outputs may not. A word is west of its place in the west of the map, and east of it in the east: lines
            that lead to the middle leave it free, and it is at the same side in every map of these places.
        ax: where to draw; None makes a figure.
        title: what is drawn.
        moved: word → where it stands instead: points to the right of its place, points above it, and which end of it
            is there ("left" or "right").
        named: index of a place → its name, for places that the text speaks of.

    Example:
        >>> ax = lookup_map(np.eye(2), np.array([1]), np.zeros((1, 2)), ["rone"])
        >>> [text.get_text() for text in ax.texts]
        ['rone']
    """
    ax = style.axes(ax, width=5.5, height=5.2)
    ax.scatter(places[:, 0], places[:, 1], s=16, color="0.75", label="all cities", zorder=1)
    middle = places[:, 0].mean()
    for place, output, word in zip(places[asked], found, words, strict=True):
        ax.plot(*np.stack([place, output]).T, color="0.45", linewidth=1, zorder=1)
        usual = (-_ASIDE, 0, "right") if place[0] < middle else (_ASIDE, 0, "left")
        _beside(ax, place, word, *moved.get(word, usual))
    for city, name in named.items():
        _beside(ax, places[city], name, *moved.get(name, (_ASIDE, 0, "left")), color="0.35", style="italic")
    ax.scatter(places[asked, 0], places[asked, 1], s=36, color=style.PALETTE[0], label="asked for", zorder=2)
    ax.scatter(found[:, 0], found[:, 1], s=42, marker="X", color=style.PALETTE[4], label="output", zorder=3)
    ax.set(xlabel="east (100 km)", ylabel="north (100 km)", title=title, aspect="equal")
    return ax


def _beside(ax: Axes, place: np.ndarray, word: str, right: float, up: float, anchor: str, **look: Any) -> None:
    text = ax.annotate(
        word,
        (place[0], place[1]),
        (right, up),
        textcoords="offset points",
        ha=anchor,
        va="center",
        fontsize=8,
        zorder=4,
        **look,
    )
    text.set_path_effects([withStroke(linewidth=2, foreground="white")])


def largest_weights(
    weights: np.ndarray,
    names: Sequence[str],
    asked: int,
    ax: Axes | None = None,
    title: str = "",
    n_bars: int = 5,
) -> Axes:
    """Draw the largest weights of one lookup as bars, the largest on top, and in the last bar the sum of all others.

    Args:
        weights: (n_keys,), of one query; they sum to 1.
        names: of the keys, (n_keys,).
        asked: index of the key that was asked for. Its bar is darker.
        ax: where to draw; None makes a figure.
        title: what is drawn.
        n_bars: how many weights have a bar of their own.

    Example:
        >>> ax = largest_weights(np.array([0.5, 0.1, 0.2, 0.2]), ["a", "b", "c", "d"], 0, n_bars=2)
        >>> [label.get_text() for label in ax.get_yticklabels()], [text.get_text() for text in ax.texts]
        (['a', 'c', '2 others'], ['0.50', '0.20', '0.30'])
    """
    ax = style.axes(ax, width=5.5, height=2)
    order = np.argsort(-weights, kind="stable")[:n_bars]
    labels = [names[i] for i in order] + [f"{len(weights) - n_bars} others"]
    shares = [float(weights[i]) for i in order] + [float(1 - weights[order].sum())]
    colours = [style.PALETTE[0] if i == asked else style.PALETTE[5] for i in order] + ["0.85"]
    bars = ax.barh(range(n_bars + 1), shares, color=colours, edgecolor="0.3", linewidth=0.5)
    ax.bar_label(bars, [f"{share:.2f}" for share in shares], padding=3, fontsize=8)
    ax.set_yticks(range(n_bars + 1), labels, fontsize=8)
    ax.invert_yaxis()
    ax.set(title=title, xlabel="weight", xlim=(0, 1.12))
    ax.set_xticks([0, 0.5, 1])
    return ax
