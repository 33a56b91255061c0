"""A language model from inside: a number for each head, and the two heads of an induction circuit."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_attention.figures import drawing
from course_attention.figures.signed_heat_map import SIGNED_MAP

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
            ink = drawing.ink_on(image.cmap(image.norm(number))[:3])
            ax.text(head, layer, f"{number:.2f}", ha="center", va="center", fontsize=8, color=ink)
        ax.set_xticks(range(grid.shape[1]))
        ax.set_yticks(range(grid.shape[0]))
        ax.set(title=title, xlabel="head", ylabel="layer" if ax is axes[0] else "")
        ax.figure.colorbar(image, ax=ax, label=unit if ax is axes[-1] else "")
    return axes


def head_costs(costs: Mapping[str, np.ndarray], unit: str) -> np.ndarray:
    """Draw by how much something rises or falls without each head, on one scale for all grids; layer 0 is below.

    Args:
        costs: title → (n_layers, n_heads); 0 is white, and larger costs are darker.
        unit: what the numbers are, written at the colour bar.

    Example:
        >>> axes = head_costs({"code": np.array([[0.1, -0.2]]), "twice": np.array([[0.0, 0.5]])}, "nats")
        >>> [ax.images[0].get_clim() for ax in axes] == [(-0.5, 0.5)] * 2
        True
    """
    most = max(np.abs(grid).max() for grid in costs.values())
    n_layers, n_heads = next(iter(costs.values())).shape
    size = (1.0 + 0.75 * n_heads) * len(costs) + 1.0, 1.2 + 0.42 * n_layers
    figure, rows = plt.subplots(1, len(costs), figsize=size, layout="constrained", squeeze=False)
    for ax, (title, grid) in zip(rows[0], costs.items(), strict=True):
        image = ax.imshow(grid, cmap=SIGNED_MAP, vmin=-most, vmax=most, origin="lower", aspect="auto")
        for (layer, head), number in np.ndenumerate(grid):
            ink = drawing.ink_on(image.cmap(image.norm(number))[:3])
            ax.text(head, layer, f"{number:.2f}", ha="center", va="center", fontsize=8, color=ink)
        ax.set_xticks(range(n_heads))
        ax.set_yticks(range(n_layers))
        ax.set(title=title, xlabel="head", ylabel="layer" if ax is rows[0][0] else "")
    figure.colorbar(image, ax=list(rows[0]), label=unit)
    return rows[0]


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


def writing_loop(tokens: Sequence[str], probabilities: Mapping[str, float]) -> Axes:
    """Draw how a model writes: it reads tokens, gives probabilities, and the one that is chosen becomes a token.

    Args:
        tokens: what is there already.
        probabilities: of the candidates for the next token; the first one is chosen.

    Example:
        >>> ax = writing_loop(["a", "b"], {"c": 0.75, "d": 0.25})
        >>> [text.get_text() for text in ax.texts if text.get_text() in ("c", "0.75")]
        ['c', '0.75', 'c']
    """
    gap, chosen = 2.6, next(iter(probabilities))
    right = 1.0 + gap * len(tokens)
    ax = drawing.canvas(right + 12.5, 8.6)
    ax.add_patch(Rectangle((0.4, 4.6), right, 1.6, facecolor="none", edgecolor=drawing.INK, linewidth=1.2))
    drawing.label(ax, (0.4 + right / 2, 5.4), "the blocks: attention and feed-forward")
    for place, word in enumerate(tokens):
        column = drawing.token(ax, 1.2 + gap * place, 1.6, n_cells=2, word=word)
        drawing.arrow(ax, column.top, (column.top[0], 4.6))
    bars = right + 3.0
    drawing.arrow(ax, (right + 0.4, 5.4), (bars - 1.0, 5.4))
    drawing.label(ax, (bars + 2.0, 8.0), "probabilities of the next token", size=10)
    for row, (word, share) in enumerate(probabilities.items()):
        y = 7.0 - 0.9 * row
        drawing.label(ax, (bars, y), word, ha="right")
        inside = drawing.INK if word == chosen else "none"
        ax.barh(y, 5 * share, left=bars + 0.4, height=0.6, facecolor=inside, edgecolor=drawing.INK, linewidth=1.2)
        drawing.label(ax, (bars + 0.6 + 5 * share, y), f"{share:g}", size=9, ha="left")
    new = drawing.token(ax, 1.2 + gap * len(tokens), 1.6, n_cells=2, word=chosen)
    end_of_bar = bars + 1.9 + 5 * probabilities[chosen]
    drawing.arrow(ax, (end_of_bar, 7.0), (new.right[0] + 0.2, new.right[1]), bend=-0.4)
    drawing.label(ax, (bars + 1.6, 2.2), "the chosen one is appended", size=10, ha="left")
    return ax
