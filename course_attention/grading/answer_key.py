"""The notebooks, solved with the course's own helpers, as the last hint shows them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import course_attention
from course_attention.grading.course import course_notebook, course_stems
from course_attention.grading.filling import Notebook, as_bytes, blank, fill
from course_attention.grading.solutions import topic_of


def write_answer_key(folder: Path) -> list[Path]:
    """Write every notebook of the course, solved.

    Args:
        folder: where they go; made when it is not there.

    Returns:
        The files, in the course's order.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{stem}.ipynb" for stem in course_stems()]
    for path in paths:
        path.write_bytes(as_bytes(solved(path.stem)))
    return paths


def solved(stem: str) -> Notebook:
    """A course notebook with a helper's source in each answer cell, and no outputs."""
    notebook = blank(stem)
    fill(notebook, {name: helper_text(name) for name in course_notebook(stem).exercises})
    return notebook


def helper_text(name: str) -> str:
    """A helper's source as it was written, comments included; a number's with the comment above it.

    Example:
        >>> print(helper_text("score_variance").splitlines()[-1])
        score_variance = 256
    """
    text, statements = _mechanisms(topic_of(name))
    statement = next(node for node in statements if _defines(node, name))
    lines = text.splitlines()
    above = [node.lineno for node in getattr(statement, "decorator_list", [])]
    start = min([statement.lineno, *above]) - 1
    if isinstance(statement, ast.Assign):
        while start and lines[start - 1].startswith("#"):
            start -= 1
    return "\n".join(lines[start : statement.end_lineno])


@cache
def _mechanisms(topic: str) -> tuple[str, list[ast.stmt]]:
    path = Path(course_attention.__file__).parent / "mechanisms" / f"{topic}.py"
    text = path.read_text(encoding="utf-8")
    return text, ast.parse(text).body


def _defines(statement: ast.stmt, name: str) -> bool:
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return statement.name == name
    return isinstance(statement, ast.Assign) and [ast.unparse(t) for t in statement.targets] == [name]
