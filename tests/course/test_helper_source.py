"""The course's own helpers are found as source, and stand on nothing that is not there yet."""

from __future__ import annotations

import ast
import builtins
import inspect

import pytest

import course_attention
from course_attention.course import helper_source
from course_attention.exercises import CATALOGUE
from course_attention.grading.sandbox.notebook_setup import adoption


@pytest.mark.parametrize("name", CATALOGUE)
def test_own_source(name: str) -> None:
    """The source defines the helper, and nothing else."""
    (statement,) = ast.parse(helper_source.own_source(name)).body
    assert name in (
        getattr(statement, "name", ""),
        *(ast.unparse(t) for t in getattr(statement, "targets", ())),
    )


@pytest.mark.parametrize("name", [name for name in CATALOGUE if CATALOGUE[name].kind != "value"])
def test_as_written(name: str) -> None:
    """The source is the one that Python itself gives for the helper, comments and docstring included."""
    helper = inspect.unwrap(getattr(course_attention, name))
    assert helper_source.own_source(name) == inspect.getsource(helper).rstrip()


@pytest.mark.parametrize("name", CATALOGUE)
def test_stands_alone(name: str) -> None:
    """After the exercises before it, a helper's source names nothing that is undefined."""
    before = tuple(CATALOGUE)[: list(CATALOGUE).index(name)]
    module = ast.parse(adoption(name, before)["source"])
    defined = {n.name for n in ast.walk(module) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    defined |= {n.id for n in ast.walk(module) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    defined |= {n.arg for n in ast.walk(module) if isinstance(n, ast.arg)}
    for node in ast.walk(module):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            defined |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    named = {n.id for n in ast.walk(module) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    assert named <= defined | set(vars(builtins)) | {"__file__", "__name__"}


def test_what_is_still_asked_stays_away() -> None:
    """The helper of an exercise that is not judged yet is not handed over with another."""
    first = adoption("attention", ())
    assert "def attention(" in first["source"] and "def cross_attention(" not in first["source"]
    assert "def attention(" not in adoption("bilinear_scores", ())["source"]
