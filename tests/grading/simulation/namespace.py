"""What a notebook's answers find when they run, without the sandbox."""

from __future__ import annotations

import ast
from typing import Any

import course_attention
from course_attention.course.cells import course_notebook


def defined(stem: str, exercise: str, source: str) -> Any:
    """Give what an answer defines, run after the imports of the notebook's first cell and the course's own helpers."""
    notebook = course_notebook(stem)
    first = next(cell for cell in notebook.cells if cell.role == "provided")
    statements = [node for node in ast.parse(first.source).body if isinstance(node, ast.Import | ast.ImportFrom)]
    names: dict[str, Any] = {name: getattr(course_attention, name) for name in notebook.exercises}
    exec(compile(ast.Module(statements, []), first.id, "exec"), names)
    exec(source, names)
    return names[exercise]
