"""Finds in an answer what it should build itself: ready-made attention, or helpers of the course that contain it.

Naming one is free; using one in the answer is not. The answer's code is read, before it runs. A name that is put
together only when it runs is not found: SECURITY.md says so.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from course_attention.active_course import active
from course_attention.course.cell_source import facts
from course_attention.course.helper_source import home_of
from course_attention.exercises import CATALOGUE

_PUBLIC = "course_attention."
_MOST_DOTS = 20  # in a name; nothing that is forbidden has nearly as many


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
    words = {name.rpartition(".")[2] for name in (*CATALOGUE[exercise].exercise.ready_made, "course_attention")}
    if not any(word in one for word in words for one in sources):
        return ""
    around, own = _of_added(tuple(added)), _of(source)
    aliases = COMMON | around.aliases | own.aliases
    for name in _used(exercise, around.definitions | own.definitions):
        if told := _forbidden(exercise).get(full_name(name, aliases)):
            return told
    return ""


@dataclass(frozen=True)
class _Definition:
    """One definition of a name.

    Attributes:
        uses: the dotted names in it, without those that it binds itself.
        is_callable: it is a function, a class, or another name for one, rather than the result of a call.
    """

    uses: frozenset[str]
    is_callable: bool


@dataclass(frozen=True)
class _Names:
    """What cells say of names.

    Attributes:
        aliases: name that is imported → what it stands for.
        definitions: name → its definitions, in order.
    """

    aliases: dict[str, str]
    definitions: dict[str, list[_Definition]]


@lru_cache(maxsize=1)  # all exercises of a submission ask about the same cells
def _of_added(sources: tuple[str, ...]) -> _Names:
    """Read the cells that the student added. What a call returned there is not followed."""
    together = _Names({}, {})
    for source in sources:
        names = _of(source)
        together.aliases.update(names.aliases)
        together.definitions.update(
            {
                name: found
                for name, found in names.definitions.items()
                if name not in CATALOGUE and found[-1].is_callable
            }
        )
    return together


def _of(source: str) -> _Names:
    defined: dict[str, list[_Definition]] = {}
    for name, node in _definitions(facts(source).tree):
        defined.setdefault(name, []).append(_Definition(_names_in(node), _is_callable(node)))
    return _Names({found.name: found.full for found in facts(source).imports}, defined)


# What the notebooks' first cells import; a name of one's own for it is followed as well.
COMMON = {"F": "torch.nn.functional", "nn": "torch.nn", "np": "numpy"}


@cache
def _forbidden(exercise: str) -> dict[str, str]:
    """Return what an answer may not use: full name → the name that is told, for a helper its public one."""
    entry, topics = CATALOGUE[exercise], active().topics
    later = topics[topics.index(entry.topic) + 1 :]
    helpers = {exercise, *(name for topic in later for name in topic.exercises)}
    helpers |= {name.removeprefix(_PUBLIC) for name in entry.exercise.ready_made if name.startswith(_PUBLIC)}
    homes = {f"{_PUBLIC}mechanisms.{home_of(helper)}.{helper}": f"{_PUBLIC}{helper}" for helper in helpers}
    return homes | {name: name for name in (*homes.values(), *entry.exercise.ready_made)}


def _used(exercise: str, defined: Mapping[str, Sequence[_Definition]]) -> Iterator[str]:
    """Yield the dotted names in the answer's definition, and in those of the other definitions that it names."""
    if exercise not in defined:
        yield exercise  # it may be imported
    seen, left = set(), [exercise]
    while left:
        name = left.pop()
        if name in seen:
            continue
        seen.add(name)
        for definition in defined.get(name, ()):
            yield from definition.uses
            left += definition.uses


def _definitions(module: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Yield the names that are defined at the top of a cell, each with the statement that defines it."""
    for node in module.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, node
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for name in dict.fromkeys(target.id for target in targets if isinstance(target, ast.Name)):
                yield name, node


def _is_callable(node: ast.stmt) -> bool:
    value = getattr(node, "value", None)
    if not isinstance(value, ast.Call):
        return True
    called = dotted(value.func).rpartition(".")[2]
    return called == "partial" or called[:1].isupper()  # a class, such as nn.Softmax, makes a callable


def _names_in(node: ast.stmt) -> frozenset[str]:
    """Return the dotted names in a statement.

    A name that a function binds itself stands for a value; a method of that value, or of a call's, may be a tensor's.
    """
    bound, found = _bound(node), set()
    for inner in ast.walk(node):
        if isinstance(inner, (ast.Name, ast.Attribute)):
            name = dotted(inner)
            if name and name.split(".")[0] not in bound:
                found.add(name)
            elif isinstance(inner, ast.Attribute):
                found.add(f"torch.Tensor.{inner.attr}")
    return frozenset(found)


def _bound(node: ast.stmt) -> set[str]:
    """Return the names that a function or class binds: its arguments and what it assigns."""
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return set()
    stored = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored | {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}


def full_name(name: str, aliases: Mapping[str, str]) -> str:
    """Return a dotted name as the library has it, whatever its first part is called here.

    Example:
        >>> full_name("nn.Softmax", COMMON)
        'torch.nn.Softmax'
    """
    first, dot, rest = name.partition(".")
    return f"{aliases.get(first, first)}{dot}{rest}"


def dotted(node: ast.AST) -> str:
    """Return the name that a node stands for, as in "torch.nn.Softmax"; "" where it has none, or a very long one."""
    names: list[str] = []
    while isinstance(node, ast.Attribute) and len(names) < _MOST_DOTS:
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""
