"""Drawings of notebook 04: where the heads are cut apart, and W_O as one block of rows for each head."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_attention.figures.drawing import (
    INK,
    QUERY,
    RESULT,
    TOKEN,
    Place,
    Role,
    arrow,
    canvas,
    label,
    matrix,
)

_W_OUT = Role("", "#8C9AAE")  # a matrix that belongs to no token


def heads_as_planes(n_tokens: int = 4, d_head: int = 2, n_heads: int = 3) -> Axes:
    """Draw how the queries of all heads are made by one product and then cut into planes, one for each head.

    Args:
        n_tokens, d_head, n_heads: how many of each are drawn; d_model is `n_heads · d_head`.

    Example:
        >>> ax = heads_as_planes(n_tokens=3, n_heads=2)
        >>> [text.get_text() for text in ax.texts if text.get_text().startswith("head")]
        ['head 0', 'head 1', 'head 0', 'head 1']
    """
    d_model, depth = n_heads * d_head, 1.5
    width = 3 * d_model + d_head + (n_heads - 1) * depth + 12.6
    height = max(d_model, n_tokens + (n_heads - 1) * depth) + 5.2
    ax = canvas(width, height)
    middle = 2.0 + (height - 5.2) / 2
    tokens = matrix(ax, 1.6, middle - n_tokens / 2, (n_tokens, d_model), TOKEN, "X", "n_tokens", "d_model, not cut")
    label(ax, (tokens.right[0] + 0.9, middle), "×", size=16)
    shades = _by_head(n_heads, d_head)
    projection = matrix(
        ax, tokens.right[0] + 3.0, middle - d_model / 2, (d_model, d_model), QUERY, "", "d_model, not cut",
        "n_heads · d_key", shades=np.broadcast_to(shades, (d_model, d_model)),
    )  # fmt: skip
    label(ax, (projection.top[0], projection.top[1] + 1.1), "$W_Q$", va="bottom", size=13)
    label(ax, (projection.right[0] + 0.9, middle), "=", size=16)
    queries = matrix(
        ax, projection.right[0] + 1.8, middle - n_tokens / 2, (n_tokens, d_model), QUERY, "Q",
        columns="n_heads · d_key", shades=np.broadcast_to(shades, (n_tokens, d_model)),
    )  # fmt: skip
    for head in range(n_heads):
        left = projection.x + head * d_head
        label(ax, (left + d_head / 2, projection.top[1] + 0.2), f"head {head}", va="bottom", size=9)
        for whole in (projection, queries):
            x = whole.x + head * d_head
            _frame(ax, Place(x, whole.y, d_head, whole.height))
    start = (queries.right[0] + 0.3, middle)
    arrow(ax, start, (start[0] + 3.0, middle), text="cut here")
    low = middle - (n_tokens + (n_heads - 1) * depth) / 2
    for head in reversed(range(n_heads)):  # the first head in front
        shade = np.full((n_tokens, d_head), shades[head * d_head])
        plane = matrix(
            ax,
            start[0] + 3.4 + head * depth,
            low + head * depth,
            (n_tokens, d_head),
            QUERY,
            shades=shade,
        )
        _frame(ax, plane)
    for head in range(n_heads):
        right = start[0] + 3.4 + head * depth + d_head
        label(ax, (right + 0.25, low + head * depth + 0.5), f"head {head}", ha="left", size=9)
    label(ax, (start[0] + 3.4 + d_head / 2, low - 0.2), "d_key", va="top")
    return ax


def output_as_sum(n_tokens: int = 3, d_head: int = 2, n_heads: int = 3, d_out: int = 4) -> Axes:
    """Draw the product of the merged heads with W_O, and below it the same as a sum with a term for each head.

    Args:
        n_tokens, d_head, n_heads, d_out: how many of each are drawn.

    Example:
        >>> ax = output_as_sum(n_heads=2)
        >>> [text.get_text() for text in ax.texts if text.get_text() in "×=+"]
        ['×', '=', '×', '+', '×', '=']
    """
    wide, gap = n_heads * d_head, 1.6
    term = d_head + gap + d_out  # one head times its block of rows
    ax = canvas(n_heads * (term + gap) + 2.0, wide + max(n_tokens, d_head) + 7.4)
    shades = _by_head(n_heads, d_head)
    low, high = 2.4, max(n_tokens, d_head) + 5.2
    middle = high + wide / 2
    left = (n_heads * (term + gap) + 2.0 - (wide + 2 * d_out + 2 * gap)) / 2
    merged = matrix(
        ax, left, middle - n_tokens / 2, (n_tokens, wide), RESULT, "heads, merged", "n_tokens",
        "n_heads · d_value", shades=np.broadcast_to(shades, (n_tokens, wide)),
    )  # fmt: skip
    label(ax, (merged.right[0] + gap / 2, middle), "×", size=16)
    rows = matrix(
        ax, merged.right[0] + gap, high, (wide, d_out), _W_OUT, columns="d_out",
        shades=np.broadcast_to(shades[:, None], (wide, d_out)),
    )  # fmt: skip
    label(ax, (rows.top[0], rows.top[1] + 0.2), "$W_O$", va="bottom", size=13)
    label(ax, (rows.right[0] + gap / 2, middle), "=", size=16)
    whole = Place(rows.right[0] + gap, middle - n_tokens / 2, d_out, n_tokens)
    matrix(ax, whole.x, whole.y, (n_tokens, d_out), TOKEN, "output", columns="d_out")
    for head in range(n_heads):
        _frame(ax, Place(merged.x + head * d_head, merged.y, d_head, n_tokens))
        _frame(ax, Place(rows.x, rows.y + wide - (head + 1) * d_head, d_out, d_head))
        x, centre = 1.6 + head * (term + gap), low + max(n_tokens, d_head) / 2
        if head:
            label(ax, (x - gap / 2, centre), "+", size=16)
        shade = shades[head * d_head]
        one = matrix(
            ax, x, centre - n_tokens / 2, (n_tokens, d_head), RESULT, columns="d_value",
            shades=np.full((n_tokens, d_head), shade),
        )  # fmt: skip
        label(ax, (one.right[0] + gap / 2, centre), "×", size=16)
        block = matrix(
            ax, one.right[0] + gap, centre - d_head / 2, (d_head, d_out), _W_OUT, columns="d_out",
            shades=np.full((d_head, d_out), shade),
        )  # fmt: skip
        for part in (one, block):
            _frame(ax, part)
        label(ax, (x + term / 2, low - 1.5), f"what head {head} adds", size=11)
    label(ax, (0.5, low + max(n_tokens, d_head) / 2), "=", size=16)
    return ax


def _by_head(n_heads: int, d_head: int) -> np.ndarray:
    """Return a shade for each channel, paler from head to head: `(n_heads · d_head,)`."""
    return np.repeat(np.linspace(1.0, 0.25, n_heads), d_head)


def _frame(ax: Axes, place: Place) -> None:
    ax.add_patch(Rectangle((place.x, place.y), place.width, place.height, fill=False, edgecolor=INK, linewidth=3))
