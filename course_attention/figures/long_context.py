"""Drawings of notebook 11: tiles of attention in fast memory, and a window with sinks."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_attention.figures.drawing import (
    INK,
    KEY,
    PALE,
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


def tiles(n_blocks: int = 4, row: int = 1, column: int = 2) -> Axes:
    """Draw attention in blocks: large memory on the left, fast memory on the right, and the tile that is at work.

    Args:
        n_blocks: of the queries, and of the keys.
        row: the block of queries at work.
        column: the block of keys and values at work.

    Example:
        >>> ax = tiles()
        >>> "fast memory (SRAM)" in {text.get_text() for text in ax.texts}
        True
    """
    ax = canvas(31, n_blocks + 7)
    for x, width, name in ((0.3, 10.4, "large memory (HBM)"), (19.0, 11.7, "fast memory (SRAM)")):
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
