"""A drawing of attention in three steps for one word: scores, weights, and the weighted sum of vectors."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_attention.figures.drawing import INK, RESULT, TOKEN, WEIGHT, arrow, canvas, label, matrix, token

_LEFT, _STEP = 6.4, 2.2  # where the first word is, and how far apart the words are


def three_steps(
    words: Sequence[str],
    scores: np.ndarray,
    weights: np.ndarray,
    vectors: np.ndarray,
    moves: str,
) -> Axes:
    """Draw a column for each word, with its score, its weight and its vector, and below them the weighted sum.

    Args:
        words: the sentence.
        scores, weights: (n_words,).
        vectors: (n_words, n_numbers).
        moves: the word that looks, whose new vector the sum is.

    Returns:
        The axes of the drawing. An arrow is as thick as its weight is large.

    Example:
        >>> ax = three_steps(["bank", "river"], np.zeros(2), np.array([0.25, 0.75]), np.eye(2), moves="bank")
        >>> [text.get_text() for text in ax.texts if text.get_text() in ("0.250", "0.750")]
        ['0.250', '0.750', '0.250', '0.750']
    """
    n_numbers = vectors.shape[1]
    sum_at, vectors_at = 0.6, n_numbers + 3.4
    weights_at = vectors_at + n_numbers + 1.2
    softmax_at = weights_at + 2.1
    scores_at = softmax_at + 2.1
    ax = canvas(_LEFT + _STEP * len(words) + 0.4, scores_at + 2.6, cell=0.42)  # a cell has room for three decimals
    middle = _LEFT + _STEP * (len(words) - 1) / 2
    total = token(ax, middle, sum_at, n_numbers, RESULT, values=[f"{number:.3f}" for number in weights @ vectors])
    wide = _STEP * (len(words) - 1) + 1
    ax.add_patch(Rectangle((_LEFT, softmax_at), wide, 1, fill=False, edgecolor=INK))  # it sees all scores at once
    label(ax, (_LEFT + wide / 2, softmax_at + 0.5), "softmax")
    for i, word in enumerate(words):
        x = _LEFT + _STEP * i
        label(ax, (x + 0.5, scores_at + 1.6), word, weight="bold" if word == moves else "normal")
        score = matrix(ax, x, scores_at, (1, 1), WEIGHT, values=_cell(f"{scores[i]:g}"), shades=np.zeros((1, 1)))
        weight = matrix(ax, x, weights_at, (1, 1), WEIGHT, values=_cell(f"{weights[i]:.3f}"), shades=weights[[[i]]])
        arrow(ax, score.bottom, (x + 0.5, softmax_at + 1))
        arrow(ax, (x + 0.5, softmax_at), weight.top)
        vector = token(ax, x, vectors_at, n_numbers, TOKEN, values=[f"{number:g}" for number in vectors[i]])
        label(ax, (x + 0.5, (weight.y + vector.top[1]) / 2), "×", size=13)
        arrow(ax, vector.bottom, total.top, weight=float(weights[i]))
    for height, text in (
        (scores_at + 0.5, "1. score"),
        (weights_at + 0.5, "2. weight"),
        (vectors_at + n_numbers / 2, "vector of the word"),
        (sum_at + n_numbers / 2, f"3. weighted sum: the\nnew vector of “{moves}”"),
    ):
        label(ax, (_LEFT - 0.6, height), text, ha="right")
    return ax


def _cell(text: str) -> np.ndarray:
    return np.array([[text]], dtype=object)
