"""Accuracy against the length of the test, for several models and a baseline, with all of their runs."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import style

BASELINE = "none"  # the model without the thing that is compared; grey in every figure
APART = 0.07  # how far the dots of neighbouring models are apart, in doublings of the length


def over_lengths(
    lengths: np.ndarray,
    runs: Mapping[str, np.ndarray],
    ax: Axes | None = None,
    title: str = "",
    trained: int = 32,
    guess: float = 0.1,
) -> Axes:
    """Draw the median of the runs of each model as a line, and every run as a dot beside it.

    Of two runs, each is a line: between them nothing was measured.

    Args:
        lengths: (n_lengths,), of the tests.
        runs: model → accuracies (n_runs, n_lengths); the one that is named BASELINE is drawn in grey.
        ax: where to draw; None makes a figure.
        title: what was asked.
        trained: the length of the training, which the label of the axis says.
        guess: accuracy of a guess, drawn as a thin line.

    Example:
        >>> ax = over_lengths(np.array([32, 64]), {"none": np.array([[0.3, 0.2]]), "rotary": np.array([[1.0, 0.9]])})
        >>> ax.get_legend_handles_labels()[1]
        ['none', 'rotary']
    """
    ax = style.axes(ax)
    lengths = np.asarray(lengths)
    ax.axhline(guess, color="0.6", linewidth=0.8)
    others = [name for name in runs if name != BASELINE]
    for name, accuracies in runs.items():
        i = -1 if name == BASELINE else others.index(name)
        colour = "0.5" if name == BASELINE else style.PALETTE[i]
        look: dict[str, Any] = {"color": colour, "marker": "x" if name == BASELINE else style.MARKERS[i]}
        x = lengths * 2.0 ** (APART * (i - len(others) / 2 + 0.5))
        lines = accuracies if len(accuracies) == 2 else [np.median(accuracies, axis=0)]
        for label, line in zip((name, None), lines, strict=False):
            ax.plot(x, line, linestyle=style.LINES[i], markersize=6, label=label, **look)
        for run in accuracies:
            ax.plot(x, run, linestyle="", markersize=3, **look)
    ax.set_xscale("log", base=2)
    ax.set_xticks(lengths, [str(n) for n in lengths])
    ax.set(xlabel=f"lines of the test (training: {trained})", ylabel="accuracy", title=title, ylim=(0, 1.05))
    ax.grid(alpha=0.3)
    return ax
