"""A matrix as a picture: a shade for each number, and the number in it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from course_attention.grading.views.matrices import Matrix

# The ends of the scale. Brightness alone tells the shades apart, so that it works in greyscale and on paper.
LIGHT, DARK = (253, 250, 238), (0, 44, 95)
_CHARACTER, _HEIGHT, _INDEX = 8, 28, 22  # pixels: a character's width, a cell's height, an index's width


@dataclass(frozen=True)
class Cell:
    """A cell of a picture. `hatched`: it holds no finite number. `first`: the first difference is here."""

    x: int
    y: int
    text: str
    ground: str
    ink: str
    hatched: bool
    first: bool


@dataclass(frozen=True)
class HeatMap:
    """A picture of a matrix, with all that is drawn in pixels.

    Attributes:
        name, about: as the matrix's.
        read_aloud: all of it in words.
        width, height: of the picture; `cell` and `line` of one cell.
        cells: with their numbers.
        indices: (x, y, text) of the numbers along its sides.
    """

    name: str
    about: str
    read_aloud: str
    width: int
    height: int
    cell: int
    line: int
    cells: list[Cell]
    indices: list[tuple[int, int, int]]


def heat_map(matrix: Matrix, scale: tuple[float, float]) -> HeatMap:
    """Draw a matrix; `scale` is the lowest and the highest number, which may be those of several matrices."""
    width = max((len(text) for row in matrix.texts for text in row), default=1) * _CHARACTER + 16
    left = 1 if matrix.rows is None else _INDEX
    cells = [
        _cell(matrix, i, j, left + j * width, _INDEX + i * _HEIGHT, scale)
        for i, row in enumerate(matrix.texts)
        for j in range(len(row))
    ]
    above = [(left + j * width + width // 2, _INDEX - 7, index) for j, index in enumerate(matrix.columns)]
    beside = [(left // 2, _INDEX + i * _HEIGHT + 19, index) for i, index in enumerate(matrix.rows or ())]
    return HeatMap(
        name=matrix.name,
        about=matrix.about,
        read_aloud=f"{matrix.name}, {matrix.about}. {_rows_aloud(matrix)}",
        width=left + len(matrix.columns) * width + 1,
        height=_INDEX + len(matrix.texts) * _HEIGHT + 1,
        cell=width,
        line=_HEIGHT,
        cells=cells,
        indices=above + beside,
    )


def scale_of(several: Sequence[Matrix]) -> tuple[float, float]:
    """The lowest and the highest finite number of all the matrices."""
    numbers = [n for matrix in several for row in matrix.values for n in row if math.isfinite(n)]
    return (min(numbers), max(numbers)) if numbers else (0.0, 0.0)


def shade(share: float) -> tuple[str, str]:
    """The ground for a share of the scale, 0 to 1, and the ink, black or white, that is read best on it.

    Example:
        >>> shade(0.0), shade(1.0)
        (('#fdfaee', '#000000'), ('#002c5f', '#ffffff'))
    """
    ground = [round(light + (dark - light) * share) for light, dark in zip(LIGHT, DARK, strict=True)]
    # Halfway in contrast between black and white, by WCAG's measure: (L + 0.05)² = 1.05 · 0.05.
    ink = "#000000" if _luminance(ground) > math.sqrt(1.05 * 0.05) - 0.05 else "#ffffff"
    return "#" + "".join(f"{channel:02x}" for channel in ground), ink


def _cell(matrix: Matrix, i: int, j: int, x: int, y: int, scale: tuple[float, float]) -> Cell:
    value, (low, high) = matrix.values[i][j], scale
    finite = math.isfinite(value)
    share = min(max((value - low) / (high - low), 0.0), 1.0) if finite and high > low else 0.0
    return Cell(x, y, matrix.texts[i][j], *shade(share), not finite, matrix.first == (i, j))


def _luminance(colour: Sequence[int]) -> float:
    """Relative luminance of an sRGB colour, as WCAG defines it."""
    channels = (c / 255 for c in colour)
    linear = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _rows_aloud(matrix: Matrix) -> str:
    if matrix.rows is None:
        return "Entries: " + ", ".join(matrix.texts[0]) + "."
    rows = zip(matrix.rows, matrix.texts, strict=True)
    return " ".join(f"Row {index}: {', '.join(texts)}." for index, texts in rows)
