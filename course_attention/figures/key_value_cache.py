"""The keys and values that a model keeps: a cache that grows, and heads that share."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures.drawing import INK, KEY, PALE, QUERY, VALUE, arrow, canvas, label, matrix, token


def growing_cache(words: Sequence[str]) -> Axes:
    """Draw a row for each step of decoding: the new query, key and value, and the keys and values that were kept.

    Args:
        words: the tokens, in the order in which they are written.

    Example:
        >>> len(growing_cache(["def", "f", "("]).patches)  # 3 queries and 1 + 2 + 3 keys and values, of 2 cells
        60
    """
    n = len(words)
    ax = canvas(2.6 * n + 5.4, 4.4 * n)
    for step in range(n):
        y = 4.4 * (n - 1 - step) + 1.2
        newest = token(ax, 0.6, y, 2, QUERY, "$q$")
        label(ax, (newest.bottom[0], y - 0.3), words[step], va="top")
        for place in range(step + 1):
            shade = np.full((2, 1), 1.0 if place == step else PALE)
            x = 5 + 2.6 * place
            for offset, role in ((0.0, KEY), (1.1, VALUE)):
                matrix(ax, x + offset, y, (2, 1), role, shades=shade)
            name = "new" if place == step else "kept"
            label(ax, (x + 1.05, y + 2.2), name, va="bottom", size=9)
            label(ax, (x + 1.05, y - 0.3), words[place], va="top")
        arrow(ax, newest.right, (4.8, y + 1), QUERY)
    return ax


def shared_heads(ways: Mapping[str, Sequence[int]]) -> Axes:
    """Draw query heads above, the heads of keys and values below, and a line from each query head to its own.

    Args:
        ways: title → for each query head, the number of its head of keys and values.

    Example:
        >>> ax = shared_heads({"own": [0, 1], "one for all": [0, 0]})
        >>> len(ax.lines)
        4
    """
    n_heads = max(map(len, ways.values()))
    wide = 1.3 * n_heads + 1.0
    margin = 3.2  # for the names of the rows
    ax = canvas(margin + wide * len(ways), 6.6)
    for y, name in ((4.7, "queries"), (1.7, "keys"), (0.7, "values")):
        label(ax, (margin, y), name, ha="right")
    for panel, (title, group) in enumerate(ways.items()):
        left, n_groups = margin + panel * wide + 0.6, max(group) + 1
        for head, own in enumerate(group):
            x = left + 1.3 * head
            below = left + 1.3 * len(group) * (own + 0.5) / n_groups - 0.15
            ax.plot([x + 0.5, below], [4.2, 2.2], color=INK, linewidth=1.3, zorder=0)
            token(ax, x, 4.2, 1, QUERY)
        for own in range(n_groups):
            x = left + 1.3 * len(group) * (own + 0.5) / n_groups - 0.65
            token(ax, x, 1.2, 1, KEY)
            token(ax, x, 0.2, 1, VALUE)
        label(ax, (left + 0.65 * len(group) - 0.15, 5.9), title, size=12)
    return ax
