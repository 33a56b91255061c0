"""nbgrader's own gradebook, filled through its API: what formgrader shows and `nbgrader export` writes.

The gradebook is the instructor's. What was entered in it by hand stays (manual scores, extra credit, manual comments,
the points of a cell that is there already), and nothing is removed from it. What is not graded has no score, and
formgrader lists it among what needs a manual grade.
"""

from __future__ import annotations

import math
import os
import re
import sysconfig
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from course_attention.course.cells import course_notebook
from course_attention.course.workspace import course_notebooks
from course_attention.grading.views.results import by_student
from course_attention.grading.views.wording import SUBMISSIONS

if TYPE_CHECKING:
    from nbgrader.api import Grade, Gradebook, SubmittedAssignment
    from sqlalchemy import URL

CHECK = "check-"  # and the exercise's name: a check cell's grade_id
_PATH = re.compile(r"(?<!\w)/|\.\.|\\")  # but not the stroke in 2026/02/02 or in Europe/Paris


class NoGradebook(Exception):
    """The gradebook cannot be filled; the message says why, and what to do."""


def check() -> None:
    """See that nbgrader is there, before a class is graded.

    Raises:
        NoGradebook: it is not.
    """
    try:
        import nbgrader.api  # noqa: F401 - whether it can be imported is the question
    except ImportError:
        raise NoGradebook(
            "nbgrader is not installed; type: pip install 'course-attention[instructor]'"
        ) from None


def write_gradebook(results: Path, database: str) -> str:
    """Fill a gradebook with the results of a class; the same results again change nothing.

    Where a submission has no assignment's folder, the assignment is named as the notebook.

    Args:
        results: the folder that holds the result files.
        database: a file, or an SQLAlchemy URL.

    Returns:
        A line that says what was written.

    Raises:
        NoGradebook: nbgrader is missing, or the database cannot be opened or refuses what is written.
    """
    check()
    from nbgrader.api import Gradebook, InvalidEntry
    from sqlalchemy.exc import SQLAlchemyError

    students = 0
    try:
        url = _url(database)
        with _scripts_on_path():
            gradebook = Gradebook(url)
        with gradebook:
            class_ = _Class(gradebook, url)
            for own in by_student(results):
                class_.add(own[0].record["student"], [one.record for one in own])
                students += 1
    except ImportError as error:
        raise NoGradebook(f"{database.partition(':')[0]} databases need {error.name}: install it") from error
    except (SQLAlchemyError, InvalidEntry) as error:
        why = str(getattr(error, "orig", error)).partition("\n")[0]
        raise NoGradebook(f"the gradebook cannot be filled: {why}") from error
    return f"gradebook: {url.render_as_string()}, {students} students"


def _url(database: str) -> URL:
    from sqlalchemy import URL, make_url

    return make_url(database) if "://" in database else URL.create("sqlite", database=database)


@contextmanager
def _scripts_on_path() -> Iterator[None]:
    """nbgrader asks the command `alembic` for its schema's version, which is beside Python, wherever that is."""
    before = os.environ.get("PATH", "")
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), before])
    try:
        yield
    finally:
        os.environ["PATH"] = before


@dataclass(frozen=True)
class _Notebook:
    """A notebook of an assignment as the gradebook has it.

    Attributes:
        id: the notebook's.
        assignment_id: the assignment's.
        graded: name of a cell with points → its id, its points.
        commented: name of a cell that takes a comment → its id.
    """

    id: str
    assignment_id: str
    graded: dict[str, tuple[str, float]]
    commented: dict[str, str]


