"""Drawings of models that others published: where a function of one's own is plugged in, and how weights are stored."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.patches import FancyBboxPatch

from course_attention.figures.drawing import INK, KEY, QUERY, RESULT, TOKEN, VALUE, Place, arrow, canvas, label, matrix
from course_attention.figures.shaded_table import shaded_table

_LIBRARY = "#F4F1EA"
_PAIRS = ("#56B4E9", "#CC79A7", "#C9CED6")  # no colour of queries, keys or values
_ROLES = {"q": QUERY, "k": KEY, "v": VALUE}


@dataclass(frozen=True)
class Part:
    """A part of a model, and the function of the course that computes the same.

    Attributes:
        name: what the part does.
        function: which computes it; "" where the course has none.
        notebook: in which it was written, such as "02".
        runs: whether this very function ran in the model.
        yours: whether it is the student's own.
    """

    name: str
    function: str = ""
    notebook: str = ""
    runs: bool = False
    yours: bool = False


@dataclass(frozen=True)
class Fork:
    """Two kinds of layers, of which a token meets one or the other.

    Attributes:
        left_name: of the first kind, such as "3 of 4 layers".
        left: its parts, from the first that a token meets to the last.
        right_name: of the second kind.
        right: its parts.
    """

    left_name: str
    left: Sequence[Part]
    right_name: str
    right: Sequence[Part]


def plugged_in(families: Sequence[str], function: str = "interface_attention", inner: str = "attention") -> Axes:
    """Draw a layer of a published model with an empty place in it, and the function that fills it.

    Args:
        families: names of models, written at the layer.
        function: what the library calls.
        inner: what that function calls.

    Example:
        >>> ax = plugged_in(["Llama", "BERT"])
        >>> {"Llama, BERT", "attention"} <= {text.get_text() for text in ax.texts}
        True
    """
    ax = canvas(30, 14.6)
    _box(ax, Place(0.8, 1.6, 9.4, 11.6), "", "none", dashed=True)
    label(ax, (5.5, 13.8), "a layer of a published model", weight="bold")
    label(ax, (0.8, 0.7), ", ".join(families), size=10, ha="left")
    _box(ax, Place(1.6, 2.1, 7.8, 1.2), "tokens", TOKEN.fill)
    _box(ax, Place(1.6, 4.1, 7.8, 1.2), "norm, projections, rotary …", _LIBRARY)
    _box(ax, Place(1.6, 6.1, 7.8, 4.2), "attention goes here", "none", dashed=True)
    _box(ax, Place(1.6, 11.1, 7.8, 1.2), "output projection, network …", _LIBRARY)
    for below, above in ((3.3, 4.1), (5.3, 6.1), (10.3, 11.1)):
        arrow(ax, (5.5, below), (5.5, above))
    _box(ax, Place(18.2, 3.6, 11.0, 8.4), "", _LIBRARY)
    label(ax, (23.7, 11.0), function, size=13, weight="bold", color="black")
    _box(ax, Place(20.0, 5.4, 7.4, 3.9), inner, RESULT.fill, size=14)
    label(ax, (23.7, 6.2), "from notebook 02", size=9, color="black")
    for y, role, text in (
        (9.9, QUERY, "query"),
        (9.1, KEY, "key"),
        (8.3, VALUE, "value"),
        (7.5, None, "bias, scaling"),
    ):
        arrow(ax, (10.4, y), (18.0, y), role)
        label(ax, (14.2, y + 0.3), text, size=9)
    arrow(ax, (18.0, 6.5), (10.4, 6.5), RESULT)
    label(ax, (14.2, 6.8), "output", size=9)
    return ax


def difference_map(
    differences: np.ndarray, rows: Sequence[str], columns: Sequence[str], ax: Axes | None = None
) -> Axes:
    """Draw how far off each function is in each model, as a power of ten; dark is large.

    Args:
        differences: (n_rows, n_columns), 0 or more; NaN where the function stopped with an error.
        rows: the models.
        columns: the functions.
        ax: where to draw; None makes a figure.

    Raises:
        ValueError: the names do not match the shape.

    Example:
        >>> ax = difference_map(np.array([[1e-7, 0.5], [np.nan, 0.0]]), ["a", "b"], ["right", "wrong"])
        >>> [text.get_text() for text in ax.texts]
        ['1e-07', '0.5', 'error', '0']
    """
    differences = np.asarray(differences)
    if differences.shape != (len(rows), len(columns)):
        raise ValueError(f"differences must be ({len(rows)}, {len(columns)}), as the names; got {differences.shape}")
    texts = [["error" if np.isnan(number) else f"{number:.1g}" for number in line] for line in differences]
    scale, name = LogNorm(1e-8, 3.0), "largest difference of a logit"
    return shaded_table(differences, texts, rows, columns, ax, norm=scale, label=name, size=8)


def fused_columns(n_heads: int = 2, d_head: int = 2) -> Axes:
    """Draw the columns of a fused weight in two orders: all queries first, or each head's three parts together.

    Example:
        >>> ax = fused_columns(n_heads=2, d_head=1)
        >>> [text.get_text() for text in ax.texts if text.get_text()[1:] in ("₀", "₁")][:6]
        ['q₀', 'q₁', 'k₀', 'k₁', 'v₀', 'v₁']
    """
    by_part = [(part, head) for part in "qkv" for head in range(n_heads)]
    by_head = [(part, head) for head in range(n_heads) for part in "qkv"]
    ways = {"GPT-2": by_part, "GPT-NeoX, BLOOM": by_head}
    width = 3 * n_heads * d_head
    ax = canvas(width + 8.5, 7.4)
    for number, (name, blocks) in enumerate(ways.items()):
        y = 4.1 - 3.6 * number
        label(ax, (6.9, y + 1), name, ha="right", weight="bold")
        for place, (part, head) in enumerate(blocks):
            there = matrix(ax, 7.3 + place * d_head, y, (2, d_head), _ROLES[part])
            label(ax, (there.top[0], there.top[1] + 0.15), f"{part}{chr(0x2080 + head)}", va="bottom", size=12)
    return ax


def pair_orders(d_head: int = 6) -> Axes:
    """Draw the channels of a head, with an arc between the two that turn together, in both orders.

    Example:
        >>> ax = pair_orders(4)
        >>> [text.get_text() for text in ax.texts if text.get_text().isdigit()]
        ['0', '1', '2', '3', '0', '2', '1', '3']
    """
    half = d_head // 2
    ax = canvas(d_head * 1.6 + 10.5, 6.4)
    halves = list(range(d_head))
    neighbours = [i for pair in zip(range(half), range(half, d_head), strict=True) for i in pair]
    orders = {"Llama in the library": halves, "as your rotary turns": neighbours}
    for number, (name, order) in enumerate(orders.items()):
        y = 3.9 - 3.2 * number
        label(ax, (9.3, y + 0.5), name, ha="right", weight="bold")
        middle = {}
        for place, channel in enumerate(order):
            fill = _PAIRS[channel % half % len(_PAIRS)]
            there = Place(9.8 + 1.6 * place, y, 1, 1)
            _box(ax, there, "", fill)
            label(ax, there.centre, str(channel), color="black", zorder=5)
            middle[channel] = there.top
        for pair in range(half):
            start, end = middle[pair], middle[pair + half]
            reach = abs(end[0] - start[0])
            look = {"arrowstyle": "-", "color": INK, "connectionstyle": f"arc3,rad={-0.25 if reach > 2 else -0.6}"}
            ax.annotate("", end, start, arrowprops=look)
    return ax


def whose_parts(parts: Sequence[Part | Fork], title: str, note: str = "") -> Axes:
    """Draw a model as a road of parts, read from below; in each part is the function that computes the same.

    Args:
        parts: from the first that a token meets to the last. Where layers are of two kinds, the road forks.
        title: which model it is.
        note: said below the title.

    Example:
        >>> fork = Fork("3 of 4 layers", [Part("experts")], "1 of 4", [Part("attention", "attention", "02", runs=True)])
        >>> ax = whose_parts([fork, Part("the next token")], "a model")
        >>> {"3 of 4 layers", "attention (02, the course's), ran here"} <= {text.get_text() for text in ax.texts}
        True
    """
    rows = sum(max(len(part.left), len(part.right)) + 1 if isinstance(part, Fork) else 1 for part in parts)
    top = _STEP * rows + 1.0
    ax = canvas(26, top + 2.6)
    label(ax, (0.6, top + 1.9), title, ha="left", size=13, weight="bold")
    label(ax, (0.6, top + 0.9), note, ha="left", size=10)
    ax.plot(13, top - 0.3, marker="^", markersize=15, color=TOKEN.fill, zorder=0)
    y = 0.7
    for part in parts:
        if isinstance(part, Fork):
            y = _fork(ax, part, y)
        else:
            _road(ax, (13, y - 0.4), (13, y - 0.2))  # not behind the part, which may be empty
            y = _part(ax, part, 13, y)
            _road(ax, (13, y - 0.4), (13, y - 0.2))
    return ax


_STEP, _WIDE = 2.5, 12.0  # cells from a part to the next one, and the width of a part


def _part(ax: Axes, part: Part, x: float, y: float) -> float:
    """Draw a part above this place, and return where the next one begins."""
    fill = RESULT.fill if part.runs else _LIBRARY if part.function else "none"
    _box(ax, Place(x - _WIDE / 2, y, _WIDE, 1.9), "", fill, dashed=not part.function)
    text = "not in this course"
    if part.function:
        owner = "yours" if part.yours else "the course's"
        text = f"{part.function} ({part.notebook}, {owner})" + (", ran here" if part.runs else "")
    look = {"zorder": 4, "weight": "bold" if part.runs else "normal", "color": "black" if part.function else INK}
    label(ax, (x, y + 1.33), part.name, size=10, **look)
    label(ax, (x, y + 0.57), text, size=9, **look)
    return y + _STEP


def _fork(ax: Axes, fork: Fork, y: float) -> float:
    """Draw both ways side by side above this place, and return where the next part begins."""
    rows = max(len(fork.left), len(fork.right))
    upper = y + _STEP * rows + 0.9
    _road(ax, (13, y - 0.4), (13, y))
    _road(ax, (13, upper), (13, upper + 0.9))
    for x, name, parts in ((6.5, fork.left_name, fork.left), (19.5, fork.right_name, fork.right)):
        for height in (y, upper):
            _road(ax, (x, height), (13, height))
        _road(ax, (x, y), (x, upper))
        label(ax, (x + 0.5, y + 0.6), name, size=10, ha="left")
        above = y + 1.2 + (rows - len(parts)) * _STEP / 2
        for part in parts:
            above = _part(ax, part, x, above)
    return y + _STEP * (rows + 1)


def _road(ax: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    x, y = zip(start, end, strict=True)
    ax.plot(x, y, color=TOKEN.fill, linewidth=9, solid_capstyle="projecting", zorder=0)


def _box(ax: Axes, place: Place, text: str, fill: str, dashed: bool = False, size: float = 10) -> None:
    look: dict[str, Any] = {"facecolor": fill, "edgecolor": INK, "linewidth": 1.2, "linestyle": "--" if dashed else "-"}
    corner = (place.x + 0.1, place.y + 0.1)
    ax.add_patch(
        FancyBboxPatch(corner, place.width - 0.2, place.height - 0.2, boxstyle="round,pad=0.1", zorder=2, **look)
    )
    ink = INK if fill == "none" else "black"
    label(ax, place.centre, text, size=size, color=ink, zorder=4)
