"""A language model from inside: a number for each head, and the two heads of an induction circuit."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import drawing

MAP = "Blues"


def head_scores(scores: Mapping[str, np.ndarray], unit: str, axes: np.ndarray | None = None) -> np.ndarray:
    """Draw a grid for each kind of number, with a row for each layer and a column for each head; layer 0 is below.

    Args:
        scores: title → (n_layers, n_heads).
        unit: what the numbers are, written at the colour bars.
        axes: one for each grid; None makes them.

    Example:
        >>> axes = head_scores({"previous token": np.array([[0.1, 0.9]])}, "mean weight")
        >>> [text.get_text() for text in axes[0].texts]
        ['0.10', '0.90']
    """
    if axes is None:
        shape = next(iter(scores.values())).shape
        size = (1.2 + 0.75 * shape[1]) * len(scores), 1.2 + 0.42 * shape[0]
        _, axes = plt.subplots(1, len(scores), figsize=size, layout="constrained", squeeze=False)
        axes = axes[0]
    for ax, (title, grid) in zip(axes, scores.items(), strict=True):
        image = ax.imshow(grid, cmap=MAP, vmin=min(0.0, grid.min()), vmax=grid.max(), origin="lower", aspect="auto")
        for (layer, head), number in np.ndenumerate(grid):
            ink = "white" if number > 0.6 * grid.max() else "black"
            ax.text(head, layer, f"{number:.2f}", ha="center", va="center", fontsize=8, color=ink)
        ax.set_xticks(range(grid.shape[1]))
        ax.set_yticks(range(grid.shape[0]))
        ax.set(title=title, xlabel="head", ylabel="layer" if ax is axes[0] else "")
        ax.figure.colorbar(image, ax=ax, label=unit if ax is axes[-1] else "")
    return axes


def induction_circuit(tokens: Sequence[str]) -> Axes:
    """Draw the two heads by which a model continues a pattern that it has seen once.

    Args:
        tokens: the last one repeats an earlier one; what came after that is brought back.

    Raises:
        ValueError: the last token has not occurred before.

    Example:
        >>> ax = induction_circuit(["a", "b", "c", "a"])
        >>> "predicts b" in [text.get_text() for text in ax.texts]
        True
    """
    if tokens[-1] not in tokens[:-1]:
        raise ValueError(f"the last token must have occurred before; got {list(tokens)}")
    asks, before = len(tokens) - 1, list(tokens).index(tokens[-1])
    found, gap = before + 1, 5.2
    ax = drawing.canvas(gap * len(tokens) + 7.4, 15.5, cell=0.3)
    columns: list[list[drawing.Place]] = [[], [], []]
    for place, word in enumerate(tokens):
        x = 6.2 + gap * place
        for level, rows in enumerate(columns):
            name = word if level == 0 else ""
            rows.append(drawing.token(ax, x, 1.6 + 5.0 * level, n_cells=2, word=name))
        for lower, upper in pairwise(columns):
            drawing.arrow(ax, lower[place].top, upper[place].bottom)
    drawing.arrow(ax, columns[0][before].top, columns[1][found].bottom, drawing.VALUE, weight=0.6)
    drawing.arrow(ax, columns[1][found].top, columns[2][asks].bottom, drawing.VALUE, weight=0.6)
    for height, words in ((4.9, "previous-token\nhead"), (9.9, "induction\nhead")):
        drawing.label(ax, (2.7, height + 0.2), words, size=11)
    middle = columns[1][found]
    drawing.label(
        ax,
        (middle.right[0] + 0.2, middle.centre[1]),
        f"“{tokens[before]}” came\nbefore me",
        size=10,
        ha="left",
    )
    asking = columns[1][asks]
    question = f"who has “{tokens[asks]}”\nbefore it?"
    drawing.label(ax, (asking.right[0] + 0.2, asking.right[1]), question, size=10, ha="left")
    first = columns[2][asks]
    drawing.label(ax, (first.top[0], first.top[1] + 0.5), f"predicts {tokens[found]}", size=12, va="bottom")
    return ax
