"""Takes the source of a helper out of the file that is its home, a topic's in `mechanisms` or one of the author's.

What the course goes on with where practice is not written yet has a file of its own in `practice`.

The files are parsed, not imported, so that the grader needs no torch. The last hint, `solution`, the answer key and the
grader all take a helper's source from here; the sandbox, which cannot read these files, is sent it.
"""

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import course_attention
from course_attention import topics
from course_attention.active_course import active
from course_attention.course.free_names import used_names

_PACKAGE = Path(course_attention.__file__).parent
_MECHANISMS = _PACKAGE / "mechanisms"
_TOPIC_OF_PRACTICE = {name: topic.name for topic in topics.TOPICS for name in topic.practice}
_OWN = "own_"  # begins the home of what an author's file defines, so that it is no topic's


def home_of(name: str) -> str:
    """Return where a helper is defined: the topic whose file holds it, or "own_" and the name of the author's file.

    Raises:
        KeyError: no helper has that name.

    Example:
        >>> home_of("attend_and_concat")
        'seq2seq'
    """
    own = active().homes.get(name)
    return topics.topic_of(name).name if own is None else f"{_OWN}{own.stem}"


def helpers_of(home: str) -> tuple[str, ...]:
    """Return all public helpers of a home."""
    if home.startswith(_OWN):
        return tuple(name for name in active().homes if home_of(name) == home)
    return next((*one.exercises, *one.helpers) for one in topics.TOPICS if one.name == home)


def homes() -> tuple[str, ...]:
    """Return every home: the topics with helpers in the order taught, then the author's files."""
    ours = [one.name for one in topics.TOPICS if one.exercises or one.helpers]
    return (*ours, *dict.fromkeys(home_of(name) for name in active().homes))


def source_of(home: str, names: Iterable[str], without: Iterable[str] = ()) -> str:
    """Return source that defines some helpers of a home, with everything in its file that they use, imports included.

    Args:
        home: where they are defined.
        names: the helpers.
        without: names that are left out, with what only they use: something else defines them.
    """
    _, module = _module(home)
    defined = {name: node for node in module.body for name in _defines(node)}
    wanted, used, left = set(), {"annotations"}, list(names)
    while left:
        name = left.pop()
        used.add(name)
        if name in defined and name not in wanted and name not in without:
            wanted.add(name)
            left += used_names(ast.unparse(defined[name]))
    kept = [node for node in module.body if used.intersection(_imported(node)) or wanted.intersection(_defines(node))]
    return "\n".join(ast.unparse(node) for node in kept)


def own_source(name: str) -> str:
    """Return the source of one helper, or of what practice is given, as it was written, comments included.

    A number comes with the comment above it, which derives it.

    Raises:
        KeyError: its home does not define it.

    Example:
        >>> print(own_source("score_variance").splitlines()[-1])
        score_variance = 256
    """
    lines, module = _practice(name) if name in _TOPIC_OF_PRACTICE else _module(home_of(name))
    statement = next((node for node in module.body if name in _defines(node)), None)
    if statement is None:
        raise KeyError(name)
    above = [node.lineno for node in getattr(statement, "decorator_list", [])]
    start = min([statement.lineno, *above]) - 1
    if isinstance(statement, ast.Assign):
        while start and lines[start - 1].startswith("#"):
            start -= 1
    return "\n".join(lines[start : statement.end_lineno])


@cache
def _module(home: str) -> tuple[list[str], ast.Module]:
    """Return the lines of a home's file, and their tree."""
    own = {f"{_OWN}{path.stem}": path for path in active().homes.values()}
    text = own.get(home, _MECHANISMS / f"{home}.py").read_text(encoding="utf-8")
    return text.splitlines(), ast.parse(text)


@cache
def _practice(name: str) -> tuple[list[str], ast.Module]:
    """Return the lines of the file of a task, and their tree."""
    text = (_PACKAGE / "practice" / _TOPIC_OF_PRACTICE[name] / f"{name}.py").read_text(encoding="utf-8")
    return text.splitlines(), ast.parse(text)


def _imported(node: ast.stmt) -> list[str]:
    if not isinstance(node, (ast.Import, ast.ImportFrom)):
        return []
    return [alias.asname or alias.name.split(".")[0] for alias in node.names]


def _defines(node: ast.stmt) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]
