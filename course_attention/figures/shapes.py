"""Products of matrices with their sizes: which of them fit, and which ones do not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from course_attention.figures import style
from course_attention.figures.drawing import RESULT, TOKEN, Role, canvas, label, matrix

LEARNED = Role("", "#FFFFFF")
GAP = 2.4  # cells between two matrices


@dataclass(frozen=True)
class Product:
    """Two matrices that somebody multiplies.

    Attributes:
        names: of both, as in ("X", "W").
        left: rows and columns of the first.
        right: rows and columns of the second.
    """

    names: tuple[str, str]
    left: tuple[int, int]
    right: tuple[int, int]

    @property
    def fits(self) -> bool:
        """Whether the first has as many columns as the second has rows."""
        return self.left[1] == self.right[0]


def products(rows: Mapping[str, Sequence[Product]]) -> Axes:
    """Draw products in rows, each row under its title: the result where the sizes fit, else the two that differ.

    Example:
        >>> ax = products({"two sizes": [Product(("X", "W"), (3, 4), (4, 2)), Product(("X", "Wᵀ"), (3, 4), (2, 4))]})
        >>> [text.get_text() for text in ax.texts if "≠" in text.get_text()]
        ['4 ≠ 2']
    """
    wide = max(sum(_width(product) + GAP for product in row) for row in rows.values())
    heights = [max(max(p.left[0], p.right[0]) for p in row) + 4.6 for row in rows.values()]
    ax = canvas(wide, sum(heights), cell=0.33)
    top = sum(heights)
    for (title, row), height in zip(rows.items(), heights, strict=True):
        label(ax, (0.4, top - 0.7), title, size=12, ha="left", weight="bold")
        middle, x = top - height / 2 - 0.5, 0.8
        for product in row:
            _draw(ax, product, x, middle)
            x += _width(product) + GAP
        top -= height
    return ax


def _width(product: Product) -> float:
    return product.left[1] + 2 * product.right[1] + 2 * GAP


def _draw(ax: Axes, product: Product, x: float, middle: float) -> None:
    shapes = [product.left, product.right, (product.left[0], product.right[1])]
    roles, names = (TOKEN, LEARNED, RESULT), (*product.names, "")
    for shape, role, name, sign in zip(shapes, roles, names, ("·", "=" if product.fits else "", ""), strict=True):
        if role is RESULT and not product.fits:
            words = f"{product.left[1]} ≠ {product.right[0]}"
            label(ax, (x + 1.0, middle + 0.5), "does not fit:", size=10, color=style.LEAK)
            label(ax, (x + 1.0, middle - 0.5), words, size=13, color=style.LEAK, weight="bold")
            return
        place = matrix(ax, x, middle - shape[0] / 2, shape, role, name=name, columns=f"{shape[0]} × {shape[1]}")
        label(ax, (place.right[0] + GAP / 2, middle), sign, size=15)
        x += shape[1] + GAP
