"""Verifies one notebook: its metadata, and that it runs to its end blank and solved, here and in the sandbox."""

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from course_attention.course.answer_key import solved
from course_attention.course.as_taught import as_taught
from course_attention.course.filling import Notebook, as_bytes, blank
from course_attention.exercises import CATALOGUE
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run.submission.grader import Grader
from course_attention.grading.sandbox.bubblewrap import NoSandbox
from course_attention.grading.sandbox.sandbox import Sandbox
from course_attention.own_course.finding import Finding, finding

_SECONDS = 600  # for a cell
_NO_CLIENT = "not tried: nbclient is not installed; type: pip install 'course-attention[lab]'"


def verify_notebook(path: Path, sandbox: Sandbox) -> Iterator[Finding]:
    """Verify a notebook of the active course.

    Args:
        path: its file.
        sandbox: in which it is graded, solved.
    """
    stem, cells = path.stem, json.loads(as_taught(path))["cells"]
    names = [entry.name for entry in CATALOGUE.values() if entry.notebook == stem]
    faults = [fault for name in names for fault in metadata_faults(name, cells)]
    ids = [cell.get("id", "") for cell in cells]
    faults += [f"each cell must have an id of its own; {id!r} is given {ids.count(id)} times" for id in _twice(ids)]
    yield finding(stem, "metadata", faults, f"answer and check cells are in place: {', '.join(names) or 'none'}")
    if faults:
        return
    yield _run(stem, "runs blank", blank(stem), dict.fromkeys(names, 0.0))
    yield _run(stem, "runs solved", solved(stem), {name: CATALOGUE[name].points for name in names})
    if names:
        yield _graded(stem, sandbox)


def metadata_faults(name: str, cells: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what is wrong with the cells of an exercise."""
    about = [cell["metadata"].get("nbgrader", {}) for cell in cells]
    answers = [i for i, one in enumerate(about) if one.get("solution") and one.get("grade_id") == name]
    checks = [i for i, one in enumerate(about) if one.get("grade") and one.get("grade_id") == f"check-{name}"]
    if len(answers) != 1 or len(checks) != 1 or checks[0] < answers[0]:
        yield (
            f"{name} must have one answer cell (grade_id {name!r}, solution true) and after it one check cell "
            f"(grade_id 'check-{name}', grade true, locked true); got {len(answers)} and {len(checks)}"
        )
        return
    stub, check = "".join(cells[answers[0]]["source"]), "".join(cells[checks[0]]["source"])
    if f'check("{name}")' not in check or f'points("{name}")' not in check.rstrip().splitlines()[-1]:
        yield f'the check cell of {name} must hold {name} = check("{name}") and end with points("{name}")'
    if not about[checks[0]].get("locked"):
        yield f"the check cell of {name} must be locked, so that nbgrader puts it back"
    if CATALOGUE[name].judge(_defined(stub, name)).status != "not_attempted":
        yield (
            f"the answer cell of {name} must hold no answer: a function that raises NotImplementedError, or "
            f"{name} = None"
        )
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    if not re.search(rf"\*\*Exercise `{name}`\*\*[^\n]* points?\b", text):
        yield f"a text must say **Exercise `{name}`** and its points in one line, as in: · about 10 minutes · 1 point"


def _defined(source: str, name: str) -> Any:
    """Return what a stub defines; the course's own code, so that it may run here."""
    names: dict[str, Any] = {"__name__": "stub"}
    try:
        exec("import numpy as np\nimport torch\nfrom torch import nn", names)
        exec(source, names)
    except Exception:  # noqa: BLE001 - a stub that needs more than this to run says nothing about itself
        return None
    return names.get(name)


def _twice(ids: list[str]) -> list[str]:
    return sorted({id for id in ids if ids.count(id) > 1})


def _run(stem: str, looked_at: str, notebook: Notebook, expected: dict[str, float]) -> Finding:
    """Run a notebook from top to bottom without its demonstrations, and look at the points that its checks give."""
    try:
        import nbformat
        from nbclient import NotebookClient
        from nbclient.exceptions import CellExecutionError
    except ImportError:
        return Finding(stem, looked_at, "look", _NO_CLIENT)
    kept = [cell for cell in notebook["cells"] if "demo" not in cell["metadata"].get("tags", ())]
    node = nbformat.reads(as_bytes({**notebook, "cells": kept}).decode(), as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(node, timeout=_SECONDS, resources={"metadata": {"path": folder}})
        try:
            client.execute(env=dict(os.environ), stderr=subprocess.DEVNULL)
        except CellExecutionError as error:
            said = str(error).strip().splitlines()
            return Finding(stem, looked_at, "bad", f"expected to run to its end; a cell raised {said[-1]}")
    earned = {}
    for cell in node["cells"]:
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        if grade_id.startswith("check-"):
            shown = [output["data"]["text/plain"] for output in cell["outputs"] if "data" in output]
            earned[grade_id.removeprefix("check-")] = float(shown[-1].splitlines()[-1])
    wrong = [f"{n} must earn {p:g} points; got {earned.get(n)}" for n, p in expected.items() if earned.get(n) != p]
    return finding(stem, looked_at, wrong, f"to its end, {sum(expected.values()):g} points")


def _graded(stem: str, sandbox: Sandbox) -> Finding:
    """Grade a notebook blank, by which each solution is handed over in the sandbox, and solved."""
    looked_at = "graded"
    submission = Submission.made_here("author", stem)
    try:
        grader = Grader(sandbox, seed=0)
        empty = grader.grade(submission, as_bytes(blank(stem)))
        record = grader.grade(submission, as_bytes(solved(stem)))
    except NoSandbox as reason:
        return Finding(stem, looked_at, "look", f"not tried: {reason}")
    faults = [f"blank, it should be graded without a remark; got: {note}" for note in empty["student_notes"]]
    faults += [f"{one['name']}: {one['message']}" for one in record["exercises"] if one["status"] != "passed"]
    faults += [f"solved: {note}" for note in record["student_notes"]]
    good = f"solved, it earns {record['score']} of {record['max_score']:g} points in the sandbox"
    return finding(stem, looked_at, faults, good)
