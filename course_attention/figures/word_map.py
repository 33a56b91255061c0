"""A map of words, and the ways that the vector of one word takes on it."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import style


def word_map(
    groups: Mapping[str, tuple[Sequence[str], np.ndarray]],
    others: np.ndarray,
    word: str,
    start: np.ndarray,
    ends: Mapping[str, np.ndarray],
    ax: Axes | None = None,
    title: str = "",
) -> Axes:
    """Draw words as dots with their names, and an arrow from a word's first vector to each of its new ones.

    Args:
        groups: name → words and their places, `(n_words, 2)`; a group has a colour and a marker.
        others: places of words that are not named, `(n_words, 2)`.
        word: the one that moves.
        start: its place at first, `(2,)`.
        ends: name → places to which it moves, `(n_sentences, 2)`; drawn as crosses, upright or not, with one arrow
            to their mean.
        ax: where to draw; None makes a figure.
        title: what to see.

    Example:
        >>> groups = {"nature": (["river"], np.array([[1.0, 0.0]]))}
        >>> ax = word_map(groups, np.zeros((1, 2)), "bank", np.zeros(2), {"nature": np.array([[0.9, 0.0]])})
        >>> [text.get_text() for text in ax.texts if text.get_text()]
        ['river', 'bank']
    """
    ax = style.axes(ax, width=7.2, height=4.6)
    ax.scatter(others[:, 0], others[:, 1], s=14, color="0.75", label="other words")
    names = list(groups)
    everything = np.concatenate([others, *(places for _, places in groups.values()), *ends.values(), start[None]])
    width, height = np.ptp(everything, axis=0) + 1e-6  # a map of words in one row has a height, too
    for index, (name, (words, places)) in enumerate(groups.items()):
        color, marker, label = style.PALETTE[index], style.MARKERS[index], f"words of {name}"
        ax.scatter(places[:, 0], places[:, 1], s=46, color=color, marker=marker, label=label)
        aside = "right" if places[:, 0].mean() < start[0] else "left"  # names stand in a column on the outer side
        beside = places[:, 0].min() - 0.07 * width if aside == "right" else places[:, 0].max() + 0.07 * width
        line = {"arrowstyle": "-", "color": "0.7"}
        for row, one in enumerate(np.argsort(-places[:, 1])):
            at = beside, places[:, 1].mean() + 0.06 * height * ((len(words) - 1) / 2 - row)
            ax.annotate(words[one], tuple(places[one]), at, va="center", ha=aside, arrowprops=line)
    for name, places in ends.items():
        index = names.index(name)
        color, label = style.PALETTE[index], f"{word} in sentences, {name}"
        ax.scatter(places[:, 0], places[:, 1], s=30, marker="x+"[index % 2], color=color, alpha=0.7, label=label)
        arrow = {"arrowstyle": "-|>", "color": "0.3", "linewidth": 1.8}
        ax.annotate("", tuple(places.mean(axis=0)), tuple(start), arrowprops=arrow)
    ax.scatter(start[0], start[1], s=110, marker="*", color="black", zorder=5)
    ax.annotate(word, tuple(start), xytext=(10, -4), textcoords="offset points", weight="bold")
    ax.set(xticks=[], yticks=[], title=title, xlabel="first direction of the plane", ylabel="second direction")
    ax.set_xlim(everything[:, 0].min() - 0.3 * width, everything[:, 0].max() + 0.3 * width)  # room for the names
    ax.set_ylim(everything[:, 1].min() - 0.1 * height, everything[:, 1].max() + 0.12 * height)
    ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    return ax
