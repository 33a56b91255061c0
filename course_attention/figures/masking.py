"""Drawings of masking: a sentence as question and answer, and masks beside the tokens that they are for."""

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
    label,
    matrix,
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
    width = sum(margin + len(panel.words) + gap for panel in panels)
    ax = canvas(width + 0.4, most + 5.4, cell=0.36)
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
        label(ax, (place.top[0], top + 4.3), panel.title, weight="bold")
        left += n_tokens + gap + margin
    return ax
