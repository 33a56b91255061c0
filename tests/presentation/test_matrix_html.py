"""A matrix as an HTML table: colours, marks and what is read aloud."""

from __future__ import annotations

import re

from course_attention.presentation.arrays import matrices
from course_attention.presentation.color_scale import N_SHADES, limits_of
from course_attention.presentation.matrix_html import MATRIX_STYLE, matrix_html


def classes(table: str) -> list[str]:
    return re.findall(r'<td class="([^"]*)">', table)


def test_one_scale_for_both() -> None:
    """The same number has the same shade in both tables; what is no finite number is hatched."""
    both = [m for values in ([[1.0, 3.0]], [["x", 1.0, float("inf"), 9.0]]) for m in matrices("x", values)]
    limits = limits_of(matrix.values for matrix in both)
    left, right = (classes(matrix_html(matrix, limits))[1:] for matrix in both)
    assert left == ["ca-shade0", "ca-shade8"]
    assert right == ["ca-not-finite", "ca-shade0", "ca-not-finite", f"ca-shade{N_SHADES - 1}"]


def test_rules_for_all_classes() -> None:
    """Each class that a cell may have has its rule."""
    for name in (*(f"ca-shade{i}" for i in range(N_SHADES)), "ca-not-finite", "ca-first"):
        assert f" td.{name}{{" in MATRIX_STYLE


def test_first_difference() -> None:
    """It is marked by more than a colour, and read aloud; the rows and columns have headers."""
    (matrix,) = matrices("received weights", [[0.5, 0.25], [1.0, float("nan")]], where=(1, 1))
    table = matrix_html(matrix, (0.0, 1.0))
    assert '"ca-not-finite ca-first">▸ nan<span class="ca-unseen"> first difference</span></td>' in table
    assert table.count("ca-first") == 1
    assert table.count('<th scope="row">') == table.count('<th scope="col">') == 2
    assert "<caption><strong>received weights</strong> (2, 2)</caption>" in table


def test_without_limits() -> None:
    """Inputs are shown without colours."""
    assert "ca-shade" not in matrix_html(next(matrices("query", [[1.0, 2.0]])))
