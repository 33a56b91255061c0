"""Submissions made on the spot, and one sandbox for all that run."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import nbformat
import pytest

from course_attention.course import helper_source
from course_attention.course.workspace import course_notebooks
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run import grade_class
from course_attention.grading.run.scheduling import tasks
from course_attention.grading.run.scheduling.executors import Workers
from course_attention.grading.run.submission.grader import Grader
from course_attention.grading.sandbox.limits import Limits
from course_attention.grading.sandbox.sandbox import Sandbox

SEED = 20_26
FIRST, SECOND = "00_start_here", "01_seq2seq_attention"
needs_bubblewrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")


def course_path(stem: str) -> Path:
    return next(path for path in course_notebooks() if path.stem == stem)


def filled(stem: str, answers: Mapping[str, str] | None = None, added: Mapping[str, str] | None = None) -> bytes:
    """Make a course notebook with answers in its cells, the course's own unless given, and cells added behind others.

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
    """Give a sandbox with little time for each exercise."""
    with Sandbox(limits=Limits(seconds=20.0)) as one:
        yield one


@pytest.fixture
def graded(sandbox: Sandbox) -> Callable[..., dict]:
    """Grades a notebook made of answers and added cells."""

    def grade(stem: str, answers: Mapping[str, str] | None = None, added: Mapping[str, str] | None = None) -> dict:
        submission = Submission.made_here("ada", stem)
        return Grader(sandbox, SEED).grade(submission, filled(stem, answers, added))

    return grade


class _AtOnce(Executor):
    """Runs each task at once, in this process, in a sandbox that is there already.

    Args:
        sandbox: for all tasks, each with its own limits.
        kept: what `tasks` knows of the sandbox that it keeps.
    """

    def __init__(self, sandbox: Sandbox, kept: SimpleNamespace) -> None:
        self._sandbox, self._kept = sandbox, kept

    def submit(self, function: Callable[..., Any], task: tasks.Task) -> Future:  # type: ignore[override]
        asked = task.settings
        assert (asked.isolation, asked.device) == (self._sandbox.isolation, self._sandbox.device)
        self._sandbox.limits = asked.limits
        self._kept.sandbox, self._kept.wanted = (
            self._sandbox,
            (asked.isolation, asked.device, asked.limits),
        )
        future: Future = Future()
        future.set_result(function(task))
        return future


@pytest.fixture
def in_this_process(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """`grade` runs its tasks in this process and in the sandbox of all tests, whatever workers it is asked for.

    Workers of its own, each with a sandbox, take seconds to start. The tests of the command promise what they do.
    """
    kept = SimpleNamespace()
    workers = Workers(lambda: _AtOnce(sandbox, kept), in_flight=1, at_once=1)
    monkeypatch.setattr(tasks, "_kept", kept)
    monkeypatch.setattr(grade_class, "_workers", lambda *_: contextlib.nullcontext(workers))
    before = sandbox.limits
    yield
    sandbox.limits = before