@dataclass
class _Class:
    """Adds students to a gradebook; keeps of it only what its notebooks are."""

    gradebook: Gradebook
    url: URL
    notebooks: dict[tuple[str, str], _Notebook] = field(default_factory=dict)

    def add(self, student: str, records: list[dict[str, Any]]) -> None:
        """Add or update one student; files that are none of the course's notebooks have no place in a gradebook."""
        self.gradebook.update_or_create_student(student)
        for record in records:
            if record["max_score"] is not None:
                self._add(record)
        self.gradebook.db.commit()
        self.gradebook.db.expunge_all()

    def _add(self, record: Mapping[str, Any]) -> None:
        from nbgrader.api import Comment, Grade, SubmittedNotebook

        scores, messages = _marks(record)
        notebook = self._notebook(record)
        submission = self._submission(record, notebook)
        known = (one for one in submission.notebooks if one.notebook_id == notebook.id)
        submitted = next(known, None) or SubmittedNotebook(notebook_id=notebook.id, assignment=submission)
        self.gradebook.db.add(submitted)
        grades = {grade.cell_id: grade for grade in submitted.grades}
        for name, (cell, points) in notebook.graded.items():
            grade = grades.get(cell) or Grade(cell_id=cell, notebook=submitted)
            if name in scores:
                _enter(grade, None if scores[name] is None else round(scores[name] * points, 2))
        comments = {comment.cell_id: comment for comment in submitted.comments}
        for name, cell in notebook.commented.items():
            comment = comments.get(cell) or Comment(cell_id=cell, notebook=submitted)
            comment.auto_comment = messages.get(name, comment.auto_comment)
        self.gradebook.db.add_all([*submitted.grades, *submitted.comments])

    def _submission(self, record: Mapping[str, Any], notebook: _Notebook) -> SubmittedAssignment:
        from nbgrader.api import MissingEntry, SubmittedAssignment

        try:
            submission = self.gradebook.find_submission(_assignment(record), record["student"])
        except MissingEntry:
            submission = SubmittedAssignment(
                assignment_id=notebook.assignment_id, student_id=record["student"]
            )
            self.gradebook.db.add(submission)
        submission.timestamp = _utc(record["submitted"]) or submission.timestamp
        return submission

    def _notebook(self, record: Mapping[str, Any]) -> _Notebook:
        """The notebook, with a cell for each of the record's exercises."""
        place = (record["notebook"], _assignment(record))
        if place not in self.notebooks:
            self.notebooks[place] = self._found(*place)
        notebook = self.notebooks[place]
        for entry in record["exercises"]:  # those of another version of the course may have no cell yet
            name, points = entry["name"], entry["points"]
            if CHECK + name not in notebook.graded:
                cell = self.gradebook.add_grade_cell(CHECK + name, *place, max_score=points, cell_type="code")
                notebook.graded[CHECK + name] = (cell.id, cell.max_score)
            if name not in notebook.commented:
                notebook.commented[name] = self.gradebook.add_solution_cell(name, *place).id
        return notebook

    def _found(self, stem: str, assignment: str) -> _Notebook:
        from nbgrader.api import MissingEntry

        self.gradebook.update_or_create_assignment(assignment)
        try:
            found = self.gradebook.find_notebook(stem, assignment)
        except MissingEntry:
            _save_cells(stem, assignment, self.url)
            found = self.gradebook.find_notebook(stem, assignment)
        return _Notebook(
            found.id,
            found.assignment_id,
            {cell.name: (cell.id, cell.max_score) for cell in found.grade_cells + found.task_cells},
            {cell.name: cell.id for cell in found.solution_cells + found.task_cells},
        )


def _assignment(record: Mapping[str, Any]) -> str:
    return record["assignment"] or record["notebook"]


def _save_cells(stem: str, assignment: str, url: URL) -> None:
    """Enter a course notebook's cells, with nbgrader's own tools."""
    from nbgrader.nbgraderformat import read
    from nbgrader.preprocessors import ComputeChecksums, SaveCells

    path = next(path for path in course_notebooks() if path.stem == stem)
    content = read(path, as_version=4)
    resources = {"nbgrader": {"notebook": stem, "assignment": assignment, "db_url": url}}
    for step in (ComputeChecksums(), SaveCells()):
        content, resources = step.preprocess(content, resources)


def _marks(record: Mapping[str, Any]) -> tuple[dict[str, float | None], dict[str, str]]:
    """Scores (0 to 1, None where not graded) by check cell, and messages by answer cell."""
    if record["score"] is not None:
        entries = record["exercises"]
        return (
            {CHECK + entry["name"]: entry["score"] for entry in entries},
            {entry["name"]: entry["message"] for entry in entries},
        )
    why = "\n".join([f"Not graded: {SUBMISSIONS['malformed']}.", *record["notes"]])
    notebook = course_notebook(record["notebook"])
    names = notebook.exercises if notebook else ()
    return dict.fromkeys([CHECK + name for name in names]), dict.fromkeys(names, why)


def _enter(grade: Grade, score: float | None) -> None:
    """Enter a score as nbgrader does: where a person has graded before, a new score asks for another look."""
    before = grade.auto_score
    unknown = before is None or score is None
    # Some databases keep six digits.
    if before is not score if unknown else not math.isclose(before, score, rel_tol=1e-5):
        grade.auto_score = score
        grade.needs_manual_grade = score is None or grade.manual_score is not None


def _utc(timestamp: str) -> datetime | None:
    """The time that timestamp.txt names, as nbgrader reads it; None where it names none."""
    from nbgrader.utils import parse_utc

    # A student may have written it; and a time zone that is a path would be opened, and read as a time zone's file.
    if _PATH.search(timestamp):
        return None
    try:
        return parse_utc(timestamp)
    except (ValueError, OverflowError, TypeError):
        return None
