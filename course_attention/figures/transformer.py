"""Drawings of the Transformer: the residual stream is a road, and each sublayer a branch that leads back to it."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import Circle, FancyBboxPatch

from course_attention.figures.drawing import INK, KEY, RESULT, TOKEN, VALUE, Place, arrow, canvas, label

_SUBLAYER = 3.5  # cells from one sublayer to the next
_BOX = (4.6, 1.1)  # width and height of a box
_GAP = 1.1  # cells between the road and the boxes
_NORM = "#F4F1EA"


def three_stacks() -> Axes:
    """Draw encoder, decoder and decoder-only side by side, each with one of its blocks; read from below.

    Encoder and decoder are post-norm, as Vaswani et al. (2017) have them. The third stack is pre-norm and has a norm
    at the end of its road, as most language models do.

    Example:
        >>> ax = three_stacks()
        >>> sum(text.get_text().endswith("attention") for text in ax.texts)
        4
    """
    ax = canvas(26, 20)
    encoder = _stack(ax, 1.4, "source", ["self-attention", "feed-forward"], "encoder")
    decoder = _stack(
        ax,
        15.4,
        "target so far",
        ["causal self-attention", "cross-attention", "feed-forward"],
        "decoder",
        left=True,
    )
    only = _stack(ax, 19.4, "text so far", ["causal self-attention", "feed-forward"], "decoder-only", norm="branch")
    _head(ax, 15.4, decoder[-1], has_norm=False)
    _head(ax, 19.4, only[-1], has_norm=True)
    memory, into = encoder[-1] + 0.6, decoder[1]
    for role, shift, line in ((KEY, 0.0, "-"), (VALUE, 0.35, (0, (3, 1)))):
        middle = 8.5 + shift
        path = [(1.4, encoder[-1]), (1.4, memory - shift), (middle, memory - shift), (middle, into - shift)]
        ax.plot(*zip(*path, strict=True), color=role.fill, linewidth=2, linestyle=line)
        arrow(ax, (middle, into - shift), (15.4 - _GAP - _BOX[0], into - shift), role)
    label(ax, (4.9, memory + 0.2), "memory: keys and values", va="bottom")
    return ax


def post_and_pre_norm() -> Axes:
    """Draw a sublayer with its norm on the road, and beside it one with its norm on the branch; read from below.

    Example:
        >>> ax = post_and_pre_norm()
        >>> [text.get_text() for text in ax.texts].count("norm")
        2
    """
    ax = canvas(18, 8.2)
    for x, norm, formula in (
        (1.4, "road", "post-norm: norm(x + sublayer(x))"),
        (10.4, "branch", "pre-norm: x + sublayer(norm(x))"),
    ):
        _road(ax, x, 1.4, 7.8)
        _sublayer(ax, x, 2.2, "sublayer", norm)
        label(ax, (x - 0.6, 0.6), formula, ha="left")
    return ax


def _stack(
    ax: Axes, x: float, tokens: str, sublayers: Sequence[str], name: str, left: bool = False, norm: str = "road"
) -> list[float]:
    """Draw a road with a branch for each sublayer; gives the height of each box, and last that of the road's end."""
    side = -1 if left else 1
    label(ax, (x + side * 2.85, 0.4), name, size=13, weight="bold")
    label(ax, (x + side * 2, 1.3), tokens)  # below the middle of the box
    _box(ax, x, 2.4, "embedding + position", TOKEN.fill, width=5.4 if left else 2.6 * 2, at_road=side)
    bottom = 3.7
    top = bottom + _SUBLAYER * len(sublayers) + 0.5
    _road(ax, x, 3.0, top)
    heights = [_sublayer(ax, x, bottom + _SUBLAYER * number, text, norm, side) for number, text in enumerate(sublayers)]
    outline = Place(min(x, x + side * (_GAP + _BOX[0])) - 0.7, bottom - 0.45, _GAP + _BOX[0] + 1.4, top - bottom - 0.2)
    ax.add_patch(
        FancyBboxPatch(
            (outline.x + 0.2, outline.y),
            outline.width - 0.4,
            outline.height,
            boxstyle="round,pad=0.15",
            fill=False,
            edgecolor=INK,
            linestyle=":",
        )
    )
    label(
        ax,
        (x + side * (_GAP + _BOX[0] - 0.2), top - 1.15),
        "repeated",
        size=9,
        ha="left" if left else "right",
    )
    return [*heights, top]


def _head(ax: Axes, x: float, top: float, has_norm: bool) -> None:
    """Draw what stands at the end of a road: a norm or none, the output layer, and what it gives."""
    if has_norm:
        arrow(ax, (x, top), (x, top + 0.7))
        _box(ax, x, top + 1.05, "norm", _NORM, width=1.6, height=0.7)
        top += 1.4
    arrow(ax, (x, top), (x, top + 0.8))
    _box(ax, x, top + 1.35, "output layer", TOKEN.fill, width=3.4)
    arrow(ax, (x, top + 1.9), (x, top + 2.9))
    label(ax, (x, top + 2.95), "logits of the\nnext token", va="bottom")


def _road(ax: Axes, x: float, bottom: float, top: float) -> None:
    ax.plot([x, x], [bottom, top - 0.5], color=TOKEN.fill, linewidth=9, solid_capstyle="butt", zorder=1)
    ax.plot(x, top - 0.35, marker="^", markersize=15, color=TOKEN.fill, zorder=1)


def _sublayer(ax: Axes, x: float, y: float, text: str, norm: str, side: int = 1) -> float:
    """Draw a branch that leaves the road at this height and is added to it again; gives the height of its box."""
    middle = x + side * (_GAP + _BOX[0] / 2)
    box = y + (1.7 if norm == "branch" else 1.0)
    leaves = [(x, y), (middle, y), (middle, box - _BOX[1] / 2)]
    ax.plot(*zip(*leaves, strict=True), color=INK, linewidth=1.3, zorder=2)
    if norm == "branch":
        _box(ax, middle, y + 0.3, "norm", _NORM, width=2.2, height=0.8)
    _box(ax, middle, box, text, TOKEN.fill if text == "feed-forward" else RESULT.fill)
    back = box + _BOX[1] / 2 + 0.4
    ax.plot([middle, middle], [box + _BOX[1] / 2, back], color=INK, linewidth=1.3, zorder=2)
    arrow(ax, (middle, back), (x + side * 0.3, back))
    ax.add_patch(Circle((x, back), 0.32, facecolor="white", edgecolor=INK, linewidth=1.3, zorder=3))
    label(ax, (x, back - 0.02), "+", size=12, color="black", zorder=4)
    if norm == "road":
        _box(ax, x, back + 0.85, "norm", _NORM, width=1.6, height=0.7)
    return box


def _box(
    ax: Axes,
    x: float,
    y: float,
    text: str,
    fill: str,
    width: float = _BOX[0],
    height: float = _BOX[1],
    at_road: int = 0,
) -> None:
    """Draw a box around its middle; with `at_road` it begins at x and goes to that side."""
    x += at_road * (width / 2 - 0.7)
    corner = (x - width / 2 + 0.1, y - height / 2 + 0.1)
    ax.add_patch(
        FancyBboxPatch(
            corner,
            width - 0.2,
            height - 0.2,
            boxstyle="round,pad=0.1",
            facecolor=fill,
            edgecolor=INK,
            linewidth=1.2,
            zorder=3,
        )
    )
    label(ax, (x, y), text, size=10, color="black", zorder=4)
