"""The softmax: scores and weights at several temperatures, and where exp overflows."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import style


def temperatures(
    scores: np.ndarray,
    weights: np.ndarray,
    at: Sequence[float],
    names: Sequence[str] | None = None,
    axes: np.ndarray | None = None,
) -> np.ndarray:
    """Draw the scores, then the weights that each temperature makes of them, each as bars.

    Args:
        scores: `(n_scores,)`.
        weights: `(n_temperatures, n_scores)`, rows in the order of `at`.
        at: the temperatures.
        names: one label per score.
        axes: 1 + n_temperatures Axes; made if None.

    Returns:
        The Axes.
    """
    names = [str(index) for index in range(len(scores))] if names is None else list(names)
    if axes is None:
        _, axes = plt.subplots(1, 1 + len(at), figsize=(2.6 * (1 + len(at)), 2.8), layout="constrained")
    axes[0].bar(names, scores, color=style.PALETTE[4], hatch="//", edgecolor="white")
    axes[0].axhline(0, color="0.3", linewidth=0.8)
    axes[0].set(title="scores", ylabel="score")
    for ax, row, temperature in zip(axes[1:], weights, at, strict=True):
        bars = ax.bar(names, row, color=style.PALETTE[0])
        ax.bar_label(bars, fmt="%.2f", fontsize=8)
        ax.set(ylim=(0, 1.12), title=f"temperature {temperature:g}\nweights, sum {row.sum():.2f}")
    axes[1].set_ylabel("weight")
    return axes


def overflow(scores: np.ndarray, exponentials: np.ndarray, limit: float, ax: Axes | None = None) -> Axes:
    """Draw log₁₀ of exp(score) against the score, up to where it becomes infinite.

    Args:
        scores: `(n,)`, rising.
        exponentials: exp of the scores, `(n,)`; inf where it overflows.
        limit: the largest score whose exp is finite, marked by a line.
        ax: where to draw; None makes a figure.
    """
    ax = style.axes(ax, width=6, height=2.8)
    finite = np.isfinite(exponentials)
    ax.plot(scores[finite], np.log10(exponentials[finite]), color=style.PALETTE[0], label="exp(score)")
    ax.axvline(limit, color=style.PALETTE[4], linestyle="--", label=f"the last finite exp: score {limit:.2f}")
    ax.axvspan(limit, scores.max(), color=style.PALETTE[4], alpha=0.15, hatch="//", label="inf")
    ax.set(
        xlabel="score",
        ylabel="log₁₀ of exp(score)",
        title=f"exp overflows just above {limit:.2f}",
        xlim=(scores.min(), scores.max()),
    )
    ax.legend(loc="lower center")
    return ax
