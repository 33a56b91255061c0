"""Mechanical changes of a right answer, one at a time: each text that comes out is called a mutant.

Mutmut and cosmic-ray change the files of a project and run its test suite for each change. Here the text is an answer
to an exercise, the test is the judge, and the changes that matter are those of tensors: an axis, a mask, a gradient.
"""

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from course_attention.mutants.changes import of_expression, of_statement, with_fields

# What is asked of a tensor without its numbers.
_FORM = {
    "shape",
    "ndim",
    "dtype",
    "device",
    "size",
    "dim",
    "numel",
    "new_zeros",
    "new_full",
    "new_ones",
    "type_as",
}
_PLAIN_NAMES = {*dir(builtins), "torch", "np", "math", "nn", "F", "self", "einops"}


@dataclass(frozen=True)
class Mutant:
    """A changed text.

    Attributes:
        change: the changed piece before and after, as "before → after".
        source: the whole text.
    """

    change: str
    source: str


def mutants(source: str, tensors: bool = True) -> list[Mutant]:
    """Every text that is one mechanical change away, each once, in the order of the text.

    Args:
        source: statements that define an answer. Docstrings and annotations go first, for they do nothing.
        tensors: also cut gradients and change dtypes, which makes no sense of numbers.

    Example:
        >>> [m.source for m in mutants("def f(n):\\n    return n < 1", tensors=False)][:2]
        ['def f(n):\\n    pass', 'def f(n):\\n    return n <= 1']
    """
    tree = ast.parse(bare(source))
    found = {ast.unparse(tree): ""}
    for site in list(_sites(tree)):
        before = site.node
        for after in _changes(site, tensors):
            site.put(after)
            text = ast.unparse(ast.fix_missing_locations(tree))
            found.setdefault(text, f"{_shown(before)} → {_shown(after)}")
        site.put(before)
    return [Mutant(change, text) for text, change in found.items() if change]


def bare(source: str) -> str:
    """Return the text of which mutants are made: without comments, docstrings and annotations."""
    return ast.unparse(bare_tree(source))


def bare_tree(source: str) -> ast.Module:
    """Return the tree of that text. Its nodes have their places in the whole one."""
    tree: ast.Module = _Bare().visit(ast.parse(source))
    return tree


@dataclass(frozen=True)
class _Site:
    """A node and where it stands."""

    parent: ast.AST
    field: str
    place: int | None
    node: ast.AST

    def put(self, node: ast.AST | None) -> None:
        if self.place is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.place] = node


class _Bare(ast.NodeTransformer):
    """Takes docstrings and annotations out."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self._body(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        # The annotations of a dataclass are its fields.
        return node if any(isinstance(part, ast.AnnAssign) for part in node.body) else self._body(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        return node.value and ast.copy_location(ast.Assign([node.target], node.value), node)

    def _body(self, node: Any) -> ast.AST:
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        self.generic_visit(node)
        return node


def _sites(tree: ast.AST) -> Iterator[_Site]:
    for field, value in ast.iter_fields(tree):
        for place, node in enumerate(value) if isinstance(value, list) else ((None, value),):
            if isinstance(node, ast.AST):
                yield _Site(tree, field, place, node)
                yield from _sites(node)


def _shown(node: ast.AST | None) -> str:
    return "nothing" if node is None else ast.unparse(node)


def _changes(site: _Site, tensors: bool) -> Iterator[ast.AST | None]:
    node: Any = site.node
    if isinstance(node, ast.stmt):
        yield from of_statement(node)
    elif isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        yield from of_expression(node)
        if tensors and _is_value(site):
            yield _method(node, "detach")
            if isinstance(site.parent, ast.Return):
                yield _method(node, "double")
                yield _method(node, "float")
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield with_fields(node, ifs=[])


def _is_value(site: _Site) -> bool:
    """Whether it may be a tensor on its way to the result."""
    node, parent = site.node, site.parent
    if isinstance(
        node, ast.Constant | ast.Tuple | ast.Starred | ast.GeneratorExp | ast.Lambda | ast.Compare | ast.Dict
    ):
        return False
    if isinstance(node, ast.Name) and node.id in _PLAIN_NAMES:
        return False
    return (
        (isinstance(parent, ast.Assign | ast.Return | ast.AugAssign) and site.field == "value")
        or isinstance(parent, ast.BinOp)
        or (isinstance(parent, ast.Tuple) and isinstance(parent.ctx, ast.Load))
        or (isinstance(parent, ast.Call) and site.field == "args")
        or (isinstance(parent, ast.IfExp) and site.field != "test")
        or (isinstance(parent, ast.Attribute) and isinstance(node, ast.Name | ast.Call) and parent.attr not in _FORM)
    )


def _method(node: Any, name: str) -> ast.AST:
    return ast.Call(ast.Attribute(node, name, ast.Load()), [], [])
