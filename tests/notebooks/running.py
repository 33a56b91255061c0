"""Notebooks run with their answer cells filled in."""

from __future__ import annotations

import ast
import copy
import os
import re
from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from course_attention.active_course.route import in_core
from course_attention.course.filling import practised
from course_attention.course.helper_source import own_source
from course_attention.topics import TOPICS
from tools.notebooks import FOLDER

NOTEBOOKS = [FOLDER / f"{topic.notebook}.ipynb" for topic in TOPICS if topic.exercises]
SECONDS = 300
FEW_STEPS = 20


def read(path: Path) -> dict:
    """Return the notebook, each cell's source as one text."""
    return nbformat.read(path, as_version=4)


def grade_id(cell: dict) -> str:
    """Return the exercise that a cell answers, "check-…" where it checks one, or ""."""
    return cell["metadata"].get("nbgrader", {}).get("grade_id", "")


def answered(notebook: dict, answers: Mapping[str, str]) -> dict:
    """Return the notebook with the source of these answer cells in place of the stubs."""
    filled = copy.deepcopy(notebook)
    for cell in filled["cells"]:
        if grade_id(cell) in answers:
            cell["source"] = answers[grade_id(cell)]
    return filled


def practice_written(notebook: dict) -> dict:
    """Return the notebook with its practice filled in; each check demands that the notebook's own function is used."""
    filled = copy.deepcopy(notebook)
    for cell in filled["cells"]:
        if name := practised(cell):
            cell["source"] = own_source(name)
        elif name := cell["metadata"].get("practice", "").removeprefix("check-"):
            cell["source"] += f'\nassert {name}.__module__ == "__main__"'
            cell["metadata"]["tags"] = ["nbval-ignore-output"]  # saved before anything was written
    return filled


def run(notebook: dict, folder: Path) -> dict:
    """Return the notebook after a run from top to bottom; a cell that raises stops it with an error."""
    node = nbformat.from_dict(notebook)
    client = NotebookClient(node, timeout=SECONDS, resources={"metadata": {"path": str(folder)}})
    client.execute(env=os.environ)
    return node


def without_demos(notebook: dict) -> dict:
    """Return the notebook without the cells that only demonstrate."""
    kept = [cell for cell in notebook["cells"] if "demo" not in cell["metadata"].get("tags", ())]
    return {**notebook, "cells": kept}


class _Unclaimed(ast.NodeTransformer):
    """Leaves out what is asserted."""

    def visit_Assert(self, node: ast.Assert) -> ast.Pass:
        return ast.copy_location(ast.Pass(), node)


def with_short_trainings(notebook: dict) -> dict:
    """Return the notebook with FEW_STEPS steps in each training, and without what it asserts of their ends.

    Which device a tensor is on, and which names a cell needs, shows in the first steps. nbval trains to the end.
    """
    shorter = copy.deepcopy(notebook)
    for cell in shorter["cells"]:
        if cell["cell_type"] != "code":
            continue
        cell["source"] = re.sub(r"\b(n_steps|max_steps)=\d+", rf"\1={FEW_STEPS}", cell["source"])
        if "claim" in cell["metadata"].get("tags", ()):
            cell["source"] = ast.unparse(_Unclaimed().visit(ast.parse(cell["source"])))
    return shorter


def core_first(notebook: dict) -> dict:
    """Return the notebook with the deeper sections below its core, as for somebody who comes to them at the end.

    One run then says of the core that it needs nothing of them, and of them that they run.
    """
    core = {cell["id"] for cell in in_core(notebook["cells"])}
    return {**notebook, "cells": sorted(notebook["cells"], key=lambda cell: cell["id"] not in core)}


def verdict_text(cell: dict) -> str:
    """All that a check cell shows, as plain text."""
    return "\n".join(output["data"]["text/plain"] for output in cell["outputs"] if "data" in output)


def verdicts(notebook: dict) -> dict[str, str]:
    """Return what each check cell showed, as text."""
    checks = [cell for cell in notebook["cells"] if grade_id(cell).startswith("check-")]
    return {grade_id(cell).removeprefix("check-"): verdict_text(cell) for cell in checks}


def points(notebook: dict) -> dict[str, float]:
    """Return the last expression of each check cell: what an autograder reads."""
    return {name: float(text.splitlines()[-1]) for name, text in verdicts(notebook).items()}
