"""Attention heads: the channels of each, and the weights of each."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_attention.figures import style
from course_attention.figures.alignment import alignment

# A ground for each head, light enough for black letters and apart in greyscale; hatched for the colour-blind.
GROUNDS = ("#56B4E9", "#F6E7B2", "#C9C9C9", "#FFFFFF")


def channels_by_head(heads: np.ndarray, names: np.ndarray, ax: Axes | None = None, title: str = "") -> Axes:
    """Draw heads one below another, each a block of tokens by channels, with a name in every cell.

    A single block shows the tokens before they are split.

    Args:
        heads: (n_heads, n_tokens, d_head), the head that each number belongs in, which gives its ground.
        names: the same shape, what is written in each cell.
        ax: where to draw; None makes a figure.
        title: what to see.

    Example:
        >>> ax = channels_by_head(np.zeros((2, 3, 2)), np.full((2, 3, 2), "a0"))
        >>> len(ax.patches), len(ax.texts)
        (12, 14)
    """
    n_heads, n_tokens, d_head = heads.shape
    ax = style.axes(ax, width=1.2 + 0.6 * d_head, height=0.6 + 0.45 * n_heads * (n_tokens + 0.7))
    for head, token, channel in np.ndindex(heads.shape):
        own = int(heads[head, token, channel])
        x, y = channel, -(head * (n_tokens + 0.7) + token + 1)
        ax.add_patch(
            Rectangle(
                (x, y),
                1,
                1,
                facecolor=GROUNDS[own],
                hatch=style.HATCHES[own],
                edgecolor="0.35",
                linewidth=0.8,
            )
        )
        ax.text(
            x + 0.5,
            y + 0.5,
            str(names[head, token, channel]),
            ha="center",
            va="center",
            fontsize=10,
            bbox={"facecolor": GROUNDS[own], "edgecolor": "none", "pad": 1.0},
        )
    for head in range(n_heads):
        middle = -(head * (n_tokens + 0.7) + n_tokens / 2)
        ax.text(
            -0.25,
            middle,
            f"head {head}" if n_heads > 1 else "tokens",
            ha="right",
            va="center",
            rotation=90,
            fontsize=9,
        )
    ax.set(xlim=(-0.8, d_head + 0.1), ylim=(-n_heads * (n_tokens + 0.7), 0.3), aspect="equal", title=title)
    ax.axis("off")
    return ax


def weights_by_head(
    weights: np.ndarray,
    words: Sequence[str],
    titles: Sequence[str] = (),
    axes: np.ndarray | None = None,
    row_label: str = "word that attends",
) -> np.ndarray:
    """Draw a heat map of weights for each head, with a row for each word that attends.

    Args:
        weights: (n_heads, n_words, n_words).
        words: labels of both axes.
        titles: one for each head; "head 0", "head 1", … if empty.
        axes: one for each head; None makes them.
        row_label: what the rows are, written at the left of each line of heat maps.

    Example:
        >>> axes = weights_by_head(np.stack([np.eye(2), 1 - np.eye(2)]), ["dogs", "bark"])
        >>> [ax.get_title() for ax in axes]
        ['head 0', 'head 1']
    """
    weights = np.asarray(weights)
    if axes is None:
        side = 1.3 + 0.34 * len(words)
        _, axes = plt.subplots(
            1, len(weights), figsize=(side * len(weights) + 0.6, side), layout="constrained", squeeze=False
        )
        axes = axes[0]
    titles = titles or [f"head {head}" for head in range(len(weights))]
    for ax, one, title in zip(axes, weights, titles, strict=True):
        label = row_label if ax.get_subplotspec().is_first_col() else ""
        alignment(one, words, words, ax, title, label, "attended to", bar=ax is axes[-1])
    return axes
