"""Submissions made on the spot, and one sandbox for all that run."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import nbformat
import pytest

from course_attention.course import helper_source
from course_attention.course.workspace import course_notebooks
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run.grader import Grader
from course_attention.grading.sandbox.limits import Limits
from course_attention.grading.sandbox.sandbox import Sandbox

SEED = 20_26
FIRST, SECOND = "00_start_here", "01_seq2seq_attention"
needs_bubblewrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")


def course_path(stem: str) -> Path:
    return next(path for path in course_notebooks() if path.stem == stem)


def filled(
    stem: str, answers: Mapping[str, str] | None = None, added: Mapping[str, str] | None = None
) -> bytes:
    """A course notebook with answers in its cells, the course's own unless given, and cells added behind others.

    Args:
        stem: of the notebook.
        answers: exercise → source; None leaves the stub.
        added: exercise → source of a cell that stands before its answer.
    """
    notebook = nbformat.read(course_path(stem), as_version=4)
    cells = []
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        if cell.metadata.get("nbgrader", {}).get("solution"):
            given = (answers or {}).get(name, helper_source.own_source(name))
            cell.source = cell.source if given is None else given
            if name in (added or {}):
                cells.append(nbformat.v4.new_code_cell(added[name]))
        cells.append(cell)
    notebook.cells = cells
    return json.dumps(notebook).encode()


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """A sandbox with little time for each exercise."""
    with Sandbox(limits=Limits(seconds=20.0)) as one:
        yield one


@pytest.fixture
def graded(sandbox: Sandbox) -> Callable[..., dict]:
    """Grades a notebook made of answers and added cells."""

    def grade(
        stem: str, answers: Mapping[str, str] | None = None, added: Mapping[str, str] | None = None
    ) -> dict:
        submission = Submission.made_here("ada", stem)
        return Grader(sandbox, SEED).grade(submission, filled(stem, answers, added))

    return grade
