"""The visual language of the drawings: the same things look the same in every notebook.

A token is a column of cells, one cell for each number of its vector. Queries, keys and values each have a colour, and
a letter and a hatch as well, so that they can be told apart in greyscale. The background is transparent, and lines and
words have a grey that can be read on a white page and on a dark one.

Every primitive draws on axes from `canvas` and returns the `Place` that it takes up, between which `arrow` runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle

INK = "#787878"  # has the same contrast, 4.3 to 1, on white and on JupyterLab's dark page (#111)
PALE = 0.25  # the shade of what is there, beside what is at work


@dataclass(frozen=True)
class Role:
    """How one kind of vector looks.

    Attributes:
        letter: the letter that names its vectors, as in q₁; "" for vectors whose names are their own.
        fill: the colour of its cells.
        hatch: the pattern of its cells, which greyscale keeps.
    """

    letter: str
    fill: str
    hatch: str = ""


QUERY = Role("q", "#0072B2")
KEY = Role("k", "#E69F00", "//")
VALUE = Role("v", "#2DB489", "..")
TOKEN = Role("", "#C9CED6")  # an embedding, a state: whatever is neither query, key nor value
RESULT = Role("", "#B79AD8", "\\\\")  # what attention puts out
WEIGHT = Role("", "#5B4636")  # scores and weights: numbers between two tokens


@dataclass(frozen=True)
class Place:
    """The rectangle that something takes up, in the units of the axes: a cell has side 1.

    Example:
        >>> Place(0, 0, 1, 4).top
        (0.5, 4)
    """

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        """The point in the middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def top(self) -> tuple[float, float]:
        """The middle of the upper edge."""
        return self.centre[0], self.y + self.height

    @property
    def bottom(self) -> tuple[float, float]:
        """The middle of the lower edge."""
        return self.centre[0], self.y

    @property
    def left(self) -> tuple[float, float]:
        """The middle of the left edge."""
        return self.x, self.centre[1]

    @property
    def right(self) -> tuple[float, float]:
        """The middle of the right edge."""
        return self.x + self.width, self.centre[1]


def canvas(width: float, height: float, cell: float = 0.34) -> Axes:
    """Make empty axes for a drawing, transparent and without ticks.

    Args:
        width: in cells, counted from 0 at the left.
        height: in cells, counted from 0 at the bottom.
        cell: side of a cell in inches.

    Example:
        >>> ax = canvas(10, 4)
        >>> ax.get_xlim(), ax.get_ylim()
        ((np.float64(0.0), np.float64(10.0)), (np.float64(0.0), np.float64(4.0)))
    """
    figure = plt.figure(figsize=(width * cell, height * cell), facecolor="none")
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, width), ylim=(0, height), aspect="equal")
    ax.axis("off")
    return ax


def token(
    ax: Axes,
    x: float,
    y: float,
    n_cells: int = 4,
    role: Role = TOKEN,
    name: str = "",
    word: str = "",
    values: Sequence[object] | None = None,
) -> Place:
    """Draw a token's vector as a column of cells.

    Args:
        ax: axes from `canvas`.
        x: left edge.
        y: lower edge.
        n_cells: how many cells the column has.
        role: what kind of vector it is.
        name: written above it, such as "$q_1$".
        word: the token itself, written below it.
        values: what is written in the cells, from top to bottom; nothing unless given.

    Returns:
        Its place, without name and word.
    """
    grid = None if values is None else np.asarray(values, dtype=object)[:, None]
    place = matrix(ax, x, y, (n_cells, 1), role, values=grid)
    label(ax, (place.top[0], place.top[1] + 0.2), name, va="bottom", size=13)
    label(ax, (place.bottom[0], place.bottom[1] - 0.25), word, va="top")
    return place


