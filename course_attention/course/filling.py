"""The course's notebooks with answers in their cells, as they are written to files."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from course_attention.course.workspace import course_notebooks

Notebook = dict[str, Any]


def blank(stem: str) -> Notebook:
    """A copy of a course notebook, its outputs cleared; cell ids and metadata are the course's."""
    return copy.deepcopy(_cleared(stem))


def fill(notebook: Notebook, answers: Mapping[str, str]) -> None:
    """Put answers, exercise → source, into the notebook's answer cells."""
    for cell in notebook["cells"]:
        if (name := answered(cell)) in answers:
            cell["source"] = answers[name].splitlines(keepends=True)


def answered(cell: Mapping[str, Any]) -> str:
    """The exercise that a cell is there to answer, "" where it is not there for that."""
    nbgrader = cell["metadata"].get("nbgrader", {})
    return str(nbgrader["grade_id"]) if nbgrader.get("solution") else ""


def as_bytes(notebook: Notebook) -> bytes:
    """The file that Jupyter would write."""
    return (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode()


@cache
def _cleared(stem: str) -> Notebook:
    path = next(path for path in course_notebooks() if path.stem == stem)
    notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
    return notebook
