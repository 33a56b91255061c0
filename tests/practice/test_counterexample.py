"""The three functions of `counterexample`: the notebook shows the code that the judge runs, and random inputs agree."""

from __future__ import annotations

import ast
import inspect

import pytest
import torch

from course_attention.course.cells import course_notebook
from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.slips import accepts
from course_attention.practice.slips import plausible
from course_attention.practice.slips.counterexample import counterexample
from course_attention.practice.slips.outcome import DIFFER, tried
from course_attention.practice.slips.plausible import PLAUSIBLE

EVERY_FUNCTION = pytest.mark.parametrize("name", PLAUSIBLE)


def functions_of(source: str) -> dict[str, str]:
    return {one.name: ast.unparse(one) for one in ast.parse(source).body if isinstance(one, ast.FunctionDef)}


def test_notebook_shows_what_is_judged() -> None:
    """A student reads the functions in a cell, and the judge runs those of the package: they are the same."""
    notebook = course_notebook("09_find_the_slip")
    (shown,) = (functions_of(cell.source) for cell in notebook.cells if "def takes_padding" in cell.source)
    assert {name: shown[name] for name in PLAUSIBLE} == functions_of(inspect.getsource(plausible))


@EVERY_FUNCTION
def test_random_inputs_agree(name: str) -> None:
    """With sizes that all differ, a function gives what is right; the course's own test refuses it all the same."""
    generator = torch.Generator().manual_seed(0)
    for _ in range(20):
        query, key, value = (
            torch.randn(*size, generator=generator, dtype=torch.float64) for size in ((2, 3, 5), (2, 4, 5), (2, 4, 6))
        )
        allowed = torch.rand(3, 4, generator=generator) < 0.5
        for one, other in zip(
            PLAUSIBLE[name](query, key, value, allowed), attention(query, key, value, allowed), strict=True
        ):
            torch.testing.assert_close(one, other)
    assert not accepts(PLAUSIBLE[name])


@EVERY_FUNCTION
def test_counterexample(name: str) -> None:
    """The course's own inputs show what is wrong."""
    assert tried(name, counterexample) == DIFFER
