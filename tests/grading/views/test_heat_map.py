"""Pictures of matrices can be read: in greyscale, at any shade, and aloud."""

from __future__ import annotations

import itertools

from course_attention.grading.views.heat_map import heat_map, scale_of, shade
from course_attention.grading.views.matrices import matrices


def brightness(colour: str) -> float:
    """Relative luminance, WCAG 2.2."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_shades() -> None:
    """They grow darker with the number, and the number is read on each with a contrast of 4.5."""
    shades = [shade(i / 200) for i in range(201)]
    assert all(brightness(a[0]) > brightness(b[0]) for a, b in itertools.pairwise(shades[::2]))
    for ground, ink in shades:
        high, low = sorted([brightness(ground), brightness(ink)], reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5


def test_one_scale_for_both() -> None:
    """The same number has the same shade in both pictures; what is no finite number is hatched."""
    several = [m for values in ([[1.0, 3.0]], [["nan", 1.0, "inf", 9.0]]) for m in matrices("x", values)]
    left, right = (heat_map(matrix, scale_of(several)) for matrix in several)
    assert left.cells[0].ground == right.cells[1].ground == shade(0.0)[0]
    assert right.cells[3].ground == shade(1.0)[0]
    assert [cell.hatched for cell in right.cells] == [True, False, True, False]


def test_read_aloud() -> None:
    """All that is drawn is said; nothing is drawn outside of the picture."""
    (matrix,) = matrices("received weights", [[0.5, 0.25], [1.0, "nan"]], where=[1, 1])
    drawn = heat_map(matrix, (0.0, 1.0))
    assert drawn.read_aloud == "received weights, 2 × 2. Row 0: 0.50, 0.25. Row 1: 1.00, nan."
    assert [cell.first for cell in drawn.cells] == [False, False, False, True]
    assert all(
        cell.x + drawn.cell <= drawn.width and cell.y + drawn.line <= drawn.height for cell in drawn.cells
    )


def test_scale_of_nothing() -> None:
    """Matrices without a finite number, or with one alone, are drawn all the same."""
    for nested in ([["nan"]], [[]], [[2.0, 2.0]]):
        several = list(matrices("x", nested))
        assert {cell.ground for m in several for cell in heat_map(m, scale_of(several)).cells} <= {
            shade(0.0)[0]
        }
