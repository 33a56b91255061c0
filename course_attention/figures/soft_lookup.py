"""Drawings of attention: one query's way and several queries at once with their numbers, and two sequences."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from course_attention.figures.drawing import (
    KEY,
    PALE,
    QUERY,
    RESULT,
    TOKEN,
    VALUE,
    WEIGHT,
    Place,
    Role,
    arrow,
    canvas,
    label,
    matrix,
    token,
)

_LEFT, _STEP = 7.5, 2.3  # where the first key stands, and how far apart the keys are
_ROWS = {"score": 8.6, "weight": 5.8, "value": 3.6, "share": 1.4}  # lower edges, in cells


def one_query(
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    scores: np.ndarray,
    weights: np.ndarray,
    names: Sequence[str],
) -> Axes:
    """Draw the way of one query: its score with each key, the weights, the values, and their weighted sum.

    The weights have four decimals: with these, a pocket calculator finds the products that are written below them.

    Args:
        query: (d_key,).
        key: (n_keys, d_key).
        value: (n_keys,), a number for each key.
        scores, weights: (n_keys,).
        names: one for each key.

    Returns:
        The axes of the drawing.

    Example:
        >>> ax = one_query(np.ones(2), np.eye(2), np.array([4.0, 8.0]), np.ones(2), np.full(2, 0.5), ["a", "b"])
        >>> ax.texts[-1].get_text()
        '6.0'
    """
    d_key, n_keys = len(query), len(key)
    keys_at = _ROWS["score"] + 2.6
    ax = canvas(_LEFT + _STEP * n_keys + 2.2, keys_at + d_key + 1.6, cell=0.44)
    asked = token(ax, 1.6, keys_at, d_key, QUERY, "query", values=list(_short(query)))
    for i, name in enumerate(names):
        x = _LEFT + _STEP * i
        met = token(ax, x, keys_at, d_key, KEY, name, values=list(_short(key[i])))
        score = _number(ax, x, "score", WEIGHT, f"{scores[i]:.2f}", 0.0)
        weight = _number(ax, x, "weight", WEIGHT, f"{weights[i]:.4f}", float(weights[i]), size=7.5)
        given = _number(ax, x, "value", VALUE, f"{value[i]:g}")
        share = _number(ax, x, "share", RESULT, f"{weights[i] * value[i]:.2f}")
        arrow(ax, met.bottom, score.top)
        arrow(ax, score.bottom, weight.top)
        label(ax, ((weight.x + 0.5), (weight.y + given.y + 1) / 2), "×", size=13)
        label(ax, ((given.x + 0.5), (given.y + share.y + 1) / 2), "=", size=13)
        sign = "+" if i < n_keys - 1 else "="
        label(ax, (x + 0.5 + _STEP / 2, share.centre[1]), sign, size=13)
    label(ax, (asked.right[0] + 1.7, asked.centre[1]), "meets each key", size=10)
    total = _number(ax, _LEFT + _STEP * n_keys, "share", RESULT)
    label(ax, (total.centre[0], total.y - 0.3), "output", size=13, weight="bold", va="top")
    root = rf"query · key / $\sqrt{{{d_key}}}$"
    steps = {"score": f"score:\n{root}", "weight": "weight: softmax\nof the scores", "value": "value"}
    for row, text in (steps | {"share": "weight × value"}).items():
        label(ax, (_LEFT - 0.6, _ROWS[row] + 0.5), text, ha="right")
    label(ax, total.centre, f"{float(weights @ value):.1f}", size=9, color="black")
    return ax


def in_matrices(
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    scores: np.ndarray,
    weights: np.ndarray,
    names: Sequence[str],
) -> Axes:
    """Draw attention as a chain of matrices: Q Kᵀ, the division by √d_key, the softmax, and the product with V.

    The weights have three decimals, so that their product with V comes out with a pocket calculator.

    Args:
        query: (n_queries, d_key).
        key: (n_keys, d_key).
        value: (n_keys, d_value).
        scores: Q Kᵀ, not yet divided, (n_queries, n_keys).
        weights: (n_queries, n_keys).
        names: one for each key.

    Example:
        >>> one = np.ones((1, 1))
        >>> ax = in_matrices(one, one, one, one, one, ["a"])
        >>> ax.texts[0].get_text()
        '1'
    """
    (n_queries, d_key), (n_keys, d_value) = query.shape, value.shape
    tall = max(d_key, n_queries)
    upper, lower = n_keys + 4.4 + n_queries / 2, 1.2 + n_keys / 2
    width = 2 * n_keys + 2 * d_value + 11.5
    ax = canvas(width, upper + tall / 2 + 2.0, cell=0.4)

    def put(
        x: float, middle: float, numbers: np.ndarray, role: Role, name: str = "", decimals: int = 2, **look: Any
    ) -> Place:
        height = len(numbers)
        return matrix(ax, x, middle - height / 2, numbers.shape, role, name, values=_short(numbers, decimals), **look)

    def sign(x: float, middle: float, text: str) -> None:
        label(ax, (x, middle), text, size=15)

    faint = np.zeros_like(scores)
    q = put(1.4, upper, query, QUERY, "Q", rows="n_queries", columns="d_key")
    k = put(q.right[0] + 2.6, upper, key.T, KEY, rows="d_key", columns="n_keys")
    raw = put(k.right[0] + 2.6, upper, scores, WEIGHT, "Q Kᵀ", shades=faint, columns="n_keys")
    sign((q.right[0] + k.left[0]) / 2 - 0.4, upper, "×")
    sign((k.right[0] + raw.left[0]) / 2, upper, "=")
    for i, name in enumerate(names):
        label(ax, (k.x + i + 0.5, k.y + d_key + 0.4), name, size=9)
    label(ax, (k.centre[0], k.y + d_key + 1.2), "Kᵀ", size=13, weight="bold")
    scaled = put(1.4, lower, scores / np.sqrt(d_key), WEIGHT, "scores", shades=faint, columns="n_keys")
    w = put(
        scaled.right[0] + 3.4, lower, weights, WEIGHT, "weights", decimals=3, shades=weights, columns="n_keys", size=8
    )
    v = put(w.right[0] + 2.2, lower, value, VALUE, "V", columns="d_value")
    out = put(v.right[0] + 1.8, lower, weights @ value, RESULT, "output", columns="d_value")
    arrow(ax, (raw.centre[0], raw.y - 1.0), (scaled.centre[0] + 2, scaled.y + n_queries + 0.5))
    label(ax, (k.centre[0], raw.y - 1.7), r"divided by $\sqrt{d_{key}}$")
    arrow(ax, (scaled.right[0] + 0.3, lower), (w.left[0] - 0.3, lower), text="softmax")
    label(ax, ((scaled.right[0] + w.left[0]) / 2, lower - 0.5), "of each row", size=10)
    sign((w.right[0] + v.left[0]) / 2, lower, "×")
    sign((v.right[0] + out.left[0]) / 2, lower, "=")
    return ax


def two_sequences(
    n_queries: int = 2, n_keys: int = 4, d_model: int = 4, d_context: int = 3, d_key: int = 2, d_value: int = 3
) -> Axes:
    """Draw cross-attention: x becomes the queries, and the context becomes both the keys and the values.

    Args:
        n_queries, n_keys: how many tokens x and the context have.
        d_model, d_context: how many numbers one of their tokens has.
        d_key, d_value: how many numbers a key and a value have.

    Example:
        >>> ax = two_sequences()
        >>> [text.get_text() for text in ax.texts if text.get_text() in ("x", "context", "Q", "K", "V", "output")]
        ['x', 'context', 'Q', 'K', 'V', 'output']
    """
    step = n_keys + 2.6
    low, middle = 1.1 + n_keys / 2, 1.1 + n_keys / 2 + step
    high = middle + (n_keys + n_queries) / 2 + 2.6
    lefts = np.cumsum([1.4, max(d_model, d_context) + 3.4, max(d_key, d_value) + 4.2, n_keys + 4.0])
    ax = canvas(lefts[-1] + d_value + 0.6, high + n_queries / 2 + 1.4, cell=0.34)

    def put(
        column: int, centre: float, shape: tuple[int, int], role: Role, name: str, columns: str, rows: str = ""
    ) -> Place:
        return matrix(ax, lefts[column], centre - shape[0] / 2, shape, role, name, rows, columns)

    x = put(0, high, (n_queries, d_model), TOKEN, "x", "d_model", "n_queries")
    context = put(0, (low + middle) / 2, (n_keys, d_context), TOKEN, "context", "d_context", "n_keys")
    query = put(1, high, (n_queries, d_key), QUERY, "Q", "d_key")
    key = put(1, middle, (n_keys, d_key), KEY, "K", "d_key")
    value = put(1, low, (n_keys, d_value), VALUE, "V", "d_value")
    shape = n_queries, n_keys
    at = lefts[2], (high + middle - n_queries) / 2
    weights = matrix(ax, *at, shape, WEIGHT, rows="n_queries", columns="n_keys", shades=np.full(shape, PALE))
    label(ax, (weights.top[0], weights.top[1] + 0.3), "weights", va="bottom", size=13, weight="bold")
    output = put(3, (weights.centre[1] + low) / 2, (n_queries, d_value), RESULT, "output", "d_value")
    projected = ((x, query, QUERY, "Q"), (context, key, KEY, "K"), (context, value, VALUE, "V"))
    for start, end, role, name in projected:
        begin, at = (start.right[0] + 0.1, start.right[1]), (end.left[0] - 0.1, end.left[1])
        arrow(ax, begin, at, role)
        beside = 0.5 if at[1] == begin[1] else 0.9 if at[1] > begin[1] else -0.9
        label(ax, ((begin[0] + at[0]) / 2, (begin[1] + at[1]) / 2 + beside), f"$W_{name}$", size=13)
    for start, up, of in ((query, 0.5, QUERY), (key, -0.5, KEY)):  # they stop at the name of the rows
        arrow(ax, start.right, (weights.left[0] - 1.4, weights.left[1] + up), of)
    arrow(ax, weights.right, (output.left[0] - 0.1, output.left[1] + 0.5))
    arrow(ax, value.right, (output.left[0] - 0.1, output.left[1] - 0.5), VALUE)
    return ax


def _number(ax: Axes, x: float, row: str, role: Role, text: str = "", shade: float = 1.0, size: float = 9) -> Place:
    values, shades = np.array([[text]], dtype=object), np.array([[shade]])
    return matrix(ax, x, _ROWS[row], (1, 1), role, values=values if text else None, shades=shades, size=size)


def _short(numbers: np.ndarray, decimals: int = 2) -> np.ndarray:
    """Numbers as short texts: whole ones without decimals, those from 10 on with one, others with `decimals`."""

    def text(number: float) -> str:
        places = 0 if float(number).is_integer() else decimals if abs(number) < 10 else 1
        return f"{number + 0.0:.{places}f}" if places else f"{number:g}"

    return np.vectorize(text, otypes=[object])(numbers)
