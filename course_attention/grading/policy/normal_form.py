"""The normal form of a function or class: its syntax tree without what two people write differently.

Names that the code binds itself are numbered in order of appearance. Comments, docstrings, annotations and layout are
left out.
"""

import ast
from collections.abc import Iterator

from course_attention.course.cell_source import facts

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_MOST_NODES = 5_000  # of a definition that is compared; the course's own have a few hundred


def definitions(source: str) -> Iterator[str]:
    """Yield each function and class at the top of a cell as a text, which is the same for copies of each other.

    >>> [one] = definitions("def f(a, b): return a - b  # mine")
    >>> [one] == list(definitions("def f(x: int, y: int) -> int:\\n    return (x - y)"))
    True
    """
    for node in facts(source).new_tree().body:
        if isinstance(node, _Definition) and sum(1 for _ in ast.walk(node)) <= _MOST_NODES:
            try:
                yield _normal(node)
            except RecursionError:  # nested too deeply to be compared
                continue


def _normal(definition: _Definition) -> str:
    nodes = list(ast.walk(definition))
    methods = {node for one in nodes if isinstance(one, ast.ClassDef) for node in one.body}
    names = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    names |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    names |= {node.name for node in nodes if isinstance(node, _Definition) and node not in methods}
    names |= {node.name for node in nodes if isinstance(node, ast.ExceptHandler) and node.name}
    kept = {node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)}
    # A variable and an attribute of one name are two things, which may be renamed apart.
    return ast.dump(_Renamed(names | {f".{attribute}" for attribute in kept}).visit(definition))


class _Renamed(ast.NodeTransformer):
    """Replaces names that the code binds itself by numbers, in order of appearance, and drops what is prose."""

    def __init__(self, own: set[str]) -> None:
        self.own = own
        self.given: dict[str, str] = {}

    def name(self, name: str) -> str:
        return self.given.setdefault(name, f"name_{len(self.given)}") if name in self.own else name

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.name(node.id), node.ctx)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        value = node.value
        if isinstance(value, int) and value.bit_length() > 64:
            return ast.Constant(hex(value))  # a decimal of thousands of digits is refused by Python
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        value = self.visit(node.value)
        return ast.Attribute(value, self.name(f".{node.attr}"), node.ctx)

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        node.args = [*node.posonlyargs, *node.args]
        node.posonlyargs = []
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(self.name(node.arg))

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = self.name(node.name) if node.name else None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        assignment: ast.AST = self.visit(ast.Assign([node.target], node.value))
        return assignment

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self._definition(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self._definition(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._definition(node)

    def _definition(self, node: _Definition) -> ast.AST:
        node.name = self.name(node.name)
        node.body = [statement for statement in node.body if not _says_nothing(statement)]
        return self.generic_visit(node)


def _says_nothing(statement: ast.stmt) -> bool:
    """Say whether a statement is a docstring or another constant alone, `pass`, or an annotation without a value."""
    if isinstance(statement, ast.AnnAssign):
        return statement.value is None
    is_constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_constant or isinstance(statement, ast.Pass)
