"""Rotary positions: a query and a key that turn with the position at which they stand."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np

from course_attention.figures import drawing


def turned(query: np.ndarray, key: np.ndarray, places: Sequence[tuple[int, int]], angle: float) -> np.ndarray:
    """Draw a query and a key of two channels, each turned by its position times an angle.

    Args:
        query, key: `(2,)`, of length 1 at most; faint where they are before the turn.
        places: (i, j), the positions of query and key, for each panel.
        angle: radians per position.

    Returns:
        The axes, one for each panel.

    Example:
        >>> axes = turned(np.array([1.0, 0.0]), np.array([1.0, 0.0]), [(1, 0), (0, 0)], np.pi / 2)
        >>> [ax.get_title().split("= ")[-1] for ax in axes]
        ['0.00', '1.00']
    """
    _, axes = plt.subplots(
        1,
        len(places),
        figsize=(3.1 * len(places), 3.3),
        layout="constrained",
        squeeze=False,
        facecolor="none",
    )
    for ax, (i, j) in zip(axes[0], places, strict=True):
        ax.add_patch(plt.Circle((0, 0), 1, fill=False, color=drawing.INK, linewidth=0.8))
        ends = [_turn(vector, angle * place) for vector, place in ((query, i), (key, j))]
        for role, before, after, line in zip((drawing.QUERY, drawing.KEY), (query, key), ends, "-:", strict=True):
            look = {"color": role.fill, "linestyle": line, "length_includes_head": True}
            ax.arrow(0, 0, *before, width=0.006, head_width=0.06, alpha=0.6, **look)
            ax.arrow(0, 0, *after, width=0.012, head_width=0.09, **look)
            drawing.label(ax, tuple(1.17 * after / np.linalg.norm(after)), f"${role.letter}$", size=14)
        ax.set(xlim=(-1.35, 1.35), ylim=(-1.35, 1.35), aspect="equal")
        ax.set_title(f"query at {i}, key at {j}\nproduct = {ends[0] @ ends[1]:.2f}", color=drawing.INK)
        ax.axis("off")
    return axes[0]


def _turn(vector: np.ndarray, angle: float) -> np.ndarray:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.array([vector[0] * cos - vector[1] * sin, vector[0] * sin + vector[1] * cos])
