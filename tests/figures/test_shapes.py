"""Products are drawn with as many cells as their matrices have, and with a result only where the sizes fit."""

from __future__ import annotations

from course_attention.figures.shapes import Product, products


def _cells_and_words(*row: Product) -> tuple[int, list[str]]:
    ax = products({"sizes": row})
    return len({patch.get_xy() for patch in ax.patches}), [text.get_text() for text in ax.texts]


def test_a_product_that_fits() -> None:
    """Both matrices and the result, each with its size."""
    cells, words = _cells_and_words(Product(("X", "W"), (3, 4), (4, 2)))
    assert cells == 3 * 4 + 4 * 2 + 3 * 2
    assert {"X", "W", "3 × 4", "4 × 2", "3 × 2"} <= set(words)


def test_a_product_that_does_not_fit() -> None:
    """Both matrices, and the two sizes that differ in place of a result."""
    cells, words = _cells_and_words(Product(("X", "V"), (3, 4), (2, 4)))
    assert cells == 3 * 4 + 2 * 4
    assert {"does not fit:", "4 ≠ 2"} <= set(words)


def test_products_do_not_overlap() -> None:
    """Two products side by side share no cell and stay on the page."""
    one, other = Product(("X", "W"), (3, 3), (3, 3)), Product(("X", "V"), (3, 4), (4, 2))
    cells, _ = _cells_and_words(one, other)
    assert cells == 27 + 26
    ax = products({"sizes": [one, other]})
    assert max(patch.get_x() + 1 for patch in ax.patches) <= ax.get_xlim()[1]
