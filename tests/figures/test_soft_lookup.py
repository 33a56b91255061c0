"""The drawings of attention show the numbers that were computed."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

import numpy as np

from course_attention.figures.soft_lookup import in_matrices, one_query, two_sequences

QUERY, KEY = np.array([[0.0, 2.0], [1.0, 1.0]]), np.array([[0.0, 2.0], [1.0, 0.0], [0.5, -1.0]])
VALUE = np.array([[12.0], [24.0], [50.0]])
SCORES = QUERY @ KEY.T
WEIGHTS = np.exp(SCORES / np.sqrt(2)) / np.exp(SCORES / np.sqrt(2)).sum(1, keepdims=True)


def words(ax) -> list[str]:
    return [text.get_text() for text in ax.texts]


def test_one_query():
    """Scores, weights, values, their products and the sum stand in the drawing, and each person's name."""
    ax = one_query(QUERY[0], KEY, VALUE[:, 0], SCORES[0] / np.sqrt(2), WEIGHTS[0], ["Ana", "Ben", "Cleo"])
    shown = words(ax)
    assert {"Ana", "Ben", "Cleo"} <= set(shown)
    assert {f"{score:.2f}" for score in SCORES[0] / np.sqrt(2)} <= set(shown)
    assert {f"{weight:.4f}" for weight in WEIGHTS[0]} <= set(shown)
    assert {f"{share:.2f}" for share in WEIGHTS[0] * VALUE[:, 0]} <= set(shown)
    assert f"{(WEIGHTS[0] @ VALUE)[0]:.1f}" in shown


def as_a_student(number: float, decimals: int) -> str:
    """Round as at school, halves away from 0."""
    return str(Decimal(str(round(number, 9))).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))


def test_the_notebooks_numbers_multiply_out():
    """Who multiplies the printed weights of notebook 02 by the printed values finds the printed products and sums."""
    key = np.array([[2, 0], [0, 2], [0.5, 1.5], [1, -1], [-1, 0.5]])
    value, people = np.array([5.0, 12, 24, 50, 30]), ["Ana", "Ben", "Cleo", "Dev", "Eve"]
    products = np.array([[0.0, 2], [2, 0]]) @ key.T
    exponentials = np.exp(products / np.sqrt(2))
    weights = exponentials / exponentials.sum(axis=1, keepdims=True)
    shown = words(one_query(np.array([0.0, 2]), key, value, products[0] / np.sqrt(2), weights[0], people))
    printed = [float(f"{weight:.4f}") for weight in weights[0]]
    shares = [as_a_student(weight * v, 2) for weight, v in zip(printed, value, strict=True)]
    assert set(shares) <= set(shown) and as_a_student(sum(map(float, shares)), 1) in shown
    shown = words(in_matrices(np.array([[0.0, 2], [2, 0]]), key, value[:, None], products, weights, people))
    for row in weights:
        printed = [float(f"{weight:.3f}") for weight in row]
        assert {f"{weight:.3f}" for weight in row} <= set(shown)
        assert as_a_student(float(np.dot(printed, value)), 1) in shown


def test_in_matrices():
    """All six matrices are drawn, each with as many cells as it has numbers, and the steps between them are named."""
    ax = in_matrices(QUERY, KEY, VALUE, SCORES, WEIGHTS, ["Ana", "Ben", "Cleo"])
    shown = words(ax)
    assert {"Q", "Kᵀ", "Q Kᵀ", "scores", "weights", "V", "output", "softmax"} <= set(shown)
    assert any("sqrt" in word for word in shown)
    n_cells = sum(part.size for part in (QUERY, KEY, SCORES, SCORES, WEIGHTS, VALUE)) + 2
    assert len(ax.patches) >= 2 * n_cells  # a filled cell and its frame
    assert all(f"{weight:.3f}" in shown for weight in WEIGHTS.flat)


def test_two_sequences():
    """The drawing of cross-attention names both sequences, the three matrices, and the axes that may differ."""
    shown = words(two_sequences())
    assert {"x", "context", "$W_Q$", "$W_K$", "$W_V$", "Q", "K", "V", "weights", "output"} <= set(shown)
    assert shown.count("n_queries") == 2 and shown.count("d_key") == 2 and shown.count("d_value") == 2
