"""Drawings of self-attention: what it does to a word's vector, how far words are apart, and the layer on one page."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures.drawing import (
    INK,
    KEY,
    QUERY,
    RESULT,
    TOKEN,
    VALUE,
    WEIGHT,
    Role,
    arrow,
    canvas,
    label,
    matrix,
    token,
)


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
                arrow(ax, (place.top[0], place.top[1] + 0.2), top.bottom, weight=0.6 * float(weight))
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
    spacing, gap, rise = 1.9, 2.6, 1.9
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
            label(ax, (rows[0][i].bottom[0], 1.6), word, va="top", size=9, rotation=35)
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
        steps = sum(link[0] == link[2] for link in path) if panel == 0 else len(path)
        middle = left + width / 2 - spacing / 4
        label(ax, (middle, rise * n_layers + 4.7), name, size=12, weight="bold")
        label(ax, (middle, rise * n_layers + 3.8), f"{steps} step{'s' * (steps > 1)}", size=11)
    return ax


_Links = list[tuple[int, int, int, int]]


def _links(panel: int, n: int, reach: int, n_layers: int) -> tuple[_Links, _Links]:
    """All links (row, place, row above, place) of a panel, and those on the way from the last word to the first."""
    if panel == 0:  # the state of each word goes to its left neighbour's
        across = [(1, i, 1, i - 1) for i in range(n - 1, 0, -1)]
        return [(0, i, 1, i) for i in range(n)] + across, [(0, n - 1, 1, n - 1), *across]
    if panel == 2:
        return [(0, i, 1, j) for i in range(n) for j in range(n)], [(0, n - 1, 1, 0)]
    links = [(row, i, row + 1, j) for row in range(n_layers) for i in range(n) for j in range(n) if abs(i - j) <= reach]
    stops = [max(n - 1 - reach * row, 0) for row in range(n_layers + 1)]
    return links, [(row, stops[row], row + 1, stops[row + 1]) for row in range(n_layers)]


def _link(ax: Axes, start: tuple[float, float], end: tuple[float, float], on_path: bool) -> None:
    if on_path:
        arrow(ax, start, end, role=Role("", "#D55E00"), weight=0.3)
    else:
        ax.plot(*zip(start, end, strict=True), color=INK, linewidth=0.6, alpha=0.5, zorder=0)


def one_page(
    x: np.ndarray,
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    weights: np.ndarray,
    output: np.ndarray,
    words: Sequence[str],
) -> Axes:
    """Draw self-attention on one page, with its numbers: X, then Q, K and V, then the weights, then the output.

    Args:
        x: `(n_tokens, d_model)`.
        query, key: `(n_tokens, d_key)`.
        value: `(n_tokens, d_value)`.
        weights: `(n_tokens, n_tokens)`.
        output: `(n_tokens, d_value)`.
        words: one for each token.

    Example:
        >>> ax = one_page(*[np.eye(2)] * 6, words=["bank", "river"])
        >>> [text.get_text() for text in ax.texts if text.get_text() in ("X", "Q", "K", "V")]
        ['X', 'Q', 'K', 'V']
    """
    n = len(words)
    step = n + 3.0
    ax = canvas(x.shape[1] + query.shape[1] + n + output.shape[1] + 16.6, 3 * step + 0.2)
    middle = step + 1.2
    tokens = matrix(ax, 2.8, middle, x.shape, TOKEN, "X", columns="d_model", values=_numbers(x))
    for row, word in enumerate(words):
        label(ax, (tokens.x - 0.25, tokens.y + n - row - 0.5), word, ha="right")
    left = tokens.x + x.shape[1] + 4.2
    made = {}
    for index, (name, numbers, role, columns) in enumerate(
        (
            ("Q", query, QUERY, "d_key"),
            ("K", key, KEY, "d_key"),
            ("V", value, VALUE, "d_value"),
        )
    ):
        bottom = 1.2 + (2 - index) * step
        made[name] = matrix(ax, left, bottom, numbers.shape, role, name, columns=columns, values=_numbers(numbers))
        arrow(ax, (tokens.right[0], tokens.right[1] + 1.2 - 1.2 * index), made[name].left, role)
        along = 0.72
        at = tuple((1 - along) * a + along * b for a, b in zip(tokens.right, made[name].left, strict=True))
        label(ax, (at[0] - 0.4, at[1] + 0.75), f"$W_{name}$")
    left += max(query.shape[1], value.shape[1]) + 4.6
    pairs = matrix(
        ax, left, 1.2 + 1.5 * step, weights.shape, WEIGHT, columns="n_tokens",
        values=_numbers(weights, 2), shades=weights,
    )  # fmt: skip
    label(ax, (pairs.top[0], pairs.top[1] + 0.3), "weights", va="bottom", size=13, weight="bold")
    label(ax, (pairs.top[0], pairs.top[1] + 1.5), r"softmax($QK^\top/\sqrt{d_{key}}$)", va="bottom", size=10)
    arrow(ax, made["Q"].right, (pairs.left[0], pairs.left[1] + 0.8), QUERY)
    arrow(ax, made["K"].right, (pairs.left[0], pairs.left[1] - 0.8), KEY)
    left += n + 4.4
    result = matrix(
        ax, left, middle - 0.3 * step, output.shape, RESULT, "output", columns="d_value",
        values=_numbers(output, 1),
    )  # fmt: skip
    arrow(ax, pairs.right, (result.left[0], result.left[1] + 0.8))
    arrow(ax, made["V"].right, (result.left[0], result.left[1] - 0.8), VALUE)
    return ax


def _numbers(values: np.ndarray, decimals: int = 1) -> np.ndarray:
    """Short texts: whole numbers without decimals, others without a leading zero."""
    whole = np.allclose(values, np.round(values))
    texts = [f"{v + 0.0:.0f}" if whole else f"{v + 0.0:.{decimals}f}" for v in np.ravel(values)]
    return np.array([t.replace("-0.", "-.").removeprefix("0") if "." in t else t for t in texts]).reshape(values.shape)