def matrix(
    ax: Axes,
    x: float,
    y: float,
    shape: tuple[int, int],
    role: Role = TOKEN,
    name: str = "",
    rows: str = "",
    columns: str = "",
    values: np.ndarray | None = None,
    shades: np.ndarray | None = None,
    size: float = 9,
) -> Place:
    """Draw a matrix as cells, with its name above and the names of its axes beside it.

    Args:
        ax: axes from `canvas`.
        x: left edge.
        y: lower edge.
        shape: number of rows and columns.
        role: what its cells hold.
        name: written above it.
        rows: the axis that counts the rows, written at the left.
        columns: the axis that counts the columns, written below.
        values: what is written in the cells, of this shape; nothing unless given.
        shades: how much of its colour each cell has, 0 to 1, of this shape: weights, for example.
        size: of what is written in the cells, in points.

    Returns:
        Its place, without the names.

    Raises:
        ValueError: values or shades do not have this shape.
    """
    for what, given in (("values", values), ("shades", shades)):
        if given is not None and np.shape(given) != shape:
            raise ValueError(f"{what} must have the shape of the matrix, {shape}; got {np.shape(given)}")
    place = Place(x, y, shape[1], shape[0])
    for row, column in np.ndindex(shape):
        corner = (x + column, y + shape[0] - 1 - row)
        fill = shade(role.fill, 1.0 if shades is None else float(shades[row, column]))
        # The hatch has the edge's colour, so the edge is drawn apart.
        hatch = Rectangle(corner, 1, 1, facecolor=fill, hatch=role.hatch, edgecolor="#00000040", linewidth=0)
        ax.add_patch(hatch)
        ax.add_patch(Rectangle(corner, 1, 1, fill=False, edgecolor=INK, linewidth=1))
        if values is not None:
            back = {
                "facecolor": fill,
                "edgecolor": "none",
                "pad": 1.2,
            }  # keeps the hatch away from the digits
            middle = (corner[0] + 0.5, corner[1] + 0.5)
            label(ax, middle, str(values[row, column]), size=size, color=ink_on(fill), bbox=back)
    label(ax, (place.top[0], place.top[1] + 0.2), name, va="bottom", size=13, weight="bold")
    label(ax, (place.bottom[0], place.bottom[1] - 0.2), columns, va="top")
    label(ax, (place.left[0] - 0.2, place.left[1]), rows, ha="right", rotation=90)
    return place


def arrow(
    ax: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    role: Role | None = None,
    weight: float | None = None,
    text: str = "",
    bend: float = 0.0,
) -> None:
    """Draw an arrow between two points, as in `arrow(ax, query.top, score.bottom)`.

    Args:
        ax: axes from `canvas`.
        start: where it begins.
        end: where it points.
        role: whose colour it has; grey unless given.
        weight: 0 to 1, how much goes this way, which makes it thick; a plain line unless given.
        text: written above its middle, or at the right of an arrow that is steep.
        bend: how far it curves, 0 for straight.
    """
    width = 1.3 if weight is None else 0.5 + 5 * weight
    look = {"arrowstyle": "-|>", "color": INK if role is None else role.fill, "linewidth": width}
    look |= {"connectionstyle": f"arc3,rad={bend}", "shrinkA": 2, "shrinkB": 2, "mutation_scale": 9 + width}
    ax.annotate("", end, start, arrowprops=look)
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    across = abs(end[0] - start[0]) > abs(end[1] - start[1])
    beside: dict[str, Any] = {"va": "bottom"} if across else {"ha": "left"}
    label(ax, (middle[0] + 0.2 * (not across), middle[1] + 0.15 * across), text, **beside)


def label(ax: Axes, at: tuple[float, float], text: str, size: float = 11, **more: Any) -> None:
    """Write words that can be read on a white page and on a dark one; `more` goes to `Axes.text`."""
    if text:
        look: dict[str, Any] = {"ha": "center", "va": "center", "color": INK, "fontsize": size}
        ax.text(*at, text, **(look | more))


def shade(colour: str, share: float) -> tuple[float, float, float]:
    """Between a pale grey, 0, and the colour itself, 1: opaque, so that it looks the same on every page."""
    red, green, blue = ((1 - share) * 0.96 + share * part for part in to_rgb(colour))
    return red, green, blue


def luminance(colour: tuple[float, float, float]) -> float:
    """Relative luminance, 0 to 1 (WCAG 2.2): black words are easier to read than white ones above 0.18."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


def ink_on(colour: tuple[float, float, float]) -> str:
    """Black or white, whichever can be read better on a cell of this colour: at least 4.5 to 1.

    Example:
        >>> ink_on((1.0, 0.9, 0.6)), ink_on((0.2, 0.1, 0.4))
        ('black', 'white')
    """
    return "white" if luminance(colour) < 0.18 else "black"
