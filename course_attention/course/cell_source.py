"""Parses a cell's source, and says what it defines, imports and computes without running it.

Everybody who asks what a cell defines, imports or computes asks `facts`. It never parses a source that is too long, and
keeps what it found for a while. How much memory that can take is bounded, because some sources are made to take much.
"""

import ast
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

# Characters. Nobody writes a cell of more. At worst one of as many takes 0.3 seconds and 50 MB to parse, and what is
# found in it takes 5 MB.
LONGEST = 50_000
_SHORT = 4_000  # characters; most cells have fewer

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True)
class Import:
    """One name that an import statement binds.

    Attributes:
        name: the name that it binds.
        full: what that name stands for, in full.
        module: the module that is imported.
    """

    name: str
    full: str
    module: str


@dataclass(frozen=True)
class Facts:
    """What a source says about itself.

    Attributes:
        source: the source.
        problem: why it cannot be run, "" where it can.
        defines: the names that it binds when run, but for `name = check(name)`, which defines nothing new; of a source
            that cannot be parsed, the names that its lines seem to define.
        imports: what it imports, inside functions as well.
    """

    source: str
    problem: str = ""
    defines: frozenset[str] = frozenset()
    imports: tuple[Import, ...] = ()

    @property
    def runs(self) -> bool:
        """Whether it can be parsed, and no `return` or `yield` stands outside a function."""
        return not self.problem

    @property
    def tree(self) -> ast.Module:
        """The source as a tree, IPython's own syntax left out; an empty one where it cannot be parsed.

        All callers share this tree. Whoever wants to change it takes `new_tree`.
        """
        return self._read(_tree)

    def new_tree(self) -> ast.Module:
        """Return the tree for one caller alone. The source is parsed again: that takes a quarter of a copy's time."""
        return self._read(_new_tree)

    def _read(self, parse: Callable[[str], ast.Module | None]) -> ast.Module:
        too_long = len(self.source) > LONGEST  # and so not kept, as in `facts`
        return (None if too_long else parse(self.source)) or ast.Module([], [])


def facts(source: str) -> Facts:
    """Return what a source says about itself.

    Example:
        >>> facts("import numpy as np\\nx = 1").defines == {"np", "x"}
        True
        >>> facts("def f(:").problem
        'it cannot be parsed'
    """
    # Sources that are too long are not kept: memory must not grow with what is handed in.
    if len(source) > LONGEST:
        return Facts(source, f"it is longer than {LONGEST:,} characters", _seemingly_defined(source))
    return _facts_of_short(source) if len(source) <= _SHORT else _facts_of_long(source)


def _facts(source: str) -> Facts:
    tree = _tree(source)
    if tree is None:
        return Facts(source, "it cannot be parsed", _seemingly_defined(source))
    imports = tuple(_imports(tree))
    if any(_stray(node) for node in _outside_functions(tree)):
        problem = "a `return` or `yield` stands outside a function"
        return Facts(source, problem, _seemingly_defined(source), imports)
    names: set[str] = set()
    for node in _outside_functions(tree):
        names.update(_bound(node))
    return Facts(source, "", frozenset(names - _only_checked(tree)), imports)


_facts_of_short = lru_cache(maxsize=64)(_facts)
_facts_of_long = lru_cache(maxsize=4)(_facts)


def _new_tree(source: str) -> ast.Module | None:
    return _parsed(source) or _parsed(_plain_python(source))


_tree = lru_cache(maxsize=1)(_new_tree)  # a tree takes up to a thousand times the memory of its source


def _parsed(source: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a stray escape in a string is the student's business
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # among them "too deep"
        return None


def _plain_python(source: str) -> str:
    """Replace magics and shell lines by `pass`: what they do is not known, but the cell around them can be parsed."""
    source = re.sub(r"\A\s*%%.*", "", source)
    source = re.sub(r"^([ \t]*)[%!?].*$", r"\1pass", source, flags=re.MULTILINE)
    source = re.sub(r"^([ \t]*[\w.]+)\?{1,2}[ \t]*$", r"\1", source, flags=re.MULTILINE)
    return re.sub(r"^([\w, \t]+=)[ \t]*[%!].*$", r"\1 None", source, flags=re.MULTILINE)


def _imports(tree: ast.Module) -> Iterator[Import]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.split(".")[0]
                yield Import(alias.asname or first, alias.name if alias.asname else first, alias.name)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield Import(alias.asname or alias.name, f"{node.module}.{alias.name}", node.module)


def _outside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run when the cell does."""
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
