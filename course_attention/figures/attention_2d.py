"""Attention in two dimensions: a query among its keys, scores, weights, and the output among the values."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import style


def attention_2d(
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    scores: np.ndarray,
    weights: np.ndarray,
    output: np.ndarray,
    names: list[str],
    axes: np.ndarray | None = None,
) -> np.ndarray:
    """Draw the query among its keys, scores and weights as bars, and the output among the values.

    Args:
        query, output: `(2,)`.
        key, value: `(n_keys, 2)`.
        scores, weights: `(n_keys,)`.
        names: one label per key.
        axes: four Axes in a row, emptied first; made if None.

    Returns:
        The four Axes.
    """
    if axes is None:
        _, axes = plt.subplots(1, 4, figsize=(13, 3.4), width_ratios=(1, 0.75, 0.75, 1), layout="constrained")
    for ax in axes:
        # not ax.clear(), which makes every tick anew and takes half of a redraw's time
        for artist in (*ax.lines, *ax.collections, *ax.patches, *ax.texts):
            artist.remove()
        ax.containers.clear()
    among_keys, bars_of_scores, bars_of_weights, among_values = axes
    _points(among_keys, key, names, weights)
    among_keys.annotate("", query, (0, 0), arrowprops={"arrowstyle": "-|>", "color": style.PALETTE[4], "lw": 2})
    among_keys.set(title="keys; the arrow is the query", xlabel="first channel", ylabel="second channel")
    _bars(bars_of_scores, scores, names, "scores")
    bars_of_scores.axvline(0, color="0.3", linewidth=0.8)
    limit = max(3.0, 1.3 * np.abs(scores).max())
    bars_of_scores.set_xlim(-limit, limit)
    _bars(bars_of_weights, weights, names, "weights: their softmax")
    bars_of_weights.set(xlim=(0, 1.25), xticks=(0, 0.5, 1))
    _points(among_values, value, names, weights)
    among_values.plot(*output, marker="X", markersize=13, color=style.PALETTE[4], markeredgecolor="white", zorder=3)
    among_values.annotate(
        "output", output, xytext=(0, -20), textcoords="offset points", color=style.PALETTE[4], ha="center"
    )
    among_values.set(title="values; the cross is the output", xlabel="first channel", ylabel="second channel")
    return axes


def _points(ax: Axes, points: np.ndarray, names: list[str], weights: np.ndarray) -> None:
    # the area of a point shows its weight; the smallest stay visible
    ax.scatter(points[:, 0], points[:, 1], s=25 + 600 * weights, color=style.PALETTE[0], alpha=0.75, zorder=2)
    for name, point in zip(names, points, strict=True):
        ax.annotate(name, point, xytext=(0, 13), textcoords="offset points", ha="center", weight="bold")
    ax.axhline(0, color="0.85", linewidth=0.8, zorder=0)
    ax.axvline(0, color="0.85", linewidth=0.8, zorder=0)
    ax.set(xlim=(-3, 3), ylim=(-3, 3), aspect="equal", xticks=(-2, 0, 2), yticks=(-2, 0, 2))


def _bars(ax: Axes, numbers: np.ndarray, names: list[str], title: str) -> None:
    bars = ax.barh(names, numbers, color=style.PALETTE[0])
    ax.bar_label(bars, fmt="%.2f", padding=3, fontsize=9)
    ax.set(title=title, ylim=(len(names) - 0.4, -0.6))
