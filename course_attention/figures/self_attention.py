"""Drawings of self-attention: what it does to a word's vector, and how far words are apart."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures.drawing import INK, RESULT, TOKEN, Role, arrow, canvas, label, token


@dataclass(frozen=True)
class Context:
    """A sentence in which one word's vector moves.

    Attributes:
        words: the words.
        vectors: their vectors before, `(n_words, n_numbers)`.
        weights: how much of each word the new vector has, `(n_words,)`.
        moves: the place of the word whose vector moves.
    """

    words: Sequence[str]
    vectors: np.ndarray
    weights: np.ndarray
    moves: int


def moved_by_context(contexts: Sequence[Context]) -> Axes:
    """Draw sentences side by side: the vectors of their words below, and above them the new vector of one word.

    An arrow with its weight runs from each word that has one.

    Example:
        >>> here = Context(["bank", "river"], np.eye(2), np.array([0.25, 0.75]), moves=0)
        >>> "0.25" in [text.get_text() for text in moved_by_context([here]).texts]
        True
    """
    spacing, gap = 2.1, 2.6
    widths = [spacing * len(context.words) for context in contexts]
    n_numbers = contexts[0].vectors.shape[1]
    ax = canvas(sum(widths) + gap * (len(contexts) - 1) + 2.6, 2 * n_numbers + 6.1, cell=0.4)
    low, high = 1.4, n_numbers + 4.6
    label(ax, (0.2, low + n_numbers / 2), "before", ha="left")
    label(ax, (0.2, high + n_numbers / 2), "after", ha="left")
    left = 3.2
    for context, width in zip(contexts, widths, strict=True):
        places = [
            token(ax, left + spacing * i, low, n_numbers, TOKEN, word=word, values=[f"{v:g}" for v in vector])
            for i, (word, vector) in enumerate(zip(context.words, context.vectors, strict=True))
        ]
        after = [f"{value:.2g}" for value in context.weights @ context.vectors]
        top = token(ax, left + spacing * context.moves, high, n_numbers, RESULT, values=after)
        label(ax, (top.top[0], top.top[1] + 0.5), context.words[context.moves])
        for place, weight in zip(places, context.weights, strict=True):
            if weight > 0:
                start = place.top[0], place.top[1] + 0.2
                arrow(ax, start, top.bottom, weight=0.6 * float(weight))
                middle = (start[0] + top.bottom[0]) / 2, (start[1] + top.bottom[1]) / 2
                aside = "right" if start[0] <= top.bottom[0] else "left"
                label(ax, (middle[0] + (0.3 if aside == "left" else -0.3), middle[1] + 0.1), f"{weight:g}", ha=aside)
        left += width + gap
    return ax


def path_lengths(words: Sequence[str], kernel_size: int = 5) -> Axes:
    """Draw the way from the last word to the first in an RNN, in layers of convolution and in self-attention.

    Args:
        words: the sentence.
        kernel_size: of the convolutions, odd.

    Example:
        >>> ax = path_lengths(["bank", "by", "the", "river"], kernel_size=3)
        >>> [text.get_text() for text in ax.texts if "step" in text.get_text()]
        ['3 steps', '3 steps', '1 step']
    """
    n, reach = len(words), kernel_size // 2
    n_layers = -(-(n - 1) // reach)
    spacing, gap, rise = 1.7, 1.4, 1.9
    width = spacing * n
    ax = canvas(3 * width + 2 * gap + 1.0, rise * n_layers + 5.2, cell=0.3)
    names = "RNN", f"convolution, kernel {kernel_size}", "self-attention"
    for panel, (name, height) in enumerate(zip(names, (1, n_layers, 1), strict=True)):
        left = 1.0 + panel * (width + gap)
        rows = [
            [token(ax, left + spacing * i, 1.9 + rise * row, 1, RESULT if row else TOKEN) for i in range(n)]
            for row in range(height + 1)
        ]
        for i, word in enumerate(words):
            label(ax, (rows[0][i].bottom[0], 1.6), word, va="top", size=10, rotation=35)
        links, path = _links(panel, n, reach, n_layers)
        for below, i, above, j in links:
            start, end = rows[below][i], rows[above][j]
            side = below == above
            _link(
                ax,
                start.left if side else start.top,
                end.right if side else end.bottom,
                (below, i, above, j) in path,
            )
        steps = len(path)
        middle = left + width / 2 - spacing / 4
        label(ax, (middle, rise * n_layers + 4.7), name, size=12, weight="bold")
        label(ax, (middle, rise * n_layers + 3.8), f"{steps} step{'s' * (steps > 1)}", size=11)
    return ax


_Links = list[tuple[int, int, int, int]]


def _links(panel: int, n: int, reach: int, n_layers: int) -> tuple[_Links, _Links]:
    """All links (row, place, row above, place) of a panel, and those on the way from the last word to the first."""
    if panel == 0:  # the state of each word goes to its left neighbour's
        across = [(1, i, 1, i - 1) for i in range(n - 1, 0, -1)]
        return [(0, i, 1, i) for i in range(n)] + across, across
    if panel == 2:
        return [(0, i, 1, j) for i in range(n) for j in range(n)], [(0, n - 1, 1, 0)]
    links = [(row, i, row + 1, j) for row in range(n_layers) for i in range(n) for j in range(n) if abs(i - j) <= reach]
    stops = [max(n - 1 - reach * row, 0) for row in range(n_layers + 1)]
    return links, [(row, stops[row], row + 1, stops[row + 1]) for row in range(n_layers)]


def _link(ax: Axes, start: tuple[float, float], end: tuple[float, float], on_path: bool) -> None:
    if on_path:
        arrow(ax, start, end, role=Role("", "#D55E00"), weight=0.3)
    else:
        ax.plot(*zip(start, end, strict=True), color=INK, linewidth=0.6, zorder=0)
