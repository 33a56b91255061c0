"""What differs between two right answers, and why one may prefer either: said of what each of them uses."""

import ast
from collections.abc import Callable
from dataclasses import dataclass

from course_attention.course.skeleton import ingredients

SAME = "Both take the same steps with the same tools. What differs is names, order and layout, which is taste."
NO_REASON = "Which of them you prefer is taste: read both once more in a month, and keep the one that you understand."
_MOST_NAMED = 8
_SAME_TOOL = {"transpose": "mT", "swapaxes": "mT", "amax": "max", "view": "reshape"}  # they do the same


@dataclass(frozen=True)
class _Choice:
    """Something that one right answer does and another does not.

    Attributes:
        has_it: whether a tree does it.
        what: what it does, after "The course's own" or "Yours".
        reason: why one may prefer either.
    """

    has_it: Callable[[ast.AST], bool]
    what: str
    reason: str


def _node(*kinds: type[ast.AST]) -> Callable[[ast.AST], bool]:
    return lambda tree: any(isinstance(node, kinds) for node in ast.walk(tree))


def _uses(*names: str) -> Callable[[ast.AST], bool]:
    return lambda tree: any(tool.rpartition(".")[2] in names for tool in ingredients(tree)[1])


def _writes_into(tree: ast.AST) -> bool:
    return any(isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) for node in ast.walk(tree))


_CHOICES = (
    _Choice(
        _node(ast.For, ast.While, ast.ListComp, ast.GeneratorExp),
        "goes step by step, in a loop",
        "A loop follows the definition, and each step can be looked at. One operation on the whole tensor takes fewer "
        "calls, so it is faster wherever the steps don't depend on each other.",
    ),
    _Choice(
        _uses("einsum", "rearrange", "repeat", "reduce"),
        "names the axes, with einsum or einops",
        "Named axes say which of them is summed, and need no transposition. `@` and `.mT` are shorter for two axes, "
        "and every reader knows them.",
    ),
    _Choice(
        _uses("exp"),
        "writes the exponentials out",
        "Written out, one sees the sum and can change it. The ready-made softmax keeps large scores from overflowing "
        "by itself, and there is less to get wrong.",
    ),
    _Choice(
        _uses("where"),
        "chooses with `where`",
        "`where` names both cases side by side, and makes a new tensor. `masked_fill` and an assignment to `x[mask]` "
        "name only what is replaced, which is enough for a mask.",
    ),
    _Choice(
        _writes_into,
        "writes into a tensor, at an index",
        "That is short, and the place of each number can be read off. It also changes the tensor for everybody who "
        "holds it, and a backward pass may still need its former numbers. A new tensor is safe from both.",
    ),
    _Choice(
        _uses("finfo"),
        "blocks with the lowest number of the dtype",
        "With it, the weights of a row in which everything is blocked are equal instead of NaN, and can be set to 0 "
        "afterwards. −∞ says what is meant, but such a row then needs care before the softmax.",
    ),
    _Choice(
        _uses("nan_to_num"),
        "lets NaN arise and replaces it",
        "It is short, but it hides a NaN that came in from elsewhere, and in a backward pass a NaN may already have "
        "spread. Never dividing by 0 keeps both away.",
    ),
    _Choice(
        _uses("view"),
        "uses `view`",
        "`view` promises not to copy, and raises where the memory is laid out otherwise. `reshape`, `flatten` and "
        "`unflatten` work on every tensor, and may copy.",
    ),
    _Choice(
        _uses("scaled_dot_product_attention"),
        "calls PyTorch's fused attention",
        "The fused kernel is faster and saves memory, since it never stores the weights. It also doesn't return them.",
    ),
    _Choice(
        _uses("cat", "stack"),
        "collects parts and joins them",
        "Joining parts is easy to read, and nobody has to write down the final shape. Who joins in each step of a loop "
        "copies all that there is so far each time; one tensor of the final size is then faster.",
    ),
    _Choice(
        _node(ast.Lambda),
        "is a lambda",
        "A lambda is short. A function with a name has room for a docstring, and a traceback names it.",
    ),
    _Choice(
        _node(ast.If),
        "branches",
        "A branch says where a case is special. One formula for all cases is shorter, and nothing is left untested.",
    ),
)


def differences(yours: str, ours: str) -> list[str]:
    """Return sentences on what differs between the student's answer and the course's own.

    Args:
        yours: the source of the student's, which is right.
        ours: the source of the course's own.

    Example:
        >>> yours, ours = "def f(x):\\n    return x @ x.mT", "def f(x):\\n    return einsum('ij,kj->ik', x, x)"
        >>> for said in differences(yours, ours):
        ...     print(said[:66])
        The course's own names the axes, with einsum or einops. Yours does
        Only yours uses `.mT`, `@`; only the course's own uses `einsum`.
        >>> differences("def f(x):\\n    return x + 1", "def f(y):\\n    return 1 + y") == [SAME]
        True
    """
    mine, own = _bare(yours), _bare(ours)
    said, given = [], False
    for choice in _CHOICES:
        in_mine, in_own = choice.has_it(mine), choice.has_it(own)
        if in_mine is not in_own:
            who, other = ("Yours", "The course's own") if in_mine else ("The course's own", "Yours")
            said.append(f"{who} {choice.what}. {other} does not. {choice.reason}")
            given = True
    tools, others = _tools(mine), _tools(own)
    named = [
        ("yours uses", {tools[one] for one in tools.keys() - others.keys()}),
        ("the course's own uses", {others[one] for one in others.keys() - tools.keys()}),
    ]
    parts = [f"only {who} {_listed(found)}" for who, found in named if found]
    if parts:
        said.append(_sentence("; ".join(parts)))
        said += [] if given else [NO_REASON]
    return said or [SAME]


def _tools(tree: ast.AST) -> dict[str, str]:
    """Return what is used, by its bare name: a function of a module and a method of the same name are one tool."""
    return {_SAME_TOOL.get(bare, bare): tool for tool in ingredients(tree)[1] if (bare := tool.rpartition(".")[2])}


def _bare(source: str) -> ast.AST:
    """Return the tree of a text without docstrings and annotations, which compute nothing."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            for one in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]:
                one.annotation = None
    return tree


def _listed(found: set[str]) -> str:
    names = [f"`{name}`" for name in sorted(found, key=str.lower)]
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
