"""Drawings of notebook 04: the whole layer, and W_O as one block of rows for each head."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_attention.figures.drawing import (
    INK,
    KEY,
    QUERY,
    RESULT,
    TOKEN,
    VALUE,
    WEIGHT,
    Place,
    Role,
    arrow,
    canvas,
    label,
    matrix,
)

_W_OUT = Role("", "#8C9AAE")  # a matrix that belongs to no token
_LINE: dict[str, Any] = {"color": INK, "linewidth": 1.3, "solid_capstyle": "projecting"}  # as wide as an arrow


def whole_layer(n_tokens: int = 4, d_model: int = 5, d_head: int = 2) -> Axes:
    """Draw the layer with two heads: three products, the cut into heads, their weights, the merge and W_O.

    Args:
        n_tokens, d_model, d_head: how many of each are drawn; d_key and d_value are `d_head`, d_out is d_model.

    Example:
        >>> ax = whole_layer(n_tokens=3)
        >>> [text.get_text() for text in ax.texts if text.get_text() in ("cut", "softmax", "merge")]
        ['cut', 'softmax', 'softmax', 'merge']
    """
    wide, rise = 2 * d_head, d_model + 3.4  # from one projection to the next
    height = 3 * rise + 1.2
    ax = canvas(d_model + 4 * wide + n_tokens + 20.8, height, cell=0.29)
    shades = _by_head(2, d_head)
    middle = 1.5 + rise + d_model / 2
    x = matrix(ax, 1.6, middle - n_tokens / 2, (n_tokens, d_model), TOKEN, "X", "n_tokens", "d_model, not cut")
    merged_y, lane = 1.5, []
    for part, (role, name) in enumerate(((QUERY, "Q"), (KEY, "K"), (VALUE, "V"))):
        low = 1.5 + (2 - part) * rise
        weight = matrix(
            ax, x.right[0] + 3.8, low, (d_model, wide), role, shades=np.broadcast_to(shades, (d_model, wide))
        )
        made = matrix(
            ax, weight.right[0] + 1.6, low + (d_model - n_tokens) / 2, (n_tokens, wide), role, name,
            shades=np.broadcast_to(shades, (n_tokens, wide)),
        )  # fmt: skip
        arrow(ax, (x.right[0] + 0.3, middle), (weight.x - 1.3, low + d_model / 2))
        label(ax, (weight.x - 0.7, low + d_model / 2), "×", size=16)
        label(ax, (weight.right[0] + 0.8, low + d_model / 2), "=", size=16)
        label(ax, (weight.top[0], weight.top[1] + 0.2), f"$W_{name}$", va="bottom", size=13)
        label(ax, (made.bottom[0], made.bottom[1] - 0.2), "head 0 | head 1", va="top")
        for whole in (weight, made):
            _frame_heads(ax, whole, d_head)
        lane.append(made)
    cut = lane[0].right[0]
    lows = [height - (head + 1) * (n_tokens + 3.2) + 0.4 for head in range(2)]
    to_heads = [low + n_tokens / 2 for low in lows]
    trunk = _gather(ax, lane, to_heads)
    for y in to_heads:
        arrow(ax, (trunk - 0.1, y), (cut + 3.5, y))  # an arrow begins a little after its start
    label(ax, (trunk + 0.3, middle), "cut", ha="left")
    heads = [
        _one_head(ax, (cut + 4.0, low), head, n_tokens, d_head, float(shades[head * d_head]))
        for head, low in enumerate(lows)
    ]
    merged = matrix(
        ax, cut + 4.0, merged_y + (wide - n_tokens) / 2, (n_tokens, wide), RESULT, "merged",
        shades=np.broadcast_to(shades, (n_tokens, wide)),
    )  # fmt: skip
    _frame_heads(ax, merged, d_head)
    label(ax, (merged.bottom[0], merged.bottom[1] - 0.2), "head 0 | head 1", va="top")
    label(ax, (merged.right[0] + 0.9, merged.centre[1]), "×", size=16)
    rows = matrix(
        ax, merged.right[0] + 1.8, merged_y, (wide, d_model), _W_OUT,
        shades=np.broadcast_to(shades[:, None], (wide, d_model)),
    )  # fmt: skip
    label(ax, (rows.top[0], rows.top[1] + 0.2), "$W_O$", va="bottom", size=13)
    for head in range(2):
        _frame(ax, Place(rows.x, rows.y + wide - (head + 1) * d_head, d_model, d_head))
    label(ax, (rows.right[0] + 0.9, merged.centre[1]), "=", size=16)
    output = matrix(ax, rows.right[0] + 1.8, merged.y, (n_tokens, d_model), TOKEN, "output")
    label(ax, (output.bottom[0], output.bottom[1] - 0.2), "d_out", va="top")
    (end, top), turn = merged.top, merged.top[1] + 3.4
    trunk = _gather(ax, heads, [turn])
    ax.plot((trunk, end), (turn, turn), **_LINE)
    arrow(ax, (end, turn + 0.1), (end, top + 1.3))
    label(ax, (merged.right[0] + 4.6, turn + 0.15), "merge", va="bottom")
    return ax


def _one_head(ax: Axes, corner: tuple[float, float], head: int, n_tokens: int, d_head: int, shade: float) -> Place:
    """Draw one head's own attention from left to right, and return the place of what it brings back."""
    x, low = corner
    size = (n_tokens, d_head)
    middle, own = low + n_tokens / 2, np.full(size, shade)
    weights = np.eye(n_tokens, k=-1) if head == 0 else np.eye(n_tokens)[::-1]
    query = matrix(ax, x, low, size, QUERY, f"$Q_{head}$", shades=own)
    key = matrix(ax, query.right[0] + 0.8, low, size, KEY, f"$K_{head}$", shades=own)
    end = key.right[0] + 3.4
    arrow(ax, (key.right[0] + 0.2, middle), (end - 0.2, middle), text="softmax")
    found = matrix(
        ax, end, low, (n_tokens, n_tokens), WEIGHT, f"$A_{head}$", shades=0.1 + 0.8 * weights + 0.05 * (head == 0)
    )
    label(ax, (found.right[0] + 0.8, middle), "×", size=16)
    value = matrix(ax, found.right[0] + 1.6, low, size, VALUE, f"$V_{head}$", shades=own)
    label(ax, (value.right[0] + 0.8, middle), "=", size=16)
    result = matrix(ax, value.right[0] + 1.6, low, size, RESULT, f"head {head}", shades=own)
    for part in (query, key, value, result):
        _frame(ax, part)
    return result


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
    left = (n_heads * (term + gap) + 2.0 - (wide + 2 * d_out + 3 * gap)) / 2
    merged = matrix(
        ax, left, middle - n_tokens / 2, (n_tokens, wide), RESULT, "merged", "n_tokens",
        shades=np.broadcast_to(shades, (n_tokens, wide)),
    )  # fmt: skip
    label(ax, (merged.right[0] + gap / 2, middle), "×", size=16)
    rows = matrix(
        ax, merged.right[0] + gap, high, (wide, d_out), _W_OUT, columns="d_out",
        shades=np.broadcast_to(shades[:, None], (wide, d_out)),
    )  # fmt: skip
    label(ax, (rows.top[0], rows.top[1] + 0.2), "$W_O$", va="bottom", size=13)
    label(ax, (rows.right[0] + 1.5 * gap, middle), "=", size=16)
    whole = Place(rows.right[0] + 2 * gap, middle - n_tokens / 2, d_out, n_tokens)
    matrix(ax, whole.x, whole.y, (n_tokens, d_out), TOKEN, "output", columns="d_out")
    for head in range(n_heads):
        columns = Place(merged.x + head * d_head, merged.y, d_head, n_tokens)
        own_rows = Place(rows.x, rows.y + wide - (head + 1) * d_head, d_out, d_head)
        label(ax, (columns.bottom[0], columns.bottom[1] - 0.2), f"head {head}", va="top", size=8)
        label(ax, (own_rows.right[0] + 0.2, own_rows.right[1]), f"head {head}", ha="left", size=8)
        for part in (columns, own_rows):
            _frame(ax, part)
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


def _gather(ax: Axes, parts: Sequence[Place], onward: Sequence[float]) -> float:
    """Draw a line from each part to an upright one, which reaches the heights onward too; return where that stands."""
    x, heights = parts[0].right[0] + 0.8, [part.right[1] for part in parts]
    for part in parts:
        ax.plot((part.right[0] + 0.2, x), (part.right[1],) * 2, **_LINE)
    ax.plot((x, x), (min(*heights, *onward), max(*heights, *onward)), **_LINE)
    return x


def _by_head(n_heads: int, d_head: int) -> np.ndarray:
    """Return a shade for each channel, paler from head to head: `(n_heads · d_head,)`."""
    return np.repeat(np.linspace(1.0, 0.25, n_heads), d_head)


def _frame_heads(ax: Axes, whole: Place, d_head: int) -> None:
    for first in range(0, int(whole.width), d_head):
        _frame(ax, Place(whole.x + first, whole.y, d_head, whole.height))


def _frame(ax: Axes, place: Place) -> None:
    ax.add_patch(Rectangle((place.x, place.y), place.width, place.height, fill=False, edgecolor=INK, linewidth=3))
