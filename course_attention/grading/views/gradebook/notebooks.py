"""The course's notebooks in a gradebook: the cells that have points, and those that take a comment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from course_attention.course.as_taught import as_taught
from course_attention.course.workspace import course_notebooks
from course_attention.grading.views.gradebook.marks import CHECK, assignment_of

if TYPE_CHECKING:
    from nbgrader.api import Gradebook
    from sqlalchemy import URL


@dataclass(frozen=True)
class Notebook:
    """A notebook of an assignment as the gradebook has it.

    Attributes:
        id: the notebook's id.
        assignment_id: the assignment's id.
        graded: name of a cell with points → the cell's id and its points.
        commented: name of a cell that takes a comment → the cell's id.
    """

    id: str
    assignment_id: str
    graded: dict[str, tuple[str, float]]
    commented: dict[str, str]


class Notebooks:
    """Finds the course's notebooks in a gradebook, and enters those that it does not have yet."""

    def __init__(self, gradebook: Gradebook, url: URL) -> None:
        self._gradebook = gradebook
        self._url = url
        self._found: dict[tuple[str, str], Notebook] = {}

    def of(self, record: Mapping[str, Any]) -> Notebook:
        """Return the notebook of a result, with a cell for each of the result's exercises."""
        key = (record["notebook"], assignment_of(record))
        if key not in self._found:
            self._found[key] = self._find(*key)
        notebook = self._found[key]
        # A result of another version of the course may have exercises that have no cell yet.
        for entry in record["exercises"]:
            name, points = entry["name"], entry["points"]
            if CHECK + name not in notebook.graded:
                cell = self._gradebook.add_grade_cell(CHECK + name, *key, max_score=points, cell_type="code")
                notebook.graded[CHECK + name] = (cell.id, cell.max_score)
            if name not in notebook.commented:
                notebook.commented[name] = self._gradebook.add_solution_cell(name, *key).id
        return notebook

    def _find(self, stem: str, assignment: str) -> Notebook:
        from nbgrader.api import MissingEntry

        self._gradebook.update_or_create_assignment(assignment)
        try:
            found = self._gradebook.find_notebook(stem, assignment)
        except MissingEntry:
            _save_cells(stem, assignment, self._url)
            found = self._gradebook.find_notebook(stem, assignment)
        return Notebook(
            found.id,
            found.assignment_id,
            {cell.name: (cell.id, cell.max_score) for cell in found.grade_cells + found.task_cells},
            {cell.name: cell.id for cell in found.solution_cells + found.task_cells},
        )


def _save_cells(stem: str, assignment: str, url: URL) -> None:
    """Enter a course notebook's cells, with nbgrader's own tools."""
    from nbgrader.nbgraderformat import reads
    from nbgrader.preprocessors import ComputeChecksums, SaveCells

    path = next(path for path in course_notebooks() if path.stem == stem)
    content = reads(as_taught(path).decode(), as_version=4)
    resources = {"nbgrader": {"notebook": stem, "assignment": assignment, "db_url": url}}
    for step in (ComputeChecksums(), SaveCells()):
        content, resources = step.preprocess(content, resources)
