"""Decides which of the course's cells a student's cell is.

The grader and the merge with a newer course both ask here, so that they never disagree about whose a cell is.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from course_attention.course.cell_source import LONGEST


@dataclass(frozen=True)
class Identity:
    """What a cell is known by.

    Attributes:
        id: its cell id, "" where it has none.
        grade_id: its name in nbgrader's metadata, "" where it has none.
        source: its text.
        is_answer: it is the course's cell for an answer.
    """

    id: str
    grade_id: str
    source: str
    is_answer: bool = False


def match(cells: Sequence[Identity], course: Sequence[Identity]) -> list[str]:
    """Tell for each cell which of the course's cells it is.

    A cell is known by its grade_id, which stays when it is moved, copied or split; else by its id, which some editors
    drop; else by its text. Where several cells have one id, that id is the one's whose text is the course's, or the
    first one's. The id of an answer cell counts only where no other cell has the grade_id of that answer.

    Args:
        cells: the student's cells, in order.
        course: the course's cells. Of two with one grade_id, id or text, the first is taken.

    Returns:
        For each of `cells` the id of the course's cell that it is, "" where it is none of them.

    Example:
        >>> course = [Identity("a", "", "import math"), Identity("b", "softmax", "...", is_answer=True)]
        >>> match([Identity("x", "softmax", "my answer"), Identity("a", "", "import math, cmath")], course)
        ['b', 'a']
    """
    by_id = {one.id: one for one in reversed(course)}
    by_grade = {one.grade_id: one for one in reversed(course) if one.grade_id}
    by_text = {comparable(one.source): one for one in reversed(course)}
    graded = {cell.grade_id for cell in cells}
    texts = [comparable(cell.source) for cell in cells]
    unedited = [
        cell.id in by_id and comparable(by_id[cell.id].source) == text for cell, text in zip(cells, texts, strict=True)
    ]
    times = Counter(cell.id for cell in cells)
    found_unedited = {cell.id for cell, same in zip(cells, unedited, strict=True) if same}
    seen: set[str] = set()

    def owner(cell: Identity, text: str, is_unedited: bool) -> Identity | None:
        is_copy = times[cell.id] > 1 and (cell.id in found_unedited or cell.id in seen) and not is_unedited
        seen.add(cell.id)
        if named := by_grade.get(cell.grade_id):
            return named
        known = by_id.get(cell.id)
        if known and not is_copy and not (known.is_answer and known.grade_id in graded):
            return known
        return by_text.get(text) if text else None

    owners = [owner(*one) for one in zip(cells, texts, unedited, strict=True)]
    return [one.id if one else "" for one in owners]


def comparable(source: str) -> str:
    """Return the text by which cells are compared. Spaces at the ends of lines do not matter, for editors trim them."""
    if len(source) > LONGEST:  # no cell of the course is as long, by far
        return source
    return "\n".join(line.rstrip() for line in source.split("\n")).strip("\n")
