"""A cell's source looked at without running it: can it be parsed, and which names does it define?"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

LONGEST = 50_000  # characters; nobody writes a cell of more, and parsing one takes seconds and gigabytes

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True)
class Facts:
    """What a source says about itself.

    Attributes:
        runs: it can be parsed, and no `return` or `yield` stands outside a function.
        defines: the names that it binds when run, but for `name = check(name)`, which defines nothing new.
    """

    runs: bool
    defines: frozenset[str] = frozenset()


def facts(source: str) -> Facts:
    """What the source says about itself; of one that cannot be parsed, the names that its lines seem to define."""
    # Long ones are not kept: memory must not grow with what is handed in.
    return _facts(source) if len(source) <= LONGEST else Facts(False, _seemingly_defined(source))


@lru_cache(maxsize=256)
def _facts(source: str) -> Facts:
    tree = parsed(source)
    if tree is None or any(_stray(node) for node in _outside_functions(tree)):
        return Facts(False, _seemingly_defined(source))
    names: set[str] = set()
    for node in _outside_functions(tree):
        names.update(_bound(node))
    return Facts(True, frozenset(names - _only_checked(tree)))


def parsed(source: str) -> ast.Module | None:
    """The source as a tree, IPython's own syntax left out; None where it cannot be parsed."""
    if len(source) > LONGEST:
        return None
    return _parsed(source) or _parsed(_plain_python(source))


def _parsed(source: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a stray escape in a string is the student's business
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # among them "too deep"
        return None


def _plain_python(source: str) -> str:
    """Magics and shell lines replaced by `pass`: what they do is not known, but the cell around them is."""
    source = re.sub(r"\A\s*%%.*", "", source)
    source = re.sub(r"^([ \t]*)[%!?].*$", r"\1pass", source, flags=re.MULTILINE)
    source = re.sub(r"^([ \t]*[\w.]+)\?{1,2}[ \t]*$", r"\1", source, flags=re.MULTILINE)
    return re.sub(r"^([\w, \t]+=)[ \t]*[%!].*$", r"\1 None", source, flags=re.MULTILINE)


def _outside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run when the cell does."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _SCOPES):
            waiting.extend(ast.iter_child_nodes(node))


def _stray(node: ast.AST) -> bool:
    return isinstance(node, ast.Return | ast.Yield | ast.YieldFrom)


def _bound(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.split(".")[0] for alias in node.names)


def _only_checked(tree: ast.Module) -> set[str]:
    """Names that are assigned from `check(…)` and nowhere else."""
    checked, otherwise = set(), set()
    for statement in tree.body:
        bound = {name for node in _outside_functions(statement) for name in _bound(node)}
        match statement:
            case ast.Assign(value=ast.Call(func=ast.Name(id="check"))):
                checked |= bound
            case _:
                otherwise |= bound
    return checked - otherwise


def _seemingly_defined(source: str) -> frozenset[str]:
    functions = re.findall(r"^(?:async[ \t]+def|def|class)[ \t]+(\w+)", source, flags=re.MULTILINE)
    numbers = re.findall(r"^(\w+)[ \t]*=(?!=)(?![ \t]*check\()", source, flags=re.MULTILINE)
    return frozenset([*functions, *numbers])
