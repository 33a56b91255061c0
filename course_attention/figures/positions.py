"""Positions: encodings as heat maps and as clock hands, and numbers for pairs of positions."""

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import style
from course_attention.figures.signed_heat_map import SIGNED_MAP


def encoding(values: np.ndarray, ax: Axes | None = None, title: str = "", limit: float = 1.0) -> Axes:
    """Draw an encoding, `(n_positions, d_model)`, as a heat map: positions in rows, channels in columns.

    Args:
        values: numbers of either sign; white is 0.
        ax: where to draw; None makes a figure.
        title: what to see.
        limit: number of the darkest orange; its negative has the darkest purple.

    Example:
        >>> ax = encoding(np.zeros((3, 4)))
        >>> ax.get_xlabel(), ax.get_ylabel()
        ('channel', 'position')
    """
    ax = style.axes(ax, width=6, height=4)
    image = ax.imshow(values, cmap=SIGNED_MAP, vmin=-limit, vmax=limit, aspect="auto", interpolation="nearest")
    ax.figure.colorbar(image, ax=ax, label="value")
    ax.set(xlabel="channel", ylabel="position", title=title)
    return ax


def against_positions(
    matrices: Mapping[str, np.ndarray],
    label: str,
    limits: tuple[float, float] | None = None,
    axes: np.ndarray | None = None,
) -> np.ndarray:
    """Draw matrices `(n_positions, n_positions)` side by side, on one scale of colours.

    Where the scale reaches below 0, white is 0 and the two signs have a colour each. Else dark is large.

    Args:
        matrices: title → numbers for positions i (rows) and j (columns).
        label: what the numbers are.
        limits: the two ends of the scale; None takes the smallest and the largest number, or both signs of the largest.
        axes: one for each matrix; made if None.

    Example:
        >>> axes = against_positions({"a": np.eye(2), "b": np.zeros((2, 2))}, "similarity")
        >>> [ax.get_title() for ax in axes], axes[0].images[0].get_clim()
        (['a', 'b'], (0.0, 1.0))
    """
    if axes is None:
        size = len(matrices)
        _, axes = plt.subplots(1, size, figsize=(3.6 * size + 0.8, 3.5), layout="constrained", squeeze=False)
        axes = axes[0]
    low, high = limits or (
        min(float(matrix.min()) for matrix in matrices.values()),
        max(float(matrix.max()) for matrix in matrices.values()),
    )
    if signed := low < 0:
        low, high = min(low, -high), max(-low, high)
    colours = SIGNED_MAP if signed else style.WEIGHTS_MAP
    for ax, (title, matrix) in zip(axes, matrices.items(), strict=True):
        image = ax.imshow(matrix, cmap=colours, vmin=low, vmax=high, interpolation="nearest")
        ax.set(title=title, xlabel="position j", ylabel="position i")
    axes[0].figure.colorbar(image, ax=list(axes), label=label)
    return axes


def clocks(
    before: np.ndarray, after: np.ndarray, titles: Sequence[str], names: tuple[str, str], axes=None
) -> np.ndarray:
    """Draw pairs of channels as clock hands, before and after a shift.

    Args:
        before, after: `(n_clocks, 2)`, sine and cosine of each pair.
        titles: one for each clock.
        names: of the two hands, for the legend.
        axes: one for each clock; made if None.

    Example:
        >>> axes = clocks(np.array([[0.0, 1.0]]), np.array([[1.0, 0.0]]), ["pair 0"], ("p", "p + 1"))
        >>> [line.get_xydata()[1].tolist() for line in axes[0].lines]
        [[0.0, 1.0], [1.0, 0.0]]
    """
    if axes is None:
        size = len(titles)
        _, axes = plt.subplots(1, size, figsize=(2.4 * size, 2.9), layout="constrained", squeeze=False)
        axes = axes[0]
    for ax, title, *hands in zip(axes, titles, before, after, strict=True):
        ax.add_patch(plt.Circle((0, 0), 1, fill=False, color="0.6"))
        for index, (hand, name) in enumerate(zip(hands, names, strict=True)):
            ax.plot(
                [0, hand[0]],
                [0, hand[1]],
                style.LINES[index],
                color=style.PALETTE[(0, 4)[index]],
                marker=style.MARKERS[index],
                markevery=[1],
                linewidth=2.5,
                label=name,
            )
        ax.set(title=title, xlabel="sine", xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal", xticks=(-1, 0, 1))
        ax.set_yticks((-1, 0, 1))
    axes[0].set_ylabel("cosine")
    axes[0].figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
    return axes


def position_view(
    values: np.ndarray, position: int, pair: int, similarity: np.ndarray, axes: np.ndarray | None = None
) -> np.ndarray:
    """Draw one position and one pair of channels: in the encoding, as waves, and by their similarity.

    Args:
        values: the encoding, `(n_positions, d_model)`.
        position, pair: the ones that are marked.
        similarity: of the position with every other, `(2, n_positions)`: by this pair alone, and by all of them,
            each as a share of the largest.
        axes: three in a row, emptied first; made if None.

    Example:
        >>> axes = position_view(np.zeros((4, 2)), 1, 0, np.zeros((2, 4)))
        >>> [ax.get_xlabel() for ax in axes]
        ['channel', 'position', 'position']
    """
    if axes is None:
        _, axes = plt.subplots(1, 3, figsize=(13, 3.6), layout="constrained")
    for ax in axes:
        ax.clear()
    whole, waves, alike = axes
    whole.imshow(values, cmap=SIGNED_MAP, vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
    marked = {"fill": False, "edgecolor": style.PALETTE[3], "linewidth": 2}
    whole.axhspan(position - 0.5, position + 0.5, **marked)
    whole.axvspan(2 * pair - 0.5, 2 * pair + 1.5, **marked)
    whole.set(title="the encoding, with your choice marked", xlabel="channel", ylabel="position")
    place = np.arange(len(values))
    for index, name in enumerate(("sine", "cosine")):
        wave = values[:, 2 * pair + index]
        waves.plot(place, wave, style.LINES[index], color=style.PALETTE[index], label=name)
        waves.plot(position, wave[position], style.MARKERS[index], color=style.PALETTE[index], markersize=9)
    waves.set(title=f"pair {pair} along the sequence", xlabel="position", ylabel="value", ylim=(-1.1, 1.5))
    for index, name in enumerate(("this pair", "all pairs")):
        alike.plot(place, similarity[index], style.LINES[1 - index], color=style.PALETTE[2 * index], label=name)
    alike.axvline(position, color="0.6", linewidth=0.8)
    alike.set(title=f"similarity with position {position}", xlabel="position", ylim=(-1.1, 1.5))
    alike.set_ylabel("share of the largest")
    for ax in (waves, alike):
        ax.legend(loc="upper right", ncols=2, frameon=False)
    return axes
