"""Texts that several models generated, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np


def generated_text(
    lines: Mapping[str, Sequence[str]], axes: np.ndarray | None = None, width: int = 48
) -> np.ndarray:
    """Draw lines of text in a column for each name; a line longer than `width` ends in an ellipsis.

    Args:
        lines: name of a model → its lines.
        axes: one for each name; made if None.
        width: of a column, in letters.

    Example:
        >>> axes = generated_text({"one": ["a b"], "two": ["c"]})
        >>> axes[0].texts[0].get_text()
        'a b'
    """
    if axes is None:
        most = max(map(len, lines.values()))
        size = (0.068 * width * len(lines) + 0.3, 0.24 * most + 0.5)
        _, axes = plt.subplots(1, len(lines), figsize=size, layout="constrained", squeeze=False)
        axes = axes[0]
    for ax, (name, said) in zip(axes, lines.items(), strict=True):
        ax.axis("off")
        ax.set_title(name, loc="left", fontsize=10)
        ax.set(xlim=(0, 1), ylim=(len(said), 0))
        for row, line in enumerate(said):
            shown = line if len(line) <= width else line[: width - 1] + "…"
            ax.text(0, row + 0.5, shown, va="center", fontsize=8, family="monospace")
    return axes
