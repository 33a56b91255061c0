"""Merges a newer course into a student's notebook, so that neither the newer text nor the student's work is lost.

Three versions meet: `mine`, the student's; `base`, what the course had put there; `new`, what the course has now.
"""

import uuid
import warnings
from typing import Any

import nbformat
from nbformat import NotebookNode

from course_attention.course.cell_matching import Identity, match


class Unreadable(Exception):
    """The bytes are not a notebook."""


def merge(mine: bytes, base: bytes, new: bytes) -> tuple[bytes, int]:
    """Merge the newer course into the student's notebook.

    Answer cells, and those of practice, keep the student's source where it differs from the stub that was there. So do
    provided cells that
    the course did not change: an experiment in them stays. Where both changed a provided cell, and in check cells, the
    course's version stands. Cells that the student added follow the cell that they followed. An edited answer to an
    exercise that the course dropped stays too.

    Returns:
        The merged notebook, and how many provided cells the student had edited and lost the edit of.

    Raises:
        Unreadable: `mine` is no notebook.
    """
    course, base_cells, mine_cells = _read(new), _read(base).cells, _read(mine).cells
    here = {cell.id for cell in course.cells}
    before = dict(zip(_homes(base_cells, course.cells, base_cells), base_cells, strict=True))
    homes = _homes(mine_cells, course.cells, base_cells)
    at_home = {cell.id for cell, home in zip(mine_cells, homes, strict=True) if cell.id == home}
    used = set(here)
    kept: dict[str, NotebookNode] = {}
    added: dict[str, list[NotebookNode]] = {}
    anchor = ""  # nothing yet: what the student put above the course's first cell stays there
    for cell, home in zip(mine_cells, homes, strict=True):
        is_copy = home != cell.id and home in at_home  # or a part split off
        if home and home not in kept and not is_copy:
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
            was = before.get(cell.id, cell)
            edited = theirs.source != was.source
            theirs_alone = edited and was.source == cell.source and not _locked(cell)
            if (_answers(cell) and edited) or theirs_alone or theirs.source == cell.source:
                _take(cell, theirs)
            else:
                replaced += edited
        merged += [cell, *added.get(cell.id, [])]
    course.cells = merged
    return (nbformat.writes(course) + "\n").encode(), replaced


def _homes(cells: list[NotebookNode], course: list[NotebookNode], base: list[NotebookNode]) -> list[str]:
    """Tell for each cell the id of the course's cell that it is, "" where it is none.

    The id is that in the newer course, or that in the older where the newer has dropped the cell. A cell that the newer
    course has under another id is not dropped.
    """
    newer, older = [_identity(cell) for cell in course], [_identity(cell) for cell in base]
    renamed = {old.id: new for old, new in zip(older, match(older, newer), strict=True) if new}
    owners = match([_identity(cell) for cell in cells], [*newer, *older])
    return [renamed.get(owner, owner) for owner in owners]


def _read(content: bytes) -> NotebookNode:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # nbformat mends missing and double ids, and says so
            notebook: NotebookNode = nbformat.reads(content.decode("utf-8-sig"), as_version=4)
        for cell in notebook.cells:
            if not isinstance(cell.source, str) or not isinstance(cell.metadata, dict):
                raise TypeError("a cell has no text")
            cell.setdefault("id", uuid.uuid4().hex[:8])
    except Exception as error:  # whatever a broken file makes nbformat raise: the file is then left as it is
        raise Unreadable(str(error).splitlines()[0][:80] if str(error) else type(error).__name__) from error
    return notebook


def _identity(cell: NotebookNode) -> Identity:
    grade_id = _nbgrader(cell).get("grade_id") or _practice(cell)
    return Identity(cell.id, grade_id if isinstance(grade_id, str) else "", cell.source, _answers(cell))


def _answers(cell: NotebookNode) -> bool:
    """Whether it is the course's cell for an answer, or for practice."""
    nbgrader, practice = _nbgrader(cell), _practice(cell)
    is_answer = nbgrader.get("grade_id") and nbgrader.get("solution")
    return bool(is_answer or (practice and not practice.startswith("check-")))


def _locked(cell: NotebookNode) -> bool:
    """Whether it is a check cell, which has to be the course's own to earn points."""
    return bool(_nbgrader(cell).get("locked")) or _practice(cell).startswith("check-")


def _practice(cell: NotebookNode) -> str:
    """Return the practice that a cell belongs to, with "check-" in front for its check; "" where it is for none."""
    name = cell.metadata.get("practice")
    return name if isinstance(name, str) else ""


def _nbgrader(cell: NotebookNode) -> dict[str, Any]:
    """Return what nbgrader knows of a cell; a student's file may hold anything in its place."""
    entry = cell.metadata.get("nbgrader")
    return entry if isinstance(entry, dict) else {}


def _take(cell: NotebookNode, theirs: NotebookNode) -> None:
    """Take over the student's source, and the outputs that they last saw under it."""
    cell.source = theirs.source
    if cell.cell_type == theirs.cell_type == "code":
        cell.outputs, cell.execution_count = theirs.outputs, theirs.execution_count
