"""Drawings of notebook 01: recurrent networks, the decoder's steps, and where attention has its place."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_attention.figures.drawing import (
    INK,
    QUERY,
    RESULT,
    WEIGHT,
    Place,
    arrow,
    canvas,
    label,
    matrix,
    token,
)

_APART = 3  # cells from one column to the next


def unrolled_rnn(read: Sequence[str]) -> Axes:
    """Draw a recurrent network, unrolled: a row of inputs, and over each input the state after it.

    Args:
        read: the tokens; a string counts as its characters.

    Example:
        >>> ax = unrolled_rnn("ab")
        >>> [text.get_text() for text in ax.texts if "h" in text.get_text()]
        ['$h_{0}$', '$h_{1}$', '$h_{2}$']
    """
    ax = canvas(_APART * (len(read) + 1) - 0.6, 9.2)
    states = [token(ax, 0.8, 5, 3, name="$h_{0}$", values=[0, 0, 0])]
    for i, x, symbol in _columns(read, 0.8 + _APART):
        inputs = token(ax, x, 1, 2, word=symbol)
        label(ax, (x - 0.2, 2), f"$x_{{{i}}}$", ha="right")
        states.append(token(ax, x, 5, 3, name=f"$h_{{{i}}}$"))
        arrow(ax, inputs.top, states[-1].bottom, text="$W$")
    for left, right in pairwise(states):
        arrow(ax, left.right, right.left, text="$U$")
    return ax


def encoder_decoder(read: Sequence[str], written: Sequence[str]) -> Axes:
    """Draw an encoder–decoder without attention: what is read, what is handed over, and what is written.

    The decoder's inputs y_(t−1) stand below its states, and what the output layer writes stands above them.

    Args:
        read: tokens of the source.
        written: tokens of the target.

    Example:
        >>> ax = encoder_decoder("ab", "AB")
        >>> [text.get_text() for text in ax.texts if text.get_text() in ("▷", "A", "B")]
        ['▷', 'A', 'A', 'B']
    """
    first = 0.6 + _APART * len(read) + 1.4  # left edge of the decoder
    ax = canvas(first + _APART * len(written) - 0.4, 13.4)
    encoder = []
    for i, x, symbol in _columns(read, 0.6):
        inputs = token(ax, x, 2, 2, word=symbol)
        encoder.append(token(ax, x, 5.6, 3, name=f"$h_{{{i}}}$"))
        arrow(ax, inputs.top, encoder[-1].bottom)
    decoder = []
    previous = ["▷", *written]
    for t, x, symbol in _columns(written, first):
        inputs = token(ax, x, 2, 2, word=_visible(previous[t - 1]))
        decoder.append(token(ax, x, 5.6, 3, QUERY))
        label(ax, (x + 1.15, 8.2), f"$s_{{{t}}}$", ha="left", size=13)
        arrow(ax, inputs.top, decoder[-1].bottom)
        arrow(ax, decoder[-1].top, (x + 0.5, 9.7))
        arrow(ax, (x + 0.5, 10.7), (x + 0.5, 11.9))
        label(ax, (x + 0.5, 12.4), symbol, size=13)
        if t < len(written):  # what was written is read at the next step
            ax.plot([x + 1, x + 2.5, x + 2.5], [12.4, 12.4, 3], color=INK, linewidth=1, linestyle=":")
            arrow(ax, (x + 2.5, 3), (x + _APART, 3))
    for states in (encoder, decoder):
        for left, right in pairwise(states):
            arrow(ax, left.right, right.left)
    arrow(ax, encoder[-1].right, decoder[0].left, weight=0.7, text="one vector")
    _box(ax, Place(first - 0.5, 9.7, _APART * len(written) - 1.2, 1), "output layer", opaque=True)
    label(ax, (_middle(encoder), 0.5), "encoder: reads $x_1, …, x_N$")
    label(ax, (_middle(decoder), 0.5), "decoder: reads $y_{t-1}$, which it has just written")
    return ax


def decoder_steps(read: Sequence[str], written: Sequence[str], weights: np.ndarray) -> Axes:
    """Draw the decoder's steps with attention as a filmstrip: a frame for each symbol written.

    The weights come from the decoder's state and the encoder's states. A dashed line shows that the output a_t is made
    of the encoder's states too.

    Args:
        read: tokens of the source.
        written: tokens of the target, one for each frame.
        weights: α^t in row t, (n_frames, n_source).

    Raises:
        ValueError: weights has another shape.

    Example:
        >>> ax = decoder_steps("ab", "AB", np.array([[0.9, 0.1], [0.2, 0.8]]))
        >>> [text.get_text() for text in ax.texts if text.get_text().startswith("step")]
        ['step 1', 'step 2']
    """
    weights = np.asarray(weights)
    if weights.shape != (len(written), len(read)):
        expected = (len(written), len(read))
        raise ValueError(f"weights must be (n_frames, n_source) {expected}; got {weights.shape}")
    wide = max(len(read), 5) + 4
    ax = canvas(wide * len(written) + 1.2, 15.8)
    previous = ["▷", *written]
    for t, symbol in enumerate(written, start=1):
        x = 2.4 + wide * (t - 1)
        label(ax, (x + 2.5, 15.3), f"step {t}", weight="bold")
        for i, one in enumerate(read):
            label(ax, (x + i + 0.5, 0.6), _visible(one))
        memory = matrix(ax, x, 1.2, (2, len(read)), rows="$h_1 … h_N$" if t == 1 else "")
        row = matrix(ax, x, 4.4, (1, len(read)), WEIGHT, shades=weights[t - 1 : t])
        arrow(ax, memory.top, row.bottom)
        label(ax, (row.right[0] + 0.2, row.right[1]), f"$α^{{{t}}}$", ha="left", size=13)
        state = token(ax, x + 0.5, 6.6, 2, QUERY)
        label(ax, (state.right[0] + 0.2, 8.3), f"$s_{{{t}}}$", ha="left", size=13)
        output = token(ax, x + 3.5, 8, 2, RESULT)
        label(ax, (output.right[0] + 0.2, 9.5), f"$a_{{{t}}}$", ha="left", size=13)
        arrow(ax, state.bottom, (state.bottom[0], row.top[1]), QUERY)
        arrow(ax, (output.bottom[0], row.top[1]), output.bottom, RESULT)
        _way(ax, [memory.right, (x + len(read) + 1.4, memory.right[1]), (x + len(read) + 1.4, 8.5), (x + 4.5, 8.5)])
        box = _box(ax, Place(x, 11.3, 5, 1), "output layer")
        arrow(ax, state.top, (output.top[0], box.y))  # the two cross: the output layer reads [a_t; s_t]
        arrow(ax, output.top, (state.top[0], box.y))
        label(ax, (box.top[0], 13.8), _visible(symbol), size=15, weight="bold")
        arrow(ax, box.top, (box.top[0], 13.3))
        label(ax, (x - 0.8, 9.5), _visible(previous[t - 1]), size=13)
        arrow(ax, (x - 0.5, 9.2), (state.left[0], 8.4))
        if t > 1:
            arrow(ax, (x - wide + 1.5, 7.2), (state.left[0], 7.2))
            ax.plot([x - wide + 3, x - 0.8, x - 0.8], [13.8, 13.8, 10], color=INK, linewidth=1, linestyle=":")
    return ax


def attention_step(
    memory: np.ndarray,
    state: np.ndarray,
    scores: Sequence[float],
    distribution: Sequence[float],
    output: Sequence[float],
) -> Axes:
    """Draw one step of attention with its numbers: scores, softmax and weighted sum, from bottom to top.

    Each h_i goes two ways: to its score, and along a dashed line to the product with its weight. The state s_t goes two
    ways as well: to all scores, and along a dashed line to what the output layer reads.

    Args:
        memory: h_1 … h_N, (n_source, d_hidden).
        state: s_t, (d_hidden,).
        scores: e^t, (n_source,).
        distribution: α^t, (n_source,).
        output: a_t, (d_hidden,).

    Example:
        >>> ax = attention_step(np.eye(2), np.array([2, 1]), [2, 1], [0.73, 0.27], [0.73, 0.27])
        >>> [text.get_text() for text in ax.texts if text.get_text() in ("softmax", "0.27")]
        ['softmax', '0.27', '0.27', '0.27']
    """
    n_source, d_hidden = np.shape(memory)
    apart, first, ground = 3.2, 4.6, 2.2
    right = first + apart * n_source
    ax = canvas(right + 8.4, ground + 14 + 2 * d_hidden)
    own = token(ax, 0.8, ground, d_hidden, QUERY, values=list(state))
    label(ax, (own.centre[0], ground - 0.7), "$s_t$", size=13)
    low = ground + d_hidden
    box = _box(ax, Place(first - 0.7, low + 4.6, apart * n_source - 0.4, 1.1), "softmax", opaque=True)
    mixed = token(ax, first + apart * (n_source - 1) / 2, low + 12.6, d_hidden, RESULT, values=_short(output))
    for i in range(n_source):
        x = first + apart * i
        h = token(ax, x, ground, d_hidden, values=list(memory[i]))
        label(ax, (h.centre[0], ground - 0.7), f"$h_{{{i + 1}}}$", size=13)
        score = matrix(ax, x, low + 2, (1, 1), WEIGHT, values=np.array([[scores[i]]]), shades=np.zeros((1, 1)))
        weight = matrix(
            ax,
            x,
            low + 7.3,
            (1, 1),
            WEIGHT,
            values=np.array([_short([distribution[i]])]),
            shades=np.array([[distribution[i]]]),
        )
        arrow(ax, h.top, score.bottom)
        arrow(ax, own.top, (score.left[0], score.left[1] - 0.2 * (i + 1) / n_source), QUERY)
        arrow(ax, score.top, (score.top[0], box.y))
        arrow(ax, (score.top[0], box.top[1]), (score.top[0], weight.y))
        product = x + 0.5, low + 9.9
        label(ax, product, "×", size=15, weight="bold")
        arrow(ax, weight.top, (product[0], product[1] - 0.4))
        aside = x + 1.65
        _way(ax, [h.right, (aside, h.right[1]), (aside, product[1]), (product[0] + 0.4, product[1])])
        arrow(ax, (product[0], product[1] + 0.4), mixed.bottom, RESULT, weight=float(distribution[i]))
    top = token(ax, right + 4.4, low + 7.2 + d_hidden, d_hidden, RESULT, values=_short(output))
    bottom = token(ax, right + 4.4, low + 7.2, d_hidden, QUERY, values=list(state))
    label(ax, (top.top[0], top.top[1] + 0.6), "$[a_t; s_t]$", size=13)
    label(ax, (bottom.bottom[0], bottom.y - 0.6), "to the output layer")
    arrow(ax, mixed.right, top.left, RESULT)
    aside = right + 7.6
    _way(ax, [own.left, (0.3, own.left[1]), (0.3, 0.5), (aside, 0.5), (aside, bottom.right[1]), bottom.right])
    label(ax, (mixed.left[0] - 0.3, mixed.top[1] - 0.6), "$a_t$", ha="right", size=13)
    for height, what in (
        (low + 2.5, "scores $e^t$: dot products"),
        (low + 7.8, "distribution $α^t$"),
    ):
        label(ax, (right - 1.2, height), what, ha="left")
    label(ax, (first - 0.8, low + 10.6), "weighted sum\nof the $h_i$", ha="right")
    return ax


def _short(numbers: Sequence[float]) -> list[str]:
    return [f"{number:.2f}" for number in numbers]


def _columns(symbols: Sequence[str], start: float) -> Iterator[tuple[int, float, str]]:
    """Return number from 1, left edge and symbol of each column."""
    for i, symbol in enumerate(symbols):
        yield i + 1, start + _APART * i, _visible(symbol)


def _box(ax: Axes, place: Place, text: str, opaque: bool = False) -> Place:
    """Draw a layer: a box with its name; what passes behind it is hidden if it is opaque."""
    look = {"facecolor": "#F5F5F5", "zorder": 2.5} if opaque else {"fill": False}
    ax.add_patch(Rectangle((place.x, place.y), place.width, place.height, edgecolor=INK, **look))
    label(ax, place.centre, text, color="black" if opaque else INK)
    return place


def _way(ax: Axes, corners: Sequence[tuple[float, float]]) -> None:
    """Draw a dashed way around something, with an arrow at its end."""
    xs, ys = zip(*corners[:-1], strict=True)
    ax.plot(xs, ys, color=INK, linewidth=1.3, linestyle="--", solid_capstyle="butt")
    look = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.3, "linestyle": "--", "shrinkA": 0, "shrinkB": 2}
    ax.annotate("", corners[-1], corners[-2], arrowprops=look | {"mutation_scale": 10})


def _middle(places: Sequence[Place]) -> float:
    return (places[0].centre[0] + places[-1].centre[0]) / 2


def _visible(symbol: str) -> str:
    return "␣" if symbol == " " else symbol
