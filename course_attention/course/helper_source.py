"""Takes the source of the course's own helpers out of `mechanisms`.

The files are parsed, not imported, so that the grader needs no torch. The last hint, the answer key and the grader all
take a helper's source from here; the sandbox, which cannot read these files, is sent it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import course_attention
from course_attention import topics

_MECHANISMS = Path(course_attention.__file__).parent / "mechanisms"


def topic_of(name: str) -> str:
    """Return the topic of a helper, which is the name of its file as well.

    Example:
        >>> topic_of("attend_and_concat")
        'seq2seq'
    """
    return topics.topic_of(name).name


def helpers_of(topic: str) -> tuple[str, ...]:
    """Return all public helpers of a topic."""
    return next((*one.exercises, *one.helpers) for one in topics.TOPICS if one.name == topic)


def topics_from(topic: str) -> tuple[str, ...]:
    """Return a topic and all topics with helpers that are taught after it."""
    names = tuple(one.name for one in topics.TOPICS if one.exercises or one.helpers)
    return names[names.index(topic) :]


def source_of(topic: str, names: Iterable[str], without: Iterable[str] = ()) -> str:
    """Return source that defines some helpers of a topic, with everything in its file that they use, imports included.

    Args:
        topic: the topic.
        names: the helpers.
        without: names that are left out, with what only they use: something else defines them.
    """
    _, module = _module(topic)
    defined = {name: node for node in module.body for name in _defines(node)}
    wanted, left = set(), list(names)
    while left:
        name = left.pop()
        if name in defined and name not in wanted and name not in without:
            wanted.add(name)
            left += [n.id for n in ast.walk(defined[name]) if isinstance(n, ast.Name)]
    kept = [
        node
        for node in module.body
        if isinstance(node, (ast.Import, ast.ImportFrom)) or wanted.intersection(_defines(node))
    ]
    return "\n".join(ast.unparse(node) for node in kept)


def own_source(name: str) -> str:
    """Return the source of one helper as it was written, comments included.

    A number comes with the comment above it, which derives it.

    Example:
        >>> print(own_source("score_variance").splitlines()[-1])
        score_variance = 256
    """
    lines, module = _module(topic_of(name))
    statement = next(node for node in module.body if name in _defines(node))
    above = [node.lineno for node in getattr(statement, "decorator_list", [])]
    start = min([statement.lineno, *above]) - 1
    if isinstance(statement, ast.Assign):
        while start and lines[start - 1].startswith("#"):
            start -= 1
    return "\n".join(lines[start : statement.end_lineno])


@cache
def _module(topic: str) -> tuple[list[str], ast.Module]:
    """Return the lines of a topic's file, and their tree."""
    text = (_MECHANISMS / f"{topic}.py").read_text(encoding="utf-8")
    return text.splitlines(), ast.parse(text)


def _defines(node: ast.stmt) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    targets = (
        node.targets
        if isinstance(node, ast.Assign)
        else [node.target]
        if isinstance(node, ast.AnnAssign)
        else []
    )
    return [target.id for target in targets if isinstance(target, ast.Name)]
