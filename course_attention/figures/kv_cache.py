"""Decoding step by step: which keys and values are computed, and which are taken from a cache."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from course_attention.figures import style

# background, hatch and name of what happens to a token's key and value; light enough for the hatch to be seen
STATES = {
    "absent": ("white", "", "not written yet"),
    "computed": ("#E69F00", "////", "computed in this step"),
    "kept": ("#e3eef6", "", "taken from the cache"),
}


def cache_steps(computed: np.ndarray, kept: np.ndarray, ax: Axes | None = None, title: str = "") -> Axes:
    """Draw a row for each step and a column for each token: computed, taken from the cache, or not written yet.

    Args:
        computed: `(n_steps, n_tokens)`, True where the step computes the token's key and value.
        kept: the same shape, True where it has them from the steps before.
        ax: where to draw; None makes a figure.
        title: what to see.

    Example:
        >>> ax = cache_steps(np.eye(3, dtype=bool), np.tri(3, k=-1, dtype=bool))
        >>> len(ax.patches)
        9
    """
    n_steps, n_tokens = computed.shape
    ax = style.axes(ax, width=0.8 + 0.4 * n_tokens, height=1.4 + 0.4 * n_steps)
    used = dict.fromkeys(STATES, False)
    for step, token in np.ndindex(computed.shape):
        state = "computed" if computed[step, token] else "kept" if kept[step, token] else "absent"
        used[state] = True
        ground, hatch, _ = STATES[state]
        ax.add_patch(
            Rectangle((token - 0.5, step - 0.5), 1, 1, facecolor=ground, hatch=hatch, edgecolor="0.35")
        )
    ax.set(
        xlim=(-0.5, n_tokens - 0.5),
        ylim=(n_steps - 0.5, -0.5),
        xticks=range(n_tokens),
        yticks=range(n_steps),
        xlabel="token",
        ylabel="step",
        aspect="equal",
        title=title,
    )
    legend = [
        Patch(facecolor=ground, hatch=hatch, edgecolor="0.35", label=name)
        for state, (ground, hatch, name) in STATES.items()
        if used[state]
    ]
    ax.legend(handles=legend, loc="upper center", bbox_to_anchor=(0.5, -0.2), frameon=False, fontsize=9)
    return ax
