"""What is kept while a text is read: a cache that grows, and a memory of fixed size."""

from collections.abc import Sequence

from matplotlib.axes import Axes

from course_attention.figures.drawing import KEY, RESULT, VALUE, canvas, label, matrix


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
