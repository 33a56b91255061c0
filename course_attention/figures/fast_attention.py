"""Drawings of notebook 09: a cache that grows, heads that share, tiles in fast memory, a window with sinks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_attention.figures.drawing import (
    INK,
    KEY,
    QUERY,
    RESULT,
    VALUE,
    WEIGHT,
    arrow,
    canvas,
    label,
    matrix,
    token,
)

PALE = 0.25


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


def tiles(n_blocks: int = 4, row: int = 1, column: int = 2) -> Axes:
    """Draw attention in blocks: large memory on the left, fast memory on the right, and the tile that is at work.

    Args:
        n_blocks: of the queries, and of the keys.
        row: the block of queries at work.
        column: the block of keys and values at work.

    Example:
        >>> ax = tiles()
        >>> "fast memory" in {text.get_text() for text in ax.texts}
        True
    """
    ax = canvas(31, n_blocks + 7)
    for x, width, name in ((0.3, 10.4, "large memory"), (19.0, 11.7, "fast memory")):
        frame = Rectangle((x, 0.3), width, n_blocks + 5.4, fill=False, edgecolor=INK, linestyle="--")
        ax.add_patch(frame)
        label(ax, (x + width / 2, n_blocks + 6.3), name, size=12)

    def shades(at: int) -> np.ndarray:
        return np.where(np.arange(n_blocks) == at, 1.0, PALE)[:, None]

    blocks = (n_blocks, 1)
    matrix(ax, 1.2, 2.2, blocks, QUERY, "Q", shades=shades(row))
    matrix(ax, 3.4, 2.2, blocks, KEY, "K", shades=shades(column))
    matrix(ax, 5.6, 2.2, blocks, VALUE, "V", shades=shades(column))
    matrix(ax, 7.8, 2.2, blocks, RESULT, "O", shades=(np.arange(n_blocks)[:, None] < row).astype(float))
    state = np.zeros((n_blocks, n_blocks))
    state[:row] = state[row, :column] = PALE
    state[row, column] = 1.0
    matrix(ax, 13, 2.2, (n_blocks, n_blocks), WEIGHT, "scores", columns="never stored whole", shades=state)
    y = n_blocks + 3.2
    arrow(ax, (10.9, y + 0.5), (18.8, y + 0.5), text="one block of each")
    token(ax, 20, y, 1, QUERY, f"$Q_{row + 1}$")
    token(ax, 22.4, y, 1, KEY, f"$K_{column + 1}$")
    tile = token(ax, 24.8, y, 1, WEIGHT, "tile")
    token(ax, 27.2, y, 1, VALUE, f"$V_{column + 1}$")
    for x, sign in ((21.7, "·"), (24.1, "→"), (26.5, "·")):
        label(ax, (x, y + 0.5), sign, size=14)
    matrix(ax, 23.8, 2.6, (1, 3), RESULT, columns="largest score, sum, weighted sum")
    arrow(ax, tile.bottom, (tile.bottom[0], 3.7))
    arrow(ax, (18.8, 1.1), (10.9, 1.1), RESULT)
    label(ax, (14.85, 0.9), "a finished block of O", va="top")
    return ax


def masks(named: Mapping[str, np.ndarray]) -> Axes:
    """Draw masks side by side; sinks have another colour than the window.

    Args:
        named: title → (n_tokens, n_tokens): 0 where a query may not attend, 1 where it may, 2 where it may because the
            key is a sink.

    Example:
        >>> len(masks({"causal": np.tri(3, dtype=int)}).texts)  # the title, rows and columns
        3
    """
    n = len(next(iter(named.values())))
    ax = canvas((n + 2.6) * len(named) + 0.6, n + 3.2)
    for panel, (title, kinds) in enumerate(named.items()):
        x = panel * (n + 2.6) + 1.8
        matrix(ax, x, 1.4, (n, n), WEIGHT, title, rows="queries", columns="keys", shades=np.minimum(kinds, 1))
        for i, j in np.argwhere(kinds == 2):
            matrix(ax, x + j, 1.4 + n - 1 - i, (1, 1), RESULT)
    return ax
