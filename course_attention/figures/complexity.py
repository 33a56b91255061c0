"""Drawings of notebook 07: work as an area, layers by what they cost, and the roofline of a machine."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import drawing, style

GAP = 3.0  # cells between two texts


def growth(lengths: Sequence[int], width: int) -> Axes:
    """Draw the work for texts of several lengths as areas: a strip for the tokens, a square for the pairs.

    Args:
        lengths: in tokens, one drawing for each.
        width: of the strip, the work for one token where the work for a pair is 1.

    Example:
        >>> ax = growth([2, 4], width=3)
        >>> [text.get_text() for text in ax.texts][2::3]
        ['2 tokens: 6 + 4', '4 tokens: 12 + 16']
    """
    ax = drawing.canvas(sum(width + n + GAP for n in lengths) - GAP + 2, max(lengths) + 3.4)
    left = 1.0
    for n in lengths:
        for x, across, role, name in (
            (left, width, drawing.TOKEN, "tokens"),
            (left + width, n, drawing.WEIGHT, "pairs"),
        ):
            drawing.matrix(ax, x, 1.6, (n, across), role, name)
        drawing.label(ax, (left + (width + n) / 2, 1.3), f"{n} tokens: {width * n} + {n * n}", va="top", size=12)
        left += width + n + GAP
    return ax


@dataclass(frozen=True)
class Cost:
    """What a layer costs.

    Attributes:
        steps: products that have to wait for one another.
        path: steps from the first token to the last.
        work: multiply–adds.
    """

    steps: int
    path: int
    work: int


def layer_map(costs: Mapping[str, Cost], unit: str, ax: Axes | None = None, beside: Collection[str] = ()) -> Axes:
    """Draw each layer as a disc: its steps to the right, its path upwards, its work as the disc's area.

    Args:
        costs: name of a layer → its costs.
        unit: the name of the layer whose work is called 1.
        ax: where to draw; None makes a figure.
        beside: the names of the layers whose words stand to the right of the disc, not above it.

    Example:
        >>> ax = layer_map({"recurrent": Cost(8, 7, 10), "attention": Cost(3, 1, 25)}, unit="recurrent")
        >>> [text.get_text() for text in ax.texts]
        ['recurrent\\nwork 1.0', 'attention\\nwork 2.5']
    """
    ax = style.axes(ax, width=8.0, height=4.6)
    for index, (name, cost) in enumerate(costs.items()):
        work = cost.work / costs[unit].work
        colour = style.PALETTE[index % len(style.PALETTE)]
        area = 40 * work  # in points²
        ax.scatter(cost.steps, cost.path, s=area, color=colour, alpha=0.6, edgecolor="0.2")
        away = np.sqrt(area / np.pi) + 3  # the words stand outside the disc
        offset, across, up = ((away, 0), "left", "center") if name in beside else ((0, away), "center", "bottom")
        ax.annotate(
            f"{name}\nwork {work:.1f}",
            (cost.steps, cost.path),
            offset,
            textcoords="offset points",
            ha=across,
            va=up,
            fontsize=9,
        )
    ax.set(
        xscale="log",
        yscale="log",
        xlabel="sequential steps",
        ylabel="path length",
    )
    ax.margins(0.22)
    ax.grid(alpha=0.3)
    return ax


def roofline(peak: float, bandwidth: float, points: Mapping[str, tuple[float, float]], ax: Axes | None = None) -> Axes:
    """Draw how fast a machine can be at each arithmetic intensity, and how fast it was.

    Args:
        peak: multiply–adds per second, at most.
        bandwidth: bytes per second, at most.
        points: name → (multiply–adds per byte, multiply–adds per second).
        ax: where to draw; None makes a figure.

    Source:
        Williams et al. (2009), "Roofline", figure 1.

    Example:
        >>> ax = roofline(peak=8.0, bandwidth=2.0, points={"decode": (1.0, 1.5)})
        >>> [float(y) for y in ax.lines[0].get_ydata()][1:]  # the roof is flat from 4 multiply–adds per byte on
        [8.0, 8.0]
    """
    ax = style.axes(ax, width=6.4, height=4.2)
    ridge = peak / bandwidth
    intensities = [ridge, *(x for x, _ in points.values())]
    ends = min(intensities) / 3, max(intensities) * 6
    ax.plot([ends[0], ridge, ends[1]], [ends[0] * bandwidth, peak, peak], color="0.2", linewidth=2)
    ax.axvline(ridge, color="0.5", linewidth=0.8, linestyle=":")
    for side, name in (("right", "memory-bound  "), ("left", "  compute-bound")):
        ax.text(ridge, 0.03, name, ha=side, fontsize=9, color="0.3", transform=ax.get_xaxis_transform())
    for index, (name, (intensity, rate)) in enumerate(points.items()):
        marker, colour = style.MARKERS[index % len(style.MARKERS)], style.PALETTE[index % len(style.PALETTE)]
        ax.plot([intensity], [rate], marker, color=colour, markersize=9, label=name)
    ax.legend(frameon=False, fontsize=9, loc="upper left")
    ax.set(xscale="log", yscale="log", xlabel="multiply–adds per byte", ylabel="multiply–adds per second")
    ax.set_ylim(min(rate for _, rate in points.values()) / 5, peak * 6)
    ax.grid(alpha=0.3)
    return ax
