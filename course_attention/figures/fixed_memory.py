"""What is kept while a text is read: a cache that grows, and a memory of fixed size, which is written."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures.drawing import INK, KEY, RESULT, VALUE, Role, arrow, canvas, label, matrix, shade


def cache_and_memory(words: Sequence[str], d: int = 3) -> Axes:
    """Draw, after each word, the keys and values of a cache and, below, a memory of d × d numbers.

    Under each cache it says how many numbers it has.

    Args:
        words: the tokens of the text.
        d: numbers of a key and of a value.

    Example:
        >>> ax = cache_and_memory(["a", "b"], d=2)
        >>> len(ax.patches) // 2  # 1 + 2 keys and values of 2 cells, 2 memories of 4; a cell is a hatch and an edge
        20
    """
    wide = [2.4 * (n + 1) + 1.6 for n in range(len(words))]
    margin = 6.0
    ax = canvas(margin + sum(wide), 2 * d + 4.2)
    below, above = 1.2, d + 2.4
    label(ax, (margin - 0.8, above + d / 2), "cache", ha="right", size=12)
    label(ax, (margin - 0.8, below + d / 2), "memory", ha="right", size=12)
    x = margin
    for n, word in enumerate(words):
        for place in range(n + 1):
            matrix(ax, x + 2.4 * place, above, (d, 1), KEY)
            matrix(ax, x + 2.4 * place + 1.0, above, (d, 1), VALUE)
        middle = x + (2.4 * (n + 1) - 0.4) / 2
        label(ax, (middle, above - 0.2), f"{2 * d * (n + 1)} numbers", va="top")
        matrix(ax, middle - d / 2, below, (d, d), RESULT)
        label(ax, (middle, above + d + 0.3), f"after “{word}”", va="bottom")
        x += wide[n]
    label(ax, (margin, 0.6), f"{d} × {d} numbers, however long the text is", ha="left", va="center")
    return ax


def one_write() -> Axes:
    """Draw how the delta rule writes a pair into a memory that holds another one, with numbers, for β = 1.

    The memory holds k₁ = (1, 0) with v₁ = (1, 0). The pair k₂ = (0.6, 0.8) and v₂ = (0, 1) is read, subtracted,
    written, and read again. The key is a column at the left of what it reads or writes, and the values are rows.

    Example:
        >>> ax = one_write()
        >>> [text.get_text() for text in ax.texts if "gives" in text.get_text()]
        ['$k_2$ gives', '$k_2$ gives', '$k_1$ gives']
    """
    keys, values = np.array([[1.0, 0.0], [0.6, 0.8]]), np.array([[1.0, 0.0], [0.0, 1.0]])
    before = np.outer(keys[0], values[0])
    held = keys[1] @ before
    difference = values[1] - held
    change = np.outer(keys[1], difference)
    after = before + change
    ax = canvas(26.0, 6.2, cell=0.45)  # cells in which −0.48 has room
    top, small = 2.9, 10.0  # the lower edge of a memory, and the size of words between the rows

    def block(x: float, y: float, numbers: np.ndarray, role: Role, name: str = "") -> None:
        cells = np.array([[f"{n + 0.0:.2g}".replace("-", "−") for n in row] for row in np.atleast_2d(numbers)])
        matrix(ax, x, y, (cells.shape[0], cells.shape[1]), role, values=cells)
        label(ax, (x + cells.shape[1] / 2, y + cells.shape[0] + 0.15), name, va="bottom", size=12)

    titles = ((0.2, "1 · read with $k_2$"), (6.8, "2 · difference"), (13.4, "3 · write"), (19.2, "4 · read again"))
    for x, title in titles:
        label(ax, (x, 5.8), title, ha="left", size=12, weight="bold")
    block(1.6, top, keys[1][:, None], KEY, "$k_2$")
    block(3.0, top, before, RESULT, "$S$")
    label(ax, (2.8, top - 0.9), "$k_2$ gives", ha="right", size=small)
    block(3.0, top - 1.4, held, VALUE)
    label(ax, (0.2, top - 2.0), "0.6 · first row + 0.8 · second row", ha="left", size=small)
    for line, (name, numbers) in enumerate((("$v_2$", values[1]), ("− read", held), ("= difference", difference))):
        label(ax, (9.2, top + 1.5 - 1.2 * line), name, ha="right", size=small)
        block(9.4, top + 1 - 1.2 * line, numbers, VALUE)
    block(13.4, top - 1.4, keys[1][:, None], KEY, "$k_2$")
    block(14.8, top + 1, difference, VALUE, "difference")
    block(14.8, top - 1.4, change, RESULT)
    label(ax, (15.8, top - 1.6), "is added to $S$", va="top", size=small)
    block(21.4, top, after, RESULT, "new $S$")
    reads = (("$k_2$ gives", keys[1] @ after, "$= v_2$"), ("$k_1$ gives", keys[0] @ after, "was 1, 0"))
    for line, (name, numbers, said) in enumerate(reads):
        y = top - 1.4 - 1.2 * line
        label(ax, (21.2, y + 0.5), name, ha="right", size=small)
        block(21.4, y, numbers, VALUE)
        label(ax, (23.6, y + 0.5), said, ha="left", size=small)
    return ax


def two_writes(degrees: float = 55.0) -> Axes:
    """Draw how a memory is written under the second of two keys: along the key, and along A⁻¹k.

    Both steps make a read with the second key change by 1. A read changes by the shadow of the step on its key, so the
    first step changes a read with the other key as well, and the second, at a right angle to that key, does not.

    Args:
        degrees: the angle between the two keys, more than 0 and at most 90.

    Example:
        >>> ax = two_writes(60)
        >>> [text.get_text() for text in ax.texts if "$k_1$ changes" in text.get_text()]
        ['a read with $k_1$ changes by 0.50', 'a read with $k_1$ changes by 0.00']
    """
    keys = np.array([[1.0, 0.0], [np.cos(np.radians(degrees)), np.sin(np.radians(degrees))]])
    spared = np.linalg.solve(keys.T @ keys, keys[1])
    steps = {"a step along $k_2$": keys[1], "a step along $A^{-1} k_2$": spared / (spared @ keys[1])}
    unit, wide, tall = 5.0, 11.0, 5.0 * float(np.abs(list(steps.values())).max()) + 5.0
    ax = canvas(2 * wide, tall)
    for place, (title, step) in enumerate(steps.items()):
        start = np.array([wide * place + 2.5, 3.0])
        end = start + unit * step
        label(ax, (wide * place + wide / 2, tall - 0.8), title, size=12)
        band: dict[str, Any] = {
            "color": shade(RESULT.fill, 0.5),
            "linewidth": 14,
            "solid_capstyle": "butt",
        }  # paler than a key
        ax.plot(*np.stack([start, end]).T, gid="step", **band)
        across = np.array([-step[1], step[0]]) / np.linalg.norm(step)
        label(ax, tuple(start + 0.45 * unit * step + 0.9 * across), "step", ha="right")
        ax.plot(*np.stack([start, start + unit * step[0] * keys[0]]).T, color=INK, linewidth=5, gid="shadow")
        for name, key in zip(("$k_1$", "$k_2$"), keys, strict=True):
            tip, shadow = start + unit * key, start + unit * (step @ key) * key
            arrow(ax, (start[0], start[1]), (tip[0], tip[1]), KEY)
            label(ax, tuple(tip + 0.5 * key), name, size=13)
            ax.plot(*np.stack([end, shadow]).T, color=INK, linewidth=1.2, linestyle="--")
            ax.plot(*shadow, color=INK, marker="o", markersize=6)
        for line, (name, key) in enumerate(zip(("$k_2$", "$k_1$"), keys[::-1], strict=True)):
            change = round(float(step @ key), 2) + 0.0  # no minus before a zero
            label(ax, (wide * place + wide / 2, 1.5 - 0.9 * line), f"a read with {name} changes by {change:.2f}")
    return ax
