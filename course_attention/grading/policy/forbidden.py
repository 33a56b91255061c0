"""Finds in an answer what it should build itself: ready-made attention, or helpers of the course that contain it.

Naming one is free; using one in the answer is not. The answer's own code is read here, before it runs; what it uses in
other ways is refused in the sandbox, while it is judged.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache

from course_attention.course.cell_source import facts
from course_attention.exercises import CATALOGUE
from course_attention.grading.policy.ready_made import ready_made
from course_attention.topics import topic_of

_MOST_DOTS = 20  # in a name; nothing that is forbidden has nearly as many

# Exercise → helpers of earlier notebooks that contain it: with them, nothing is left to build.
CONTAINING = {
    "self_attention": ("cross_attention",),
    "SelfAttention": ("cross_attention",),
    "masked_softmax": (
        "attention_distribution",
        "attend_and_concat",
        "attention",
        "self_attention",
        "SelfAttention",
        "multi_head_attention",
        "MultiHeadAttention",
    ),
}


def found_in(exercise: str, source: str, added: Sequence[str] = ()) -> str:
    """Find the forbidden thing that an answer cell's code uses for its answer.

    Read are the definition of the answer and what it calls in the same cell, or in cells of the student's own;
    comments, texts and the rest of the cells are free. A cell that cannot be read holds nothing.

    Example:
        >>> found_in("attention", "import torch.nn.functional as F\\nattention = F.scaled_dot_product_attention")
        'torch.nn.functional.scaled_dot_product_attention'
        >>> found_in("attention", "def attention(query, key, value):  # not F.scaled_dot_product_attention\\n    ...")
        ''
    """
    sources = [*added, source]
    words = {name.rpartition(".")[2] for name in (*ready_made(exercise), "course_attention")}
    if not any(word in one for word in words for one in sources):
        return ""
    aliases = _COMMON | {found.name: found.full for one in sources for found in facts(one).imports}
    for name in _used(exercise, facts(source).tree, [facts(one).tree for one in added]):
        first, *rest = name.split(".")
        full = ".".join([aliases.get(first, first), *rest])
        if full in _forbidden(exercise):
            return full
    return ""


# What the notebooks' first cells import; a name of one's own for it is followed as well.
_COMMON = {"F": "torch.nn.functional", "nn": "torch.nn", "np": "numpy"}


@cache
def _forbidden(exercise: str) -> frozenset[str]:
    own = {f"course_attention.{name}" for name in (exercise, *CONTAINING.get(exercise, ()))}
    later = [name for name, other in CATALOGUE.items() if other.notebook > CATALOGUE[exercise].notebook]
    own |= {f"course_attention.{name}" for name in later}
    homes = {
        f"course_attention.mechanisms.{topic_of(name.split('.')[1]).name}.{name.split('.')[1]}"
        for name in own
    }
    return frozenset({*ready_made(exercise), *own, *homes})


def _used(exercise: str, module: ast.Module, around: Sequence[ast.Module]) -> Iterator[str]:
    """Yield the dotted names in the answer's definition, and in those of the other definitions that it names.

    A name that a function binds itself is no other's.
    """
    defined: dict[str, list[ast.stmt]] = {}
    for other in around:
        found = _definitions(other)
        defined |= {
            name: nodes for name, nodes in found.items() if name not in CATALOGUE and _stands_for(nodes)
        }
    defined |= _definitions(module)
    seen, left = set(), [exercise]
    while left:
        name = left.pop()
        if name in seen:
            continue
        seen.add(name)
        for node in defined.get(name, ()):
            bound = _bound(node)
            for inner in ast.walk(node):
                if not isinstance(inner, (ast.Name, ast.Attribute)):
                    continue
                dotted = _dotted(inner)
                if dotted and dotted.split(".")[0] not in bound:
                    yield dotted
                    left.append(dotted)


def _definitions(module: ast.Module) -> dict[str, list[ast.stmt]]:
    defined: dict[str, list[ast.stmt]] = {}
    for node in module.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            defined.setdefault(node.name, []).append(node)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    defined.setdefault(target.id, []).append(node)
    return defined


def _stands_for(nodes: Sequence[ast.stmt]) -> bool:
    """Whether a name is a function, a class, or another name for one, rather than the result of a call."""
    value = getattr(nodes[-1], "value", None)
    partial = isinstance(value, ast.Call) and _dotted(value.func).endswith("partial")
    return partial or not isinstance(value, ast.Call)


def _bound(node: ast.stmt) -> set[str]:
    """Return the names that a function or class binds: its arguments and what it assigns."""
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return set()
    stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored | {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}


def _dotted(node: ast.AST) -> str:
    """Return the name that a node stands for, as in "torch.nn.Softmax"; "" where it has none, or a very long one."""
    names: list[str] = []
    while isinstance(node, ast.Attribute) and len(names) < _MOST_DOTS:
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""
