"""Drawings of masking: a sentence as question and answer, a row of scores on its way to weights, and masks."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_attention.figures.drawing import (
    INK,
    RESULT,
    TOKEN,
    WEIGHT,
    Role,
    arrow,
    canvas,
    ink_on,
    label,
    matrix,
    shade,
    token,
)

# How the tokens of the first, second and third document look, and what fills up a sequence.
DOCUMENTS = (TOKEN, Role("", "#8496AD", "//"), Role("", "#566B87", ".."))
PADDING = Role("", "#FFFFFF", "xx")


def shifted(words: Sequence[str], n_cells: int = 3) -> Axes:
    """Draw a sentence as the input of a model and, one place further on, as its target.

    Args:
        words: the sentence, the start mark included.
        n_cells: cells of each word's vector.

    Example:
        >>> [text.get_text() for text in shifted(["^", "the", "cat"]).texts if "cat" in text.get_text()]
        ['cat']
    """
    spacing, left, n_places = 3.1, 4.6, len(words) - 1
    ax = canvas(left + spacing * n_places, n_cells + 9.2, cell=0.36)
    low, middle, high = 1.6, n_cells + 3.1, n_cells + 6.2
    label(ax, (0.2, low + n_cells / 2), "input", ha="left")
    label(ax, (0.2, high + 0.5), "output", ha="left")
    label(ax, (0.2, high + 2.2), "target", ha="left")
    ax.add_patch(Rectangle((left - 1, middle), spacing * n_places - 0.1, 1.6, fill=False, edgecolor=INK))
    label(ax, (left + spacing * n_places / 2 - 1, middle + 0.8), "attention, then a small network")
    for place, (word, answer) in enumerate(pairwise(words)):
        x = left + spacing * place
        below = token(ax, x, low, n_cells, TOKEN, word=word)
        above = token(ax, x, high, 1, RESULT)
        arrow(ax, below.top, (below.top[0], middle))
        arrow(ax, (below.top[0], middle + 1.6), above.bottom)
        label(ax, (above.top[0], high + 2.2), answer, weight="bold")
    return ax


@dataclass(frozen=True)
class Step:
    """One line of a query's way from scores to weights.

    Attributes:
        name: written at its left.
        numbers: what each key has here; −∞ and whole numbers are written as such, others with two digits.
        total: what the numbers add up to, written at the right; None where that means nothing.
        shades: whether the cells are shaded by their numbers: for weights.
    """

    name: str
    numbers: Sequence[float]
    total: float | None = None
    shades: bool = False


def softmax_steps(columns: dict[str, Sequence[Step]], keys: Sequence[str], blocked: Sequence[str]) -> Axes:
    """Draw the same lines side by side for several cases: a line for each step, a column for each key.

    Args:
        columns: title of a case → its steps from top to bottom, with the same names in each.
        keys: the keys' words.
        blocked: those of them that the query may not attend to; their names are struck out.

    Example:
        >>> ax = softmax_steps({"": [Step("score", [1, -np.inf])]}, ["a", "b"], ["b"])
        >>> "−∞" in [text.get_text() for text in ax.texts]
        True
    """
    margin, width, gap, height = 5.6, 1.9, 2.6, 1.5
    first = next(iter(columns.values()))
    across = len(keys) * width + gap
    ax = canvas(margin + across * len(columns), height * len(first) + 2.4, cell=0.34)
    top = height * len(first) + 0.3
    for number, (title, steps) in enumerate(columns.items()):
        left = margin + number * across
        label(ax, (left + len(keys) * width / 2, top + 1.6), title, weight="bold")
        for j, key in enumerate(keys):
            middle = left + (j + 0.5) * width
            label(ax, (middle, top + 0.5), key)
            if key in blocked:
                ax.plot([middle - 0.8, middle + 0.8], [top + 0.52] * 2, color=INK, linewidth=1.3)
        for i, step in enumerate(steps):
            y = top - height * (i + 1) + 0.25
            if not number:
                label(ax, (margin - 0.4, y + 0.5), step.name, ha="right")
            for j, one in enumerate(step.numbers):
                _number(ax, left + j * width, y, width, one, step.shades)
            if step.total is not None:
                label(ax, (left + len(keys) * width + 0.2, y + 0.5), f"Σ = {_written(step.total)}", ha="left", size=10)
    return ax


def _number(ax: Axes, x: float, y: float, width: float, number: float, is_shaded: bool) -> None:
    fill = shade(WEIGHT.fill, number if is_shaded else 0.0)
    ax.add_patch(Rectangle((x, y), width, 1, facecolor=fill, edgecolor=INK, linewidth=1))
    label(ax, (x + width / 2, y + 0.5), _written(number), color=ink_on(fill), size=10)


def _written(number: float) -> str:
    if np.isinf(number):
        return "−∞"
    return f"{number:g}" if number == round(number) else f"{number:.2f}"


@dataclass(frozen=True)
class Masked:
    """A sequence and its mask.

    Attributes:
        title: written above.
        words: its tokens.
        allowed: `(n_tokens, n_tokens)`, True where query i may attend to key j.
        groups: for each token the document that it belongs to, counted from 0; −1 for padding.
    """

    title: str
    words: Sequence[str]
    allowed: np.ndarray
    groups: Sequence[int]


def masks(panels: Sequence[Masked]) -> Axes:
    """Draw sequences side by side: above each its tokens as keys, at its left as queries, and the mask between them.

    A dark cell is a pair that is allowed, a pale one is blocked.

    Raises:
        ValueError: a mask, or the groups, do not match the words.

    Example:
        >>> one = Masked("alone", ["a", "b"], np.tril(np.ones((2, 2), dtype=bool)), [0, 0])
        >>> "alone" in [text.get_text() for text in masks([one]).texts]
        True
    """
    margin, gap = 3.4, 1.0
    most = max(len(panel.words) for panel in panels)
    title = 2.3 + 0.25 * max(
        len(word) for panel in panels for word in panel.words
    )  # above the words, which are upright
    width = sum(margin + len(panel.words) + gap for panel in panels)
    ax = canvas(width + 0.4, most + title + 1.1, cell=0.36)
    left = margin
    for panel in panels:
        n_tokens = len(panel.words)
        if np.shape(panel.allowed) != (n_tokens, n_tokens) or len(panel.groups) != n_tokens:
            raise ValueError(
                f"{panel.title!r}: allowed must be (n_tokens, n_tokens) {(n_tokens,) * 2} and groups {n_tokens} long, "
                f"as the words; got {np.shape(panel.allowed)} and {len(panel.groups)}"
            )
        bottom = most - n_tokens + 0.4
        top = bottom + n_tokens
        place = matrix(ax, left, bottom, (n_tokens, n_tokens), WEIGHT, shades=np.asarray(panel.allowed, float))
        for i, (word, group) in enumerate(zip(panel.words, panel.groups, strict=True)):
            look = PADDING if group < 0 else DOCUMENTS[group % len(DOCUMENTS)]
            matrix(ax, left + i, top + 0.3, (1, 1), look)
            matrix(ax, left - 1.3, top - 1 - i, (1, 1), look)
            label(ax, (left + i + 0.5, top + 1.5), word, size=9, rotation=90, va="bottom")
            label(ax, (left - 1.5, top - 0.5 - i), word, size=9, ha="right")
        label(ax, (place.top[0], top + title), panel.title, weight="bold")
        left += n_tokens + gap + margin
    return ax
