"""Each drawing shows every state under its name, what is read and what is written, and the numbers it was given."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.lines import Line2D

from course_attention.figures.seq2seq import attention_step, decoder_steps, encoder_decoder, unrolled_rnn


def words(ax: Axes) -> list[str]:
    return [text.get_text() for text in ax.texts]


def ways(ax: Axes) -> list[Line2D]:
    return [line for line in ax.lines if line.get_linestyle() == "--"]


def test_unrolled():
    """A state for each token and the one before; a space is made visible; every step has the same two matrices."""
    shown = words(unrolled_rnn("a c"))
    assert {"$h_{0}$", "$h_{1}$", "$h_{2}$", "$h_{3}$", "$x_{3}$", "a", "␣", "c"} <= set(shown)
    assert (shown.count("$W$"), shown.count("$U$")) == (3, 3)


def test_feedback():
    """What is written stands above its state and below the next; the last symbol is not read again."""
    ax = encoder_decoder("a c", "AB")
    shown = words(ax)
    assert {"$h_{3}$", "$s_{1}$", "$s_{2}$", "one vector", "output layer"} <= set(shown)
    assert (shown.count("▷"), shown.count("A"), shown.count("B")) == (1, 2, 1)
    assert len(ax.lines) == 1  # one dotted way back for two symbols


def test_frames():
    """A frame for each symbol, whose weights are darker where they are larger."""
    ax = decoder_steps("abc", "AB", np.array([[0.1, 0.7, 0.2], [0.9, 0.1, 0.0]]))
    assert {"step 1", "step 2", "$α^{1}$", "$a_{2}$", "$s_{2}$"} <= set(words(ax))
    cells = [p for p in ax.patches if p.get_y() == 4.4 and p.get_fill()]
    lightness = [sum(to_rgb(cell.get_facecolor())) for cell in cells]
    assert np.argsort(lightness).tolist() == [3, 1, 2, 0, 4, 5]
    assert len(ways(ax)) == 2  # in each frame, one leads from the encoder's states to the output


def test_numbers():
    """Scores, weights and the output stand in the drawing; the thickest arrow comes from the largest weight."""
    ax = attention_step(np.eye(2), np.array([2, 1]), [2, 1], [0.73, 0.27], [0.73, 0.27])
    assert words(ax).count("0.73") == 3  # its weight, and twice in the output
    assert {"$s_t$", "$h_{1}$", "$h_{2}$", "softmax", "$a_t$", "$[a_t; s_t]$"} <= set(words(ax))
    widths = [arrow.arrow_patch.get_linewidth() for arrow in ax.texts if hasattr(arrow, "arrow_patch")]
    assert max(widths) > 0.5 + 5 * 0.7
    starts = {line.get_xdata()[0] for line in ways(ax)}
    assert starts == {0.8, 5.6, 8.8}  # the edges of s_t, which the output layer reads too, and of h_1 and h_2
    plt.close("all")
