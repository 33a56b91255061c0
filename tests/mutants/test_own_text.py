"""A mutant is shown in the text that it was made of, comments and layout included."""

from __future__ import annotations

import ast

import pytest

from course_attention.mutants.fairness import is_python
from course_attention.mutants.making import Mutant, bare_tree, mutants
from course_attention.mutants.own_text import change_of, lines_of, plain
from course_attention.mutants.right_answer import helper

OWN = '''\
def f(x, allowed=None):
    """What it does.

    x: (..., n)
    """
    y = (x + 1) * 2  # Größe

    if allowed is not None:
        y = y.masked_fill(
            ~allowed,
            float("-inf"),
        )
    return y.softmax(-1), y
'''


def changed(source: str, change: str) -> Mutant:
    return next(mutant for mutant in mutants(source) if mutant.change == change)


def test_comment_and_layout_stay() -> None:
    """The line keeps its comment and its brackets, the docstring and blank lines are left out."""
    lines = lines_of(OWN, changed(OWN, "x + 1 → x - 1"))
    assert lines[:3] == (
        (" ", "def f(x, allowed=None):"),
        ("-", "    y = (x + 1) * 2  # Größe"),
        ("+", "    y = (x - 1) * 2  # Größe"),
    )
    assert not any("What it does" in line for _, line in lines)
    assert sum(mark != " " for mark, _ in lines) == 2


def test_statement_of_several_lines() -> None:
    """A statement that is left out is shown whole, with `pass` where its block would be empty."""
    mutant = next(m for m in mutants(OWN) if m.change.startswith("y = y.masked_fill") and m.change.endswith("pass"))
    marked = [(mark, line.strip()) for mark, line in lines_of(OWN, mutant) if mark != " "]
    assert marked[0] == ("-", "y = y.masked_fill(")
    assert marked[-1] == ("+", "pass")


def test_line_that_is_left_out() -> None:
    """Where other statements stay, nothing takes the place of the line, and its comment goes with it."""
    lines = lines_of(OWN, next(m for m in mutants(OWN) if m.change == "y = (x + 1) * 2 → pass"))
    assert [(mark, line.strip()) for mark, line in lines if mark != " "] == [("-", "y = (x + 1) * 2  # Größe")]


@pytest.mark.parametrize(
    ("line", "change", "after"),
    [
        ("x[None, :]", "(None, :) → (None,)", "x[None]"),
        ("x[..., None]", "(..., None) → (None,)", "x[None]"),
        ("x[:,:,0]", "(:, :, 0) → (:, :)", "x[:, :]"),
        ("max(x[:,0] for i in x)", "(:, 0) → (0, :)", "max(x[0, :] for i in x)"),
        ("-(x * 2)", "x * 2 → x", "-x"),
        ("f(x * 2)", "x * 2 → x", "f(x)"),
        ('f(x, "-inf")', "'-inf' → 'inf'", 'f(x, "inf")'),
        ("(x * 2).sum()", "x * 2 → x", "x.sum()"),
        ("(x * 2)[0]", "x * 2 → x / 2", "(x / 2)[0]"),
    ],
)
def test_written_as_by_a_person(line: str, change: str, after: str) -> None:
    """No brackets are left that hold nothing together, and quotes stay as they were."""
    source = f"def g(x):\n    return {line}"
    found = next(m for m in mutants(source) if m.change == change)
    assert ("+", f"    return {after}") in lines_of(source, found)


def test_operator_has_its_operands() -> None:
    """An operator has no place of its own: what it joins is the place."""
    found = change_of(OWN, changed(OWN, "x + 1 → x - 1"))
    assert (ast.unparse(found.before), ast.unparse(found.after)) == ("x + 1", "x - 1")
    assert any(isinstance(node, ast.FunctionDef) for node in found.around)


@pytest.mark.parametrize("name", ["softmax", "attention", "rotary", "MultiHeadAttention", "greedy_decode"])
def test_every_mutant_has_lines(name: str) -> None:
    """The lines of a mutant, put together, are the mutant; those before it are the answer."""
    source = helper(name).source
    before = ast.dump(bare_tree(source))
    for mutant in mutants(source):
        if not is_python(mutant.source):
            continue
        lines = lines_of(source, mutant)
        after = "\n".join(line for mark, line in lines if mark != "-")
        assert ast.dump(plain(bare_tree(after))) == ast.dump(plain(bare_tree(mutant.source))), mutant.change
        assert ast.dump(bare_tree("\n".join(line for mark, line in lines if mark != "+"))) == before
        assert any(mark != " " for mark, _ in lines), mutant.change
