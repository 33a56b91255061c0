"""Diagram of the Transformer: an encoder block and a decoder block, with everything around them."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from course_attention.figures import style

_ATTENTION, _NORM, _FEED, _PLAIN = "#E69F00", "#FFFFFF", "#8fb8d8", "#e3eef6"
_WIDTH, _STEP = 2.6, 0.62
_LEFT, _RIGHT = 0.0, 5.2


def encoder_decoder_blocks(n_blocks: int = 2, ax: Axes | None = None, title: str = "") -> Axes:
    """Draw an encoder block on the left and a decoder block on the right, read from below.

    Args:
        n_blocks: how often each is repeated, written beside it.
        ax: where to draw; None makes a figure.
        title: what to see.

    Example:
        >>> ax = encoder_decoder_blocks(6)
        >>> sum("attention" in text.get_text() for text in ax.texts)
        3
    """
    ax = style.axes(ax, width=8.2, height=6.0)
    encoded = _column(ax, _LEFT, "source", ["self-attention", "feed-forward"], n_blocks)
    top = _column(
        ax,
        _RIGHT,
        "target, shifted right",
        ["self-attention, causal", "cross-attention", "feed-forward"],
        n_blocks,
    )
    _box(ax, _RIGHT, top + 0.9, "linear, softmax", _PLAIN)
    _arrow(ax, (_RIGHT, top + 0.05), (_RIGHT, top + 0.68))
    # the memory: out of the encoder's top, into the middle attention of the decoder
    memory, into = encoded + 0.5, 2 + 2 * _STEP + 0.18
    middle = (_LEFT + _RIGHT) / 2
    ax.plot([_LEFT, _LEFT, middle, middle], [encoded, memory, memory, into], color="0.2", linewidth=1.6)
    _arrow(ax, (middle, into), (_RIGHT - _WIDTH / 2, into))
    ax.text(
        middle + 0.08, (memory + into) / 2 + 0.35, "memory:\nkeys, values", fontsize=9, ha="left", va="center"
    )
    ax.set(xlim=(-2.6, _RIGHT + 2.6), ylim=(-0.7, top + 1.4), title=title)
    ax.axis("off")
    return ax


def _column(ax: Axes, x: float, tokens: str, sublayers: list[str], n_blocks: int) -> float:
    """Draw tokens, embedding and one block; returns the height at which the block ends."""
    ax.text(x, -0.45, tokens, ha="center", va="center", fontsize=10)
    _arrow(ax, (x, -0.25), (x, 0.08))
    _box(ax, x, 0.3, "embedding", _PLAIN)
    _arrow(ax, (x, 0.52), (x, 0.88))
    _box(ax, x, 1.1, "+ positions", _PLAIN)
    bottom = y = 1.7
    _arrow(ax, (x, 1.32), (x, y + 0.23))
    for name in sublayers:
        colour = _FEED if name == "feed-forward" else _ATTENTION
        _box(ax, x, y + 0.45, name, colour)
        _box(ax, x, y + 0.45 + _STEP - 0.1, "add, norm", _NORM)
        side = x + _WIDTH / 2 + 0.28  # the residual goes round the sublayer
        ax.plot(
            [x, side, side], [y + 0.12, y + 0.12, y + 0.35 + _STEP], color="0.2", linewidth=1, linestyle="--"
        )
        _arrow(ax, (side, y + 0.35 + _STEP), (x + _WIDTH / 2, y + 0.35 + _STEP))
        y += 0.45 + _STEP + 0.2
        _arrow(ax, (x, y - 0.08), (x, y + 0.22))
    ax.add_patch(
        FancyBboxPatch(
            (x - _WIDTH / 2 - 0.15, bottom),
            _WIDTH + 0.65,
            y - bottom - 0.02,
            boxstyle="round,pad=0.05",
            fill=False,
            edgecolor="0.5",
        )
    )
    beside = x - _WIDTH / 2 - 0.35 if x == _LEFT else x + _WIDTH / 2 + 0.75
    ax.text(
        beside,
        (bottom + y) / 2,
        f"{n_blocks}×",
        ha="right" if x == _LEFT else "left",
        va="center",
        fontsize=13,
    )
    return y


def _box(ax: Axes, x: float, y: float, text: str, colour: str) -> None:
    patch = FancyBboxPatch(
        (x - _WIDTH / 2, y - 0.2), _WIDTH, 0.4, boxstyle="round,pad=0.02", facecolor=colour, edgecolor="0.3"
    )
    ax.add_patch(patch)
    ax.text(x, y, text, ha="center", va="center", fontsize=9)


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    ax.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": "0.2", "linewidth": 1.2})
