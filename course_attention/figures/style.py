"""The style that all plots share; it works in greyscale and for the colour-blind.

A plot keeps its white ground on a dark page too: its colours, black among them, and the labels in its cells are chosen
for white. The drawings of `drawing` are transparent, and can be read on both.
"""

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes

# Okabe and Ito's colours, ordered so that neighbours differ in lightness as well.
PALETTE = ("#0072B2", "#E69F00", "#000000", "#009E73", "#D55E00", "#56B4E9", "#CC79A7")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
HATCHES = ("", "//", "..", "xx")
LINES = ("-", "--", ":", "-.", (0, (5, 1)), (0, (1, 1)), (0, (3, 1, 1, 1)))
WEIGHTS_MAP = "cividis_r"  # dark is large, as in the drawings; lightness falls evenly with the weight
BAND = 0.2  # opacity of the band around a line
LEAK = "#D55E00"  # what comes from the future
SLANTED: dict[str, Any] = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}  # labels of an x axis


def axes(ax: Axes | None, width: float = 6.0, height: float = 3.6) -> Axes:
    """Return the axes that were given, or new ones of this size in inches."""
    return plt.subplots(figsize=(width, height), layout="constrained")[1] if ax is None else ax
