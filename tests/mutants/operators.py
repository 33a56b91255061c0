"""Mechanical changes of a right answer, one at a time: each text that comes out is called a mutant.

Mutmut and cosmic-ray change the files of a project and run its test suite for each change. Here the text is an answer
to an exercise, the test is the judge, and the changes that matter are those of tensors: an axis, a mask, a gradient.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from typing import Any

_BINARY: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult, ast.Mod),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}
_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
# Each function of a line may be taken for its neighbours.
_SIBLINGS = [
    line.split()
    for line in (
        "max min mean",
        "amax amin",
        "sum mean prod",
        "argmax argmin",
        "any all",
        "maximum minimum",
        "ones zeros",
        "ones_like zeros_like",
        "tril triu",
        "sin cos",
        "exp exp2 expm1",
        "log log2 log1p",
        "softmax log_softmax",
        "logsumexp sum",
        "floor ceil round",
        "cat stack",
        "concatenate stack",
        "reshape view",
        "transpose swapaxes",
        "elu relu",
        "relu gelu",
        "sqrt square",
        "unsqueeze squeeze",
        "cumsum sum",
        "repeat_interleave repeat",
        "bmm matmul",
        "int64 int32",
        "float32 float64",
        "mT T",
        "finfo iinfo",
        "split chunk",
        "w_query w_key w_value",
        "norm_1 norm_2 norm_3",
    )
]
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
    tree = _Bare().visit(ast.parse(source))
    found = {ast.unparse(tree): ""}
    for site in list(_sites(tree)):
        before = site.node
        for after in _changes(site, tensors):
            site.put(after)
            text = ast.unparse(ast.fix_missing_locations(tree))
            found.setdefault(text, f"{_shown(before)} → {_shown(after)}")
        site.put(before)
    return [Mutant(change, text) for text, change in found.items() if change]


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
        return self._body(node)

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


def _with(node: Any, **fields: Any) -> Any:
    """A copy of a node, some of its fields replaced."""
    changed = copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _changes(site: _Site, tensors: bool) -> Iterator[ast.AST | None]:
    node: Any = site.node
    if isinstance(node, ast.stmt):
        yield from _of_statement(node)
    elif isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        yield from _of_expression(node)
        if tensors and _is_value(site):
            yield _method(node, "detach")
            if isinstance(site.parent, ast.Return):
                yield _method(node, "double")
                yield _method(node, "float")
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield _with(node, ifs=[])


def _of_statement(node: Any) -> Iterator[ast.AST]:
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.If | ast.For | ast.Return | ast.Raise):
        yield ast.Pass()
    if isinstance(node, ast.AugAssign):
        for other in _BINARY.get(type(node.op), ()):
            yield _with(node, op=other())
    if isinstance(node, ast.If | ast.While):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
        yield _with(node, test=ast.Constant(True))


def _of_expression(node: Any) -> Iterator[ast.AST | None]:
    match node:
        case ast.BinOp():
            yield from (_with(node, op=other()) for other in _BINARY.get(type(node.op), ()))
            if isinstance(node.op, ast.Sub | ast.Div | ast.MatMult | ast.Pow | ast.FloorDiv):
                yield _with(node, left=node.right, right=node.left)
            yield node.left
            yield node.right
        case ast.UnaryOp():
            yield node.operand
        case ast.Compare(ops=[only]):
            yield from (_with(node, ops=[other()]) for other in _COMPARED.get(type(only), ()))
        case ast.BoolOp():
            yield _with(node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())
            yield from node.values
        case ast.IfExp():
            yield from (node.body, node.orelse, _with(node, body=node.orelse, orelse=node.body))
        case ast.Constant():
            yield from (ast.Constant(other) for other in _other_constants(node.value))
        case ast.Slice():
            yield from (
                _with(node, **{field: None}) for field in ("lower", "upper", "step") if getattr(node, field)
            )
        case ast.Tuple() if len(node.elts) > 1:
            yield from (_with(node, elts=_exchanged(node.elts, i)) for i in range(len(node.elts) - 1))
            yield from (_with(node, elts=_without(node.elts, i)) for i in range(len(node.elts)))
        case ast.Attribute():
            yield node.value
            yield from (_with(node, attr=name) for name in _siblings(node.attr))
        case ast.Name():
            yield from (ast.Name(name, ast.Load()) for name in _siblings(node.id))
        case ast.Call():
            yield from _of_call(node)


def _of_call(node: ast.Call) -> Iterator[ast.AST]:
    args, keywords = node.args, node.keywords
    if isinstance(node.func, ast.Attribute):
        yield node.func.value  # x.f(…) → x; torch.f(x) → torch, which fails
    if args and not isinstance(args[0], ast.Starred | ast.GeneratorExp):
        yield args[0]
    for i in range(len(args)):
        yield _with(node, args=_without(args, i))
        if i + 1 < len(args):
            yield _with(node, args=_exchanged(args, i))
    for i, keyword in enumerate(keywords):
        yield _with(node, keywords=_without(keywords, i))
        if isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, bool):
            other = _with(keyword, value=ast.Constant(not keyword.value.value))
            yield _with(node, keywords=[*keywords[:i], other, *keywords[i + 1 :]])


def _other_constants(value: object) -> tuple[object, ...]:
    match value:
        case bool():
            return (not value,)
        case int():
            return tuple(dict.fromkeys((value + 1, value - 1, -value) if value else (1, -1)))
        case float():
            return (-value, 2 * value, 0.0) if value else (1.0, -1.0)
        case "-inf":
            return ("inf", "-1e9", "-1e4")
        case str() if "->" in value:
            given = value.partition("->")[0]
            turned = [value[:i] + value[i + 1] + value[i] + value[i + 2 :] for i in range(len(value) - 1)]
            return (
                tuple(dict.fromkeys(t for t in turned if t.count("->") == 1 and t != value))[:12]
                if given
                else ()
            )
    return ()


def _siblings(name: str) -> list[str]:
    return [other for line in _SIBLINGS if name in line for other in line if other != name]


def _exchanged(items: list, i: int) -> list:
    return [*items[:i], items[i + 1], items[i], *items[i + 2 :]]


def _without(items: list, i: int) -> list:
    return items[:i] + items[i + 1 :]


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
        or (
            isinstance(parent, ast.Attribute)
            and isinstance(node, ast.Name | ast.Call)
            and parent.attr not in _FORM
        )
    )


def _method(node: Any, name: str) -> ast.AST:
    return ast.Call(ast.Attribute(node, name, ast.Load()), [], [])
