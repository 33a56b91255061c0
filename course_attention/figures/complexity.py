"""Drawings of notebook 07: work as an area, a scan, layers by what they cost, and the roofline of a machine."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures import drawing, style

GAP = 3.0  # cells between two texts
_RAISED = {2: "²", 4: "⁴", 8: "⁸"}


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


def doubling(n_tokens: int) -> Axes:
    """Draw how rounds of doubling make a state: each box names the tokens that its sum contains.

    Args:
        n_tokens: a power of two.

    Example:
        >>> ax = doubling(4)
        >>> [text.get_text() for text in ax.texts if text.get_text().startswith("0")]
        ['0', '0', '0–1', '0', '0–1', '0–2', '0–3']
    """
    n_rounds = n_tokens.bit_length() - 1
    apart, up, left = 2.0, 2.6, 4.8  # boxes are a cell wide
    ax = drawing.canvas(left + apart * n_tokens + 0.4, up * n_rounds + 2.2)
    needed = {n_tokens - 1}
    wanted = [needed]  # which boxes of each round the last state is made of, from the last round down
    for terms in (2**r for r in reversed(range(n_rounds))):
        needed = needed | {i - terms for i in needed if i >= terms}
        wanted.append(needed)
    for level, made_of in enumerate(reversed(wanted)):
        terms = 2**level
        name = "tokens" if level == 0 else f"round {level}, by {'A' if level == 1 else f'A{_RAISED[terms // 2]}'}"
        drawing.label(ax, (left - 0.4, up * level + 1.4), name, ha="right")
        for i in range(n_tokens):
            first = max(0, i - terms + 1)
            x, y = left + apart * i, up * level + 0.9
            share = (i - first + 1) / n_tokens if i in made_of else 0.0
            place = drawing.matrix(ax, x, y, (1, 1), drawing.RESULT, shades=np.full((1, 1), share))
            drawing.label(
                ax, (place.centre[0], place.y - 0.1), str(i) if first == i else f"{first}–{i}", va="top", size=9
            )
            if level and i in made_of:
                for back in (0, terms // 2):
                    below = drawing.Place(x - apart * back, y - up, 1, 1)
                    drawing.arrow(ax, below.top, (place.centre[0], place.y - 0.65), drawing.RESULT if back else None)
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


def roofline(
    peak: float,
    bandwidth: float,
    points: Mapping[str, tuple[float, float]],
    ax: Axes | None = None,
    measured: bool = True,
) -> Axes:
    """Draw how fast a machine can be at each arithmetic intensity, and how fast it was.

    Args:
        peak: multiply–adds per second, at most.
        bandwidth: bytes per second, at most.
        points: name → (multiply–adds per byte, multiply–adds per second).
        ax: where to draw; None makes a figure.
        measured: whether the rates are measurements; a limit has a hollow mark and the words "at most".

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
        label, face = (name, colour) if measured else (f"{name}, at most", "white")
        ax.plot([intensity], [rate], marker, color=colour, markersize=9, markerfacecolor=face, label=label)
    ax.legend(frameon=True, framealpha=1, edgecolor="none", fontsize=9, loc="upper left")
    ax.set(xscale="log", yscale="log", xlabel="multiply–adds per byte", ylabel="multiply–adds per second")
    ax.set_ylim(min(rate for _, rate in points.values()) / 5, peak * 6)
    ax.grid(alpha=0.3)
    return ax
