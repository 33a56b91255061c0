"""Notebook 09 goes on with any test that passed its check, and shows the functions that the judge runs."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import pytest

from course_attention.course.cells import course_notebook
from course_attention.practice.slips import plausible
from course_attention.practice.slips.plausible import PLAUSIBLE

CELLS = course_notebook("09_find_the_slip").cells
WITHOUT_TRY = """
def accepts(attention):
    one = random(3, 5), random(4, 5, seed=1), random(4, 6, seed=2)
    return torch.allclose(attention(*one)[0], right(*one)[0])
"""


def test_a_test_that_raises_stops_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Where a function raises, a test without `try` raises too: the notebook says so, and goes on."""
    source = {cell.id: cell.source for cell in CELLS}
    names: dict[str, Any] = {}
    for code in (source["a4d984d9"], WITHOUT_TRY, source["whose-accepts"], source["printed1"]):
        exec(code, names)
    said = capsys.readouterr().out.splitlines()
    assert "single_formula refused" in said and "handout_scores no verdict" in said
    assert said.index("attention      accepted") == len(said) - 1
    assert "`accepts` raised RuntimeError for handout_scores. It should give False there. If the" in said


def functions_of(source: str) -> dict[str, str]:
    return {one.name: ast.unparse(one) for one in ast.parse(source).body if isinstance(one, ast.FunctionDef)}


def test_notebook_shows_what_is_judged() -> None:
    """A student reads the functions in a cell, and the judge runs those of the package: they are the same."""
    (shown,) = (functions_of(cell.source) for cell in CELLS if "def takes_padding" in cell.source)
    assert {name: shown[name] for name in PLAUSIBLE} == functions_of(inspect.getsource(plausible))
