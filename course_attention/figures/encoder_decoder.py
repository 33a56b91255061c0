"""Diagram of a recurrent encoder–decoder, with attention or without."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch

from course_attention.figures import style

_READ, _WRITTEN, _HANDED = "#e3eef6", "#8fb8d8", style.PALETTE[1]
_HALF = 0.36  # half a box
_ABOVE = 2.1  # height of a_t


def encoder_decoder(
    read: Sequence[str],
    written: Sequence[str],
    distribution: np.ndarray | None = None,
    step: int = 1,
    ax: Axes | None = None,
    title: str = "",
) -> Axes:
    """Draw the states h_1 … h_N over what is read, then s_1, s_2 … over what is written.

    Args:
        read: tokens of the source, one per encoder state; a string counts as its characters.
        written: tokens of the target, one per decoder state.
        distribution: α^t, (n_source,), drawn as lines into a_t, the thicker the larger the weight; None draws
            an encoder–decoder without attention.
        step: the step t whose attention is drawn, counted from 1.
        ax: where to draw; None makes a figure.
        title: what to see.

    Raises:
        ValueError: the distribution does not have one weight for each token read, or there is no such step.

    Example:
        >>> ax = encoder_decoder("ab", "AB", np.array([0.9, 0.1]))
        >>> [text.get_text() for text in ax.texts if "h" in text.get_text()]
        ['$h_{1}$', '$h_{2}$']
    """
    if distribution is not None and np.shape(distribution) != (len(read),):
        raise ValueError(
            f"distribution must be (n_source,) ({len(read)},), as the tokens; got {np.shape(distribution)}"
        )
    if not 1 <= step <= len(written):
        raise ValueError(f"step must be from 1 to {len(written)}, the tokens written; got {step}")
    ax = style.axes(ax, width=10, height=2.6 if distribution is None else 3.2)
    encoder = np.arange(len(read), dtype=float)
    decoder = len(read) + 0.9 + np.arange(len(written))
    for i, (x, token) in enumerate(zip(encoder, read, strict=True), start=1):
        _box(ax, x, 0, f"$h_{{{i}}}$", _READ, token)
    for t, (x, token) in enumerate(zip(decoder, written, strict=True), start=1):
        _box(ax, x, 0, f"$s_{{{t}}}$", _WRITTEN, token)
    for places in (encoder, decoder):
        for left, right in pairwise(places):
            _arrow(ax, (left + _HALF, 0), (right - _HALF, 0))
    _arrow(ax, (encoder[-1] + _HALF, 0), (decoder[0] - _HALF, 0), color=_HANDED, linewidth=4)
    ax.text((encoder[-1] + decoder[0]) / 2, -0.62, "one vector", ha="center", va="top", fontsize=9)
    if distribution is not None:
        _attention(ax, encoder, decoder[step - 1], np.asarray(distribution), step)
    ax.text(encoder.mean(), -1.25, "read", ha="center", va="top", fontsize=10)
    ax.text(decoder.mean(), -1.25, "written", ha="center", va="top", fontsize=10)
    ax.set(xlim=(-0.7, decoder[-1] + 0.7), ylim=(-1.7, 0.6 if distribution is None else _ABOVE + 0.6))
    ax.set(title=title)
    ax.axis("off")
    return ax


def _attention(ax: Axes, encoder: np.ndarray, target: float, distribution: np.ndarray, step: int) -> None:
    middle = (encoder[-1] + target) / 2
    for x, weight in zip(encoder, distribution, strict=True):
        line = {"linewidth": 0.4 + 5 * weight, "color": "0.2" if weight > 0.1 else "0.6"}
        ax.plot([x, middle - _HALF], [_HALF, _ABOVE], zorder=1, **line)
    _box(ax, middle, _ABOVE, f"$a_{{{step}}}$", _HANDED)
    _arrow(ax, (middle + _HALF, _ABOVE - 0.1), (target, _HALF), color=_HANDED, linewidth=3)


def _box(ax: Axes, x: float, y: float, name: str, colour: str, token: str = "") -> None:
    corner = (x - _HALF + 0.08, y - _HALF + 0.08)
    side = 2 * _HALF - 0.16
    round_box = FancyBboxPatch(
        corner, side, side, boxstyle="round,pad=0.08", facecolor=colour, edgecolor="0.3", zorder=2
    )
    ax.add_patch(round_box)
    ax.text(x, y, name, ha="center", va="center", zorder=3)
    ax.text(x, y - 0.62, "␣" if token == " " else token, ha="center", va="top", fontsize=10)


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float], **line) -> None:
    arrow = {"arrowstyle": "-|>", "color": "0.3", "linewidth": 1, "shrinkA": 0, "shrinkB": 0} | line
    ax.annotate("", end, start, arrowprops=arrow)
