"""Heat maps of influence: which output depends on which input, with leaks of the future marked."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_attention.figures import style
from course_attention.figures.alignment import alignment


def influence_map(
    strength: np.ndarray,
    tokens: Sequence[str],
    ax: Axes | None = None,
    title: str = "",
    bar: bool = False,
    outputs: Sequence[str] | None = None,
) -> Axes:
    """Heat map of influence, outputs in rows and inputs in columns.

    A hatched cell is exactly 0. A cell with a frame and a cross depends on the future.

    Args:
        strength: (n_tokens, n_tokens), at least 0; drawn as a share of the largest.
        tokens: one for each input, and for each output unless those are given.
        ax: where to draw; None makes a figure.
        title: what to see.
        bar: whether to draw the scale of colours.
        outputs: labels of the rows, where they differ from the tokens.

    Raises:
        ValueError: the tokens do not match the shape.

    Example:
        >>> ax = influence_map(np.array([[1.0, 0.2], [0.5, 1.0]]), ["a", "b"])
        >>> len(ax.texts)  # one crossed frame: the first output depends on the second input
        1
    """
    strength = np.asarray(strength, dtype=float)
    largest = np.nanmax(strength, initial=0.0) or 1.0
    shares = np.ma.masked_equal(strength / largest, 0.0)
    labels = tokens if outputs is None else outputs
    ax = alignment(shares, labels, tokens, ax, title, "output for", "input")
    ax.images[0].set_data(shares)
    n_rows, n_columns = strength.shape
    ax.add_patch(
        Rectangle(
            (-0.5, -0.5),
            n_columns,
            n_rows,
            facecolor="white",
            edgecolor="0.8",
            hatch="////",
            linewidth=0,
            zorder=-1,
        )
    )
    for i, j in np.argwhere(strength != 0):
        if j > i:
            ax.add_patch(Rectangle((j - 0.42, i - 0.42), 0.84, 0.84, fill=False, edgecolor=style.LEAK, linewidth=1.8))
            shade = "white" if strength[i, j] > 0.5 * largest else "black"  # dark is large
            ax.text(j, i, "×", color=shade, ha="center", va="center", fontsize=9, weight="bold")
    if bar:
        ax.figure.colorbar(ax.images[0], ax=ax, label="influence, share of the largest")
    return ax


def compare(
    strengths: dict[str, np.ndarray],
    tokens: Sequence[str],
    axes: np.ndarray | None = None,
    outputs: Sequence[str] | None = None,
) -> np.ndarray:
    """Draw several influences side by side, each under its name, with one scale of colours for all.

    Only the first has labels on its rows. Each is drawn as a share of its own largest.

    Args:
        strengths: name → influence, (n_tokens, n_tokens).
        tokens: one for each input, and for each output unless those are given.
        axes: one for each name; None makes them.
        outputs: labels of the rows, where they differ from the tokens.
    """
    if axes is None:
        n = len(strengths)
        _, axes = plt.subplots(1, n, figsize=(3.1 * n + 0.6, 3.3), layout="constrained", squeeze=False)
    for index, (ax, (name, strength)) in enumerate(zip(axes.flat, strengths.items(), strict=True)):
        influence_map(strength, tokens, ax, name, outputs=outputs)
        if index:
            ax.set(yticks=[], ylabel="")
    last = axes.flat[-1]
    last.figure.colorbar(last.images[0], ax=list(axes.flat), label="influence, share of its map's largest", shrink=0.8)
    return axes
