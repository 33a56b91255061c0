"""Finds the files of the package that a piece of a notebook computes with, without running it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from course_attention.topics import TOPICS

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "course_attention"
PRACTICE = {name: topic.name for topic in TOPICS for name in topic.practice}
TOPIC_OF = {name: topic.name for topic in TOPICS for name in (*topic.exercises, *topic.helpers)}


def code_of(notebook: Path) -> list[str]:
    """Return the source of each code cell of a notebook's file."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def computes_with(sources: Sequence[str]) -> set[Path]:
    """Return the files of the package that these cells import, directly or over others.

    Some imports are not written as such: `course_attention` loads a helper by its name, and the catalogue an exercise
    or practice. So each name of a helper or an exercise that occurs in the code counts as an import of the helper. An
    exercise counts where it is checked: `mine` asks of it only whether there is such an exercise. Each name of practice
    counts as an import of its file.

    Args:
        sources: code cells.
    """
    code = "\n".join(sources)
    words = set(re.findall(r"\w+", code))
    checked = set(re.findall(r"""\b(?:check|hint|points)\(["'](\w+)["']""", code))
    modules = {module for source in sources for module in _mentioned(_parsed(source))}
    modules |= {f"course_attention.mechanisms.{TOPIC_OF[name]}" for name in words & set(TOPIC_OF)}
    modules |= {f"course_attention.exercises.{TOPIC_OF[name]}.{name}" for name in checked & set(TOPIC_OF)}
    modules |= {f"course_attention.practice.{PRACTICE[name]}.{name}" for name in words & set(PRACTICE)}
    return with_imports(file for module in modules for file in _files(module))


def with_imports(files: Iterable[Path]) -> set[Path]:
    """Return some files of the package or of its tests, and those that they import, directly or over others."""
    found: set[Path] = set()
    waiting = list(files)
    while waiting:
        if (file := waiting.pop()) not in found:
            found.add(file)
            waiting += _imported(file)
    return found


def _parsed(source: str) -> ast.AST:
    """Return a cell's tree; a line for IPython alone is left out."""
    return ast.parse(
        "\n".join("pass" if line.lstrip().startswith(("%", "!")) else line for line in source.splitlines())
    )


@cache
def _imported(file: Path) -> list[Path]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return [other for module in _mentioned(tree) for other in _files(module)]


def _mentioned(tree: ast.AST) -> Iterator[str]:
    """Yield what may be a module's name: it is imported, or a text of this form, for a process of its own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"course_attention(?:\.\w+)+", node.value)


@cache
def _files(module: str) -> list[Path]:
    """Return the files that run when a module, or a name of a module, is imported; none for what is not ours."""
    parts = module.split(".")
    if parts[0] not in (PACKAGE.name, "tests"):
        return []
    places = [ROOT.joinpath(*parts[:end]) for end in range(1, len(parts) + 1)]
    return [file for place in places for file in (place / "__init__.py", place.with_suffix(".py")) if file.is_file()]
