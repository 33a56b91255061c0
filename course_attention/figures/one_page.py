"""Self-attention on one page: every matrix of the layer with its numbers, so that a row can be followed by hand."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures.drawing import KEY, QUERY, RESULT, TOKEN, VALUE, WEIGHT, arrow, canvas, label, matrix


def one_page(
    x: np.ndarray,
    matrices: Sequence[np.ndarray],
    projected: Sequence[np.ndarray],
    scores: np.ndarray,
    weights: np.ndarray,
    output: np.ndarray,
    words: Sequence[str],
) -> Axes:
    """Draw X, times the three matrices, as Q, K and V, then the scores, the weights and the output.

    Args:
        x: `(n_tokens, d_model)`.
        matrices: W_Q and W_K, `(d_model, d_key)`, and W_V, `(d_model, d_value)`.
        projected: Q and K, `(n_tokens, d_key)`, and V, `(n_tokens, d_value)`.
        scores: Q Kᵀ / √d_key, `(n_tokens, n_tokens)`.
        weights: their softmax, `(n_tokens, n_tokens)`.
        output: `(n_tokens, d_value)`.
        words: one for each token.

    Example:
        >>> ax = one_page(np.eye(2), [np.eye(2)] * 3, [np.eye(2)] * 3, *[np.eye(2)] * 3, words=["bank", "river"])
        >>> [text.get_text() for text in ax.texts if text.get_text() in ("X", "Q", "K", "V")]
        ['X', 'Q', 'K', 'V']
    """
    n, d_model = x.shape
    step = max(n, d_model) + 2.6
    wide = max(one.shape[1] for one in projected)
    lefts = np.cumsum([4.2, d_model + 2.4, wide + 2.0, wide + 3.0, n + 3.0, n + 2.2])
    ax = canvas(lefts[-1] + output.shape[1] + 0.6, 3 * step + 0.2, cell=0.34)
    centres = [1.1 + n / 2 + (2 - row) * step for row in range(3)]
    tokens = matrix(ax, lefts[0], centres[1] - n / 2, x.shape, TOKEN, "X", values=_numbers(x))
    _name_rows(ax, tokens.x, tokens.y + n, words)
    made = []
    for name, role, weight, rows, centre in zip("QKV", (QUERY, KEY, VALUE), matrices, projected, centres, strict=True):
        at = lefts[1], centre - d_model / 2
        times = matrix(ax, *at, weight.shape, TOKEN, f"$W_{name}$", values=_numbers(weight))
        arrow(ax, tokens.right, (times.left[0] - 0.2, times.left[1]), role)
        label(ax, (times.right[0] + 1.0, centre), "=", size=14)
        made.append(matrix(ax, lefts[2], centre - n / 2, rows.shape, role, name, values=_numbers(rows)))
    query, key, value = made
    middle = (centres[0] + centres[1]) / 2
    found = matrix(ax, lefts[3], middle - n / 2, scores.shape, WEIGHT, values=_numbers(scores), shades=0 * scores)
    label(ax, (found.top[0], found.top[1] + 0.3), r"scores: $QK^\top/\sqrt{d_{key}}$", va="bottom")
    shares = matrix(ax, lefts[4], middle - n / 2, weights.shape, WEIGHT, values=_numbers(weights), shades=weights)
    label(ax, (shares.top[0], shares.top[1] + 0.3), "weights", va="bottom", size=13, weight="bold")
    result = matrix(ax, lefts[5], centres[1] - n / 2, output.shape, RESULT, "output", values=_numbers(output))
    arrow(ax, query.right, (found.left[0], found.left[1] + 0.8), QUERY)
    arrow(ax, key.right, (found.left[0], found.left[1] - 0.8), KEY)
    arrow(ax, found.right, shares.left, text="softmax")
    arrow(ax, shares.right, (result.left[0], result.left[1] + 0.8))
    arrow(ax, value.right, (result.left[0], result.left[1] - 0.8), VALUE)
    return ax


def _name_rows(ax: Axes, right: float, top: float, words: Sequence[str]) -> None:
    for row, word in enumerate(words):
        label(ax, (right - 0.25, top - row - 0.5), word, ha="right")


def _numbers(values: np.ndarray) -> np.ndarray:
    """Short texts: at most two decimals, without a leading zero."""
    texts = [f"{number + 0.0:.2f}".rstrip("0").rstrip(".") for number in np.ravel(values)]
    return np.array([text.replace("0.", ".", 1) if text[:2] == "0." else text for text in texts]).reshape(values.shape)
