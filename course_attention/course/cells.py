"""Reads the cells of the course's own notebooks, and says what each is for and which exercise it belongs to."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from course_attention.course.as_taught import as_taught
from course_attention.course.cell_matching import Identity
from course_attention.course.workspace import course_notebooks

Role = Literal["provided", "demo", "answer", "check", "practice", "text"]


@dataclass(frozen=True)
class CourseCell:
    """A cell of a course notebook.

    Attributes:
        id: the cell's id.
        role: "provided" runs as it is, "demo" only demonstrates, "answer" and "check" belong to an exercise. "practice"
            is what a student writes for no points, and its check.
        name: the exercise of an answer or check cell; of practice its name, with "check-" in front for its check;
            else "".
        source: its text.
        points: what the exercise is worth, for answer and check cells.
    """

    id: str
    role: Role
    name: str
    source: str
    points: float

    @property
    def grade_id(self) -> str:
        """Its name in the notebook's metadata, "" where it belongs to no exercise and no practice."""
        return f"check-{self.name}" if self.role == "check" else self.name

    @property
    def identity(self) -> Identity:
        """What it is known by."""
        return Identity(self.id, self.grade_id, self.source, is_answer=self.role == "answer")


@dataclass(frozen=True)
class CourseNotebook:
    """A course notebook.

    Attributes:
        stem: its file's name without the ending.
        cells: its cells, in order.
    """

    stem: str
    cells: tuple[CourseCell, ...]

    @property
    def exercises(self) -> tuple[str, ...]:
        """The exercises, in the order in which they are asked."""
        return tuple(cell.name for cell in self.cells if cell.role == "answer")


def course_notebook(stem: str) -> CourseNotebook | None:
    """Return a notebook of the course, or None where the course has none of that name.

    Example:
        >>> course_notebook("00_start_here").exercises
        ('softmax',)
    """
    path = _paths().get(stem)
    return _read(path) if path else None


def own_notebook(stem: str) -> CourseNotebook:
    """Return a notebook of the course that is known to be there.

    Raises:
        KeyError: the course has none of that name.
    """
    return _read(_paths()[stem])


def course_stems() -> tuple[str, ...]:
    """Return the stems of the course's notebooks, in the course's order."""
    return tuple(_paths())


def asking_stems() -> tuple[str, ...]:
    """Return the stems of the notebooks that ask exercises, in the course's order: those with something to judge.

    Example:
        >>> asking_stems()[0]
        '00_start_here'
    """
    return tuple(stem for stem in course_stems() if own_notebook(stem).exercises)


@cache
def _paths() -> dict[str, Path]:
    return {path.stem: path for path in course_notebooks()}


@cache
def _read(path: Path) -> CourseNotebook:
    cells = json.loads(as_taught(path))["cells"]
    points = {_exercise(cell): float(_nbgrader(cell)["points"]) for cell in cells if _role(cell) == "check"}
    return CourseNotebook(
        path.stem,
        tuple(
            CourseCell(
                id=cell["id"],
                role=_role(cell),
                name=(name := _exercise(cell)),
                source="".join(cell["source"]),
                points=points.get(name, 0.0),
            )
            for cell in cells
        ),
    )


def _nbgrader(cell: dict[str, Any]) -> dict[str, Any]:
    nbgrader: dict[str, Any] = cell["metadata"].get("nbgrader", {})
    return nbgrader


def _role(cell: dict[str, Any]) -> Role:
    if cell["cell_type"] != "code":
        return "text"
    if _nbgrader(cell).get("solution"):
        return "answer"
    if _nbgrader(cell).get("grade"):
        return "check"
    if cell["metadata"].get("practice"):
        return "practice"
    return "demo" if "demo" in cell["metadata"].get("tags", ()) else "provided"


def _exercise(cell: dict[str, Any]) -> str:
    practice = str(cell["metadata"].get("practice", ""))
    return practice or str(_nbgrader(cell).get("grade_id", "")).removeprefix("check-")
