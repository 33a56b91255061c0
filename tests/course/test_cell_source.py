"""Tests of grading/cell_source.py."""

from __future__ import annotations

import time

import pytest

from course_attention.course.cell_source import LONGEST, facts


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("", set()),
        ("def f():\n    inner = 1", {"f"}),
        ("@torch.no_grad()\nasync def f(): ...", {"f"}),
        ("class A:\n    b = 1", {"A"}),
        ("a = b, c = 1, 2", {"a", "b", "c"}),
        ("a: int = 3\nb += 1", {"a", "b"}),
        ("if x:\n    for a in b:\n        with c as d:\n            e = 1", {"a", "d", "e"}),
        ("import a.b\nfrom c import d as e", {"a", "e"}),
        ("f = check(f)", set()),
        ("f = check(f)\nf = 3", {"f"}),
        ("%%time\nx = 1", {"x"}),
        ("%matplotlib inline\n!ls\nx = !ls\ny = %who\nf?\nawait f()", {"x", "y"}),
        ("x = (5\n     % 3)", {"x"}),
        ("print('\\d')", set()),
    ],
)
def test_runs(source: str, names: set[str]) -> None:
    """What can be run as in Jupyter is told, with the names that it binds."""
    assert facts(source).runs
    assert names <= facts(source).defines
    assert "inner" not in facts(source).defines


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def f(:\n    pass", {"f"}),
        ("    indented = 1", set()),
        ("return 1", set()),
        ("x = 1\nyield x", {"x"}),
        ("f = check(f", set()),
        ("x = \0", {"x"}),
        ("(" * 10_000, set()),
        ("-" * 40_000 + "1", set()),
        ("x = 1\n" * LONGEST, {"x"}),
    ],
)
def test_does_not_run(source: str, names: set[str]) -> None:
    """What cannot be run, or is too long to be looked at, is told; its lines still tell what it was to define."""
    assert not facts(source).runs
    assert facts(source).defines == names


@pytest.mark.parametrize(
    "source", ["1" + "+1" * 20_000, "a" + ".a" * 20_000, " " * 49_999 + "x", "f" + "()" * 20_000]
)
def test_deep(source: str) -> None:
    """A source that is deep without brackets is looked at in no time, and stops nothing."""
    start = time.process_time()
    facts(source)
    assert time.process_time() - start < 1
