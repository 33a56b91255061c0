"""Tests of course/cell_source.py."""

from __future__ import annotations

import ast
import time

import psutil
import pytest

from course_attention.course.cell_source import LONGEST, Import, facts


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


@pytest.mark.parametrize("source", ["1" + "+1" * 20_000, "a" + ".a" * 20_000, " " * 49_999 + "x", "f" + "()" * 20_000])
def test_deep(source: str) -> None:
    """A source that is deep without brackets is looked at in no time, and stops nothing."""
    start = time.process_time()
    facts(source)
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    ("source", "imports"),
    [
        ("import a.b", [Import("a", "a", "a.b")]),
        ("import a.b as c", [Import("c", "a.b", "a.b")]),
        ("from a.b import c as d, e", [Import("d", "a.b.c", "a.b"), Import("e", "a.b.e", "a.b")]),
        ("%matplotlib inline\ndef f():\n    import a", [Import("a", "a", "a")]),
        ("from . import a", []),
        ("import a\ndef f(:", []),
    ],
)
def test_imports(source: str, imports: list[Import]) -> None:
    """What a source imports is told in full, wherever in it the import stands."""
    assert list(facts(source).imports) == imports


def test_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often a source is asked about, it is parsed once; one that is too long never is."""
    parsed = []
    parse = ast.parse
    monkeypatch.setattr(ast, "parse", lambda source: parsed.append(source) or parse(source))
    source = "never_seen_before = 1"
    for _ in range(3):
        assert facts(source).runs and facts(source).tree.body
    assert parsed == [source]
    assert not facts("x = 1\n" * LONGEST).tree.body and "longer than" in facts("x = 1\n" * LONGEST).problem
    assert parsed == [source]


def test_memory_is_bounded() -> None:
    """What is kept of long sources does not add up, however many there are."""
    before = psutil.Process().memory_info().rss
    for number in range(6):
        assert facts(f"b = {number}\n" + "a\n" * 24_000).tree.body
    assert psutil.Process().memory_info().rss - before < 80_000_000
