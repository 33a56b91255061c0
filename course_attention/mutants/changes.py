"""What one mechanical change makes of a node of Python's syntax tree: an axis, an operator, an argument, a constant."""

import ast
from collections.abc import Iterator
from copy import copy
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


def of_statement(node: Any) -> Iterator[ast.AST]:
    """Yield the statements that may stand in the place of one."""
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.If | ast.For | ast.Return | ast.Raise):
        yield ast.Pass()
    if isinstance(node, ast.AugAssign):
        for other in _BINARY.get(type(node.op), ()):
            yield with_fields(node, op=other())
    if isinstance(node, ast.If | ast.While):
        yield with_fields(node, test=ast.UnaryOp(ast.Not(), node.test))
        yield with_fields(node, test=ast.Constant(True))


def of_expression(node: Any) -> Iterator[ast.AST | None]:
    """Yield the expressions that may stand in the place of one; None where it may be left out."""
    match node:
        case ast.BinOp():
            yield from (with_fields(node, op=other()) for other in _BINARY.get(type(node.op), ()))
            if isinstance(node.op, ast.Sub | ast.Div | ast.MatMult | ast.Pow | ast.FloorDiv):
                yield with_fields(node, left=node.right, right=node.left)
            yield node.left
            yield node.right
        case ast.UnaryOp():
            yield node.operand
        case ast.Compare(ops=[only]):
            yield from (with_fields(node, ops=[other()]) for other in _COMPARED.get(type(only), ()))
        case ast.BoolOp():
            yield with_fields(node, op=ast.And() if isinstance(node.op, ast.Or) else ast.Or())
            yield from node.values
        case ast.IfExp():
            yield from (node.body, node.orelse, with_fields(node, body=node.orelse, orelse=node.body))
        case ast.Constant():
            yield from (ast.Constant(other) for other in _other_constants(node.value))
        case ast.Slice():
            yield from (
                with_fields(node, **{field: None}) for field in ("lower", "upper", "step") if getattr(node, field)
            )
        case ast.Tuple() if len(node.elts) > 1:
            yield from (with_fields(node, elts=_exchanged(node.elts, i)) for i in range(len(node.elts) - 1))
            yield from (with_fields(node, elts=_without(node.elts, i)) for i in range(len(node.elts)))
        case ast.Attribute():
            yield node.value
            yield from (with_fields(node, attr=name) for name in _siblings(node.attr))
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
        yield with_fields(node, args=_without(args, i))
        if i + 1 < len(args):
            yield with_fields(node, args=_exchanged(args, i))
    for i, keyword in enumerate(keywords):
        yield with_fields(node, keywords=_without(keywords, i))
        if isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, bool):
            other = with_fields(keyword, value=ast.Constant(not keyword.value.value))
            yield with_fields(node, keywords=[*keywords[:i], other, *keywords[i + 1 :]])


def _other_constants(value: Any) -> tuple[Any, ...]:
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
            return tuple(dict.fromkeys(t for t in turned if t.count("->") == 1 and t != value))[:12] if given else ()
    return ()


def _siblings(name: str) -> list[str]:
    return [other for line in _SIBLINGS if name in line for other in line if other != name]


def _exchanged(items: list, i: int) -> list:
    return [*items[:i], items[i + 1], items[i], *items[i + 2 :]]


def _without(items: list, i: int) -> list:
    return items[:i] + items[i + 1 :]


def with_fields(node: Any, **fields: Any) -> Any:
    """Return a copy of a node, some of its fields replaced."""
    changed = copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed
