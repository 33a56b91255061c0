"""Puts answers into the course's notebooks, and writes these as Jupyter would."""

import copy
import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from course_attention.course.as_taught import as_taught
from course_attention.course.workspace import course_notebooks, without_outputs

Notebook = dict[str, Any]


def blank(stem: str) -> Notebook:
    """Copy a course notebook without its outputs. Cell ids and metadata stay as they are."""
    return copy.deepcopy(_cleared(stem))


def fill(notebook: Notebook, answers: Mapping[str, str]) -> None:
    """Put answers into the answer cells of a notebook, which is changed.

    Args:
        notebook: what `blank` has returned.
        answers: exercise or practice → source; the other cells stay as they are.
    """
    for cell in notebook["cells"]:
        if (name := answered(cell) or practised(cell)) in answers:
            cell["source"] = answers[name].splitlines(keepends=True)


def answered(cell: Mapping[str, Any]) -> str:
    """Return the exercise whose answer belongs into a cell, "" where the cell is not for an answer."""
    nbgrader = cell["metadata"].get("nbgrader", {})
    return str(nbgrader["grade_id"]) if nbgrader.get("solution") else ""


def practised(cell: Mapping[str, Any]) -> str:
    """Return the practice that a cell is for, "" where it is for none."""
    name = str(cell["metadata"].get("practice", ""))
    return "" if name.startswith("check-") else name


def as_bytes(notebook: Notebook) -> bytes:
    """Return the bytes of the file that Jupyter would write."""
    return (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode()


@cache
def _cleared(stem: str) -> Notebook:
    path = next(path for path in course_notebooks() if path.stem == stem)
    notebook: Notebook = json.loads(without_outputs(as_taught(path)))
    return notebook
