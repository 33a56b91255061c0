"""Sorts the cells of a submission into those that are the course's and those that the student added."""

from collections.abc import Sequence

from course_attention.course.cell_matching import comparable, match
from course_attention.course.cells import CourseNotebook
from course_attention.grading.reading.submitted_cells import SubmittedCell


class MatchedCells:
    """What each cell of a submission is.

    Attributes:
        home: place → id of the course's cell that the cell there is.
        free: places of the cells that are none of the course's.
        found: ids of the course's cells that are there.
        edited: ids of those whose text is not the course's.
        answer_id: exercise → id of the course's answer cell.
    """

    def __init__(self, cells: Sequence[SubmittedCell], course: CourseNotebook) -> None:
        self.answer_id = {cell.name: cell.id for cell in course.cells if cell.role == "answer"}
        owners = match([cell.identity for cell in cells], [cell.identity for cell in course.cells])
        self.home = {place: owner for place, owner in enumerate(owners) if owner}
        self.found = set(self.home.values())
        texts = [comparable(cell.source) for cell in cells]
        given = {cell.id: comparable(cell.source) for cell in course.cells}
        answers = set(self.answer_id.values())
        self.edited = {
            owner for place, owner in self.home.items() if owner not in answers and texts[place] != given[owner]
        }
        missing = [given[cell.id] for cell in course.cells if cell.id not in self.found and cell.role != "text"]
        self.free = [
            place
            for place in range(len(cells))
            if place not in self.home and not any(_is_part(texts[place], whole) for whole in missing)
        ]


def _is_part(text: str, whole: str) -> bool:
    """Whether a text is whole lines of a cell of the course, which was split."""
    return 0 < len(text) <= len(whole) and bool(text.strip()) and f"\n{text}\n" in f"\n{whole}\n"
