"""A mask as a graph, with a line from each query to every key that it may attend to."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import style


def mask_graph(allowed: np.ndarray, tokens: Sequence[str], ax: Axes | None = None, title: str = "") -> Axes:
    """Draw keys below, queries above, and a line for each allowed pair; dashed lines lead into the future.

    As in every drawing of the course, what is read is below and what comes out is above.

    A query that may attend to nothing, and a key that no query may attend to, has an empty circle.

    Args:
        allowed: (n_tokens, n_tokens), True where query i may attend to key j.
        tokens: one for each position.
        ax: where to draw; None makes a figure.
        title: what to see.

    Raises:
        ValueError: the tokens do not match the mask.

    Example:
        >>> ax = mask_graph(np.tril(np.ones((3, 3), bool)), "abc")
        >>> len(ax.lines)
        6
    """
    allowed = np.asarray(allowed, dtype=bool)
    if allowed.shape != (len(tokens), len(tokens)):
        raise ValueError(
            f"allowed must be (n_tokens, n_tokens) {(len(tokens),) * 2}, as the tokens; got {allowed.shape}"
        )
    ax = style.axes(ax, width=0.9 + 0.7 * len(tokens), height=3.0)
    for i, j in np.argwhere(allowed):
        future = j > i
        ax.plot(
            [i, j],
            [1, 0],
            color=style.LEAK if future else style.PALETTE[0],
            linestyle="--" if future else "-",
            linewidth=1.4,
        )
    places = np.arange(len(tokens))
    sees, seen = allowed.any(axis=1), allowed.any(axis=0)
    for y, is_used in ((1, sees), (0, seen)):
        fill = np.where(is_used, "black", "white")
        ax.scatter(places, np.full(len(places), y), s=45, c=fill, edgecolors="black", zorder=3)
    ax.set_xticks(places, tokens, **style.SLANTED)
    ax.set_yticks([0, 1], ["keys", "queries"])
    ax.tick_params(length=0, labelsize="small")
    ax.set(xlim=(-0.5, len(tokens) - 0.5), ylim=(-0.25, 1.25), title=title)
    ax.spines[:].set_visible(False)
    return ax
