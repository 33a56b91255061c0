"""Writes a mutant into the text that it was made of, comments and layout included, and says which lines are others."""

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from course_attention.mutants.making import Mutant, bare_tree

Mark = Literal[" ", "-", "+"]


@dataclass(frozen=True)
class Change:
    """The smallest part of a tree in which two trees differ.

    Attributes:
        around: the nodes around it, the outermost first.
        before, after: the part in either tree.
    """

    around: tuple[ast.AST, ...]
    before: Any
    after: Any


def change_of(source: str, mutant: Mutant) -> Change:
    """Return what a mutant changes in the text that it was made of.

    Example:
        >>> found = change_of("def f(x):\\n    return x + 1", Mutant("", "def f(x):\\n    return x - 1"))
        >>> ast.unparse(found.before), ast.unparse(found.after)
        ('x + 1', 'x - 1')
    """
    path: list[tuple[Any, Any]] = [(bare_tree(source), bare_tree(mutant.source))]
    while type(path[-1][0]) is type(path[-1][1]):
        pairs = list(_other_children(*path[-1]))
        if len(pairs) != 1 or not all(isinstance(one, ast.AST) for one in pairs[0]):
            break
        path += pairs
    # An operator, or the arguments of a function, have no place of their own in the text.
    while len(path) > 1 and not all(hasattr(one, "lineno") for one in path[-1]):
        path.pop()
    return Change(tuple(before for before, _ in path[:-1]), *path[-1])


def lines_of(source: str, mutant: Mutant) -> tuple[tuple[Mark, str], ...]:
    """Return the lines of an answer, with those that a mutant changes before and after; docstrings are left out.

    Example:
        >>> text = "def f(x):\\n    return x + 1  # one more"
        >>> lines_of(text, Mutant("", "def f(x):\\n    return x - 1"))
        ((' ', 'def f(x):'), ('-', '    return x + 1  # one more'), ('+', '    return x - 1  # one more'))
    """
    changed = _in_place(source, mutant)
    before, after = (
        (_code_lines(source), _code_lines(changed)) if changed else (_unparsed(source), _unparsed(mutant.source))
    )
    lines: list[tuple[Mark, str]] = []
    for kind, i, end_i, j, end_j in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            lines += [(" ", line) for line in before[i:end_i]]
        else:
            lines += [("-", line) for line in before[i:end_i]] + [("+", line) for line in after[j:end_j]]
    return tuple(lines)


def _other_children(before: ast.AST, after: ast.AST) -> Iterator[tuple[Any, Any]]:
    """Yield what differs between two nodes of the same type, field by field and item by item."""
    for field in before._fields:
        one, other = getattr(before, field, None), getattr(after, field, None)
        if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
            yield from (pair for pair in zip(one, other, strict=True) if not _same(*pair))
        elif not _same(one, other):
            yield one, other


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, ast.AST) and isinstance(other, ast.AST):
        return ast.dump(one) == ast.dump(other)
    return type(one) is type(other) and bool(one == other)


def plain(tree: ast.Module) -> ast.Module:
    """Return a tree as one writes it: no `pass` beside other statements, and `x[None]` for `x[(None,)]`.

    Example:
        >>> ast.unparse(plain(ast.parse("if n:\\n    pass\\n    y = x[(None,)]")))
        'if n:\\n    y = x[None]'
    """
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            block = getattr(node, field, None)
            if isinstance(block, list) and len(block) > 1:
                setattr(node, field, [one for one in block if not isinstance(one, ast.Pass)] or block[:1])
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 1:
            node.slice = node.slice.elts[0]
    return tree


def _in_place(source: str, mutant: Mutant) -> str:
    """Return the text with the changed part in it; "" where the part cannot stand there in any way."""
    change = change_of(source, mutant)
    if not hasattr(change.before, "lineno") or not hasattr(change.after, "lineno"):
        return ""
    start = _offset(source, change.before.lineno, change.before.col_offset)
    end = _offset(source, change.before.end_lineno, change.before.end_col_offset)
    wanted = ast.dump(plain(bare_tree(mutant.source)))
    for text in _texts(source, start, end, change.after):
        try:
            if ast.dump(plain(bare_tree(text))) == wanted:
                return text
        except SyntaxError:
            continue
    return ""


def _texts(source: str, start: int, end: int, after: Any) -> Iterator[str]:
    """Yield the ways to write a part in the place from start to end, the one that reads best first."""
    if isinstance(after, ast.Pass):
        first, last = source.rfind("\n", 0, start) + 1, source.find("\n", end)
        yield source[:first] + (source[last + 1 :] if last >= 0 else "")
    written = ast.unparse(after)
    if isinstance(after, ast.Constant) and isinstance(after.value, str) and source[start] == '"':
        written = json.dumps(after.value, ensure_ascii=False)  # the student's own quotes
    if isinstance(after, ast.Tuple):  # without brackets, as between those of an index
        yield source[:start] + ", ".join(map(ast.unparse, after.elts)) + source[end:]
    if source[start - 1 : start] == "(" and source[end : end + 1] == ")":
        yield source[: start - 1] + written + source[end + 1 :]
    yield source[:start] + written + source[end:]
    yield f"{source[:start]}({written}){source[end:]}"


def _offset(source: str, line: int, column: int) -> int:
    """Return the place in a text of a line and a column of the syntax tree, which counts a line's bytes."""
    lines = source.splitlines(keepends=True)
    return sum(map(len, lines[: line - 1])) + len(lines[line - 1].encode()[:column].decode())


def _unparsed(source: str) -> list[str]:
    return ast.unparse(plain(bare_tree(source))).splitlines()


def _code_lines(source: str) -> list[str]:
    """Return the lines of a text without those of its docstrings and without blank ones."""
    told: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None and body:
            told.update(range(body[0].lineno, body[0].end_lineno + 1))
    lines = enumerate(source.splitlines(), start=1)
    return [line.rstrip() for number, line in lines if number not in told and line.strip()]
