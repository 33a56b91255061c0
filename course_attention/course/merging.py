"""A newer course in a student's notebook, cell by cell: provided cells from the course, everything else the student's.

Three versions meet: `mine`, the student's; `base`, what the course had put there; `new`, what the course has now.
"""

from __future__ import annotations

import uuid
import warnings
from collections.abc import Callable

import nbformat
from nbformat import NotebookNode


class Unreadable(Exception):
    """The bytes are not a notebook."""


def merge(mine: bytes, base: bytes, new: bytes) -> tuple[bytes, int]:
    """Merge the newer course into the student's notebook.

    Answer cells keep the student's source where it differs from the stub that was there. Cells that the student
    added follow the cell that they followed. An edited answer to an exercise that the course dropped stays too.

    Returns:
        The merged notebook, and how many provided cells the student had edited and lost the edit of.

    Raises:
        Unreadable: `mine` is no notebook.
    """
    course, base_cells = _read(new), _read(base).cells
    home_of = _matcher(base_cells, course.cells)
    before = {home_of(cell): cell for cell in base_cells}
    here = {cell.id for cell in course.cells}
    used = set(here)
    kept: dict[str, NotebookNode] = {}
    added: dict[str, list[NotebookNode]] = {}
    anchor = ""  # nothing yet: what the student put above the course's first cell stays there
    mine_cells = _read(mine).cells
    present = {cell.id for cell in mine_cells}
    for cell in mine_cells:
        home = home_of(cell)
        if home != cell.id and home in present:
            home = None  # a copy, or a part split off, of a cell that is here itself
        if home and home not in kept:
            kept[home] = cell
            if home in here:
                anchor = home
                continue
            if not (_answers(before[home]) and cell.source != before[home].source):
                continue  # the course dropped this cell
        if cell.id in used:
            cell.id = uuid.uuid4().hex[:8]
        used.add(cell.id)
        added.setdefault(anchor, []).append(cell)

    replaced = 0
    merged = added.get("", [])
    for cell in course.cells:
        if (theirs := kept.get(cell.id)) is not None:
            edited = theirs.source != before.get(cell.id, cell).source
            if (_answers(cell) and edited) or theirs.source == cell.source:
                _take(cell, theirs)
            else:
                replaced += edited
        merged += [cell, *added.get(cell.id, [])]
    course.cells = merged
    return (nbformat.writes(course) + "\n").encode(), replaced


def _matcher(base: list[NotebookNode], course: list[NotebookNode]) -> Callable[[NotebookNode], str | None]:
    """Tells which provided cell a student's cell is: by its id, else by its exercise, else by its text.

    Some editors drop cell ids (they came with nbformat 4.5), and splitting a cell in JupyterLab makes new ones.
    Returns the id of the cell in the newer course; of the older where the newer has dropped it; None for an added cell.
    """
    here = {cell.id for cell in course}
    dropped = {cell.id: (cell.cell_type, cell.source) for cell in base if cell.id not in here}
    by_exercise = {name: cell.id for cell in [*base, *course] if (name := _grade_id(cell))}
    by_text = {
        (cell.cell_type, cell.source): cell.id for cell in [*base, *course]
    }  # the newer course's id stays

    def home_of(cell: NotebookNode) -> str | None:
        if cell.id in here:
            return cell.id
        if name := by_exercise.get(_grade_id(cell)):
            return name
        return by_text.get(dropped.get(cell.id, (cell.cell_type, cell.source)))

    return home_of


def _read(content: bytes) -> NotebookNode:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # nbformat mends missing and double ids, and says so
            notebook = nbformat.reads(content.decode("utf-8-sig"), as_version=4)
        for cell in notebook.cells:
            if not isinstance(cell.source, str) or not isinstance(cell.metadata, dict):
                raise TypeError("a cell has no text")
            cell.setdefault("id", uuid.uuid4().hex[:8])
    except Exception as error:  # whatever a broken file makes nbformat raise: the file is then left as it is
        raise Unreadable(str(error).splitlines()[0][:80] if str(error) else type(error).__name__) from error
    return notebook


def _grade_id(cell: NotebookNode) -> str | None:
    metadata = cell.metadata.get("nbgrader")
    return metadata.get("grade_id") if isinstance(metadata, dict) else None


def _answers(cell: NotebookNode) -> bool:
    return bool(_grade_id(cell)) and bool(cell.metadata.nbgrader.get("solution"))


def _take(cell: NotebookNode, theirs: NotebookNode) -> None:
    """The student's source and what they last saw under it."""
    cell.source = theirs.source
    if cell.cell_type == theirs.cell_type == "code":
        cell.outputs, cell.execution_count = theirs.outputs, theirs.execution_count
