"""Images cut into patches, and heat maps of the patches' weights."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import style


def patch_sequence(picture: np.ndarray, n_patches: int, axes: np.ndarray | None = None, title: str = "") -> np.ndarray:
    """Draw a picture with the borders of its patches, and the patches as a sequence of tokens.

    Args:
        picture: (side, side), 0 = paper, 1 = ink.
        n_patches: along each side; divides it.
        axes: two, for the picture and for the sequence; None makes them.
        title: what to see.

    Example:
        >>> whole, sequence = patch_sequence(np.eye(4), n_patches=2)
        >>> [text.get_text() for text in sequence.texts]
        ['0', '1', '2', '3']
    """
    if axes is None:
        _, axes = plt.subplots(1, 2, figsize=(9, 2.2), width_ratios=[1, 4], layout="constrained")
    whole, sequence = axes
    size = len(picture) // n_patches
    _picture(whole, picture)
    for border in size * np.arange(1, n_patches):
        whole.axhline(border - 0.5, color=style.PALETTE[4], linewidth=1)
        whole.axvline(border - 0.5, color=style.PALETTE[4], linewidth=1)
    cut = picture.reshape(n_patches, size, n_patches, size).swapaxes(1, 2).reshape(-1, size, size)
    for place, patch in enumerate(cut):
        left = place * (size + 0.6)
        box = (left, left + size, 0, size)
        sequence.imshow(patch, cmap="Greys", vmin=0, vmax=1, extent=box, aspect="equal")
        sequence.add_patch(plt.Rectangle((left, 0), size, size, fill=False, edgecolor="0.5", linewidth=0.8))
        sequence.text(left + size / 2, -0.3, str(place), ha="center", va="top", fontsize=8)
    sequence.set(xlim=(-0.4, len(cut) * (size + 0.6)), ylim=(-1.2, size + 0.3))
    sequence.axis("off")
    whole.set_title("picture", fontsize=10)
    sequence.set_title(title, fontsize=10)
    return axes


def weight_maps(
    pictures: np.ndarray,
    weights: np.ndarray,
    titles: Sequence[str],
    rows: Sequence[str],
    axes: np.ndarray | None = None,
    n_borders: int = 0,
) -> np.ndarray:
    """Draw pictures in a row, and below each of them heat maps of its patches' weights; dark is large.

    All maps share one scale, from 0 to the largest weight.

    Args:
        pictures: (n_pictures, side, side), 0 = paper, 1 = ink.
        weights: (n_pictures, n_rows, n_patches), the patches row by row.
        titles: one for each picture.
        rows: one for each row of maps: whose weights they are.
        n_borders: thin lines across each picture and each map, at equal distances.
        axes: (1 + n_rows, n_pictures); None makes them.

    Example:
        >>> axes = weight_maps(np.ones((3, 4, 4)), np.ones((3, 2, 4)), "abc", ["head 0", "head 1"])
        >>> axes.shape, axes[1, 0].get_ylabel()
        ((3, 3), 'head 0')
    """
    pictures, weights = np.asarray(pictures), np.asarray(weights)
    n_pictures, n_rows, n_patches = weights.shape
    if axes is None:
        size = (1.05 * n_pictures + 0.4, 1.05 * (n_rows + 1) + 0.3)
        _, axes = plt.subplots(n_rows + 1, n_pictures, figsize=size, layout="constrained", squeeze=False)
    along = int(n_patches**0.5)
    for column, (picture, title) in enumerate(zip(pictures, titles, strict=True)):
        _picture(axes[0, column], picture)
        axes[0, column].set_title(title, fontsize=9)
        for row in range(n_rows):
            ax, side = axes[row + 1, column], len(picture)
            shown = weights[column, row].reshape(along, along)
            box = (-0.5, side - 0.5, side - 0.5, -0.5)
            ax.imshow(shown, cmap=style.WEIGHTS_MAP, vmin=0, vmax=weights.max(), extent=box)
            ax.set(xticks=[], yticks=[])
        for border in np.linspace(0, len(picture), n_borders + 2)[1:-1] - 0.5:
            for ax in axes[:, column]:
                ax.axhline(border, color="0.5", linewidth=0.8)
                ax.axvline(border, color="0.5", linewidth=0.8)
    for ax, name in zip(axes[:, 0], ["picture", *rows], strict=True):
        ax.set_ylabel(name, fontsize=9)
    return axes


def _picture(ax: Axes, picture: np.ndarray) -> None:
    ax.imshow(picture, cmap="Greys", vmin=0, vmax=1)
    ax.set(xticks=[], yticks=[])
