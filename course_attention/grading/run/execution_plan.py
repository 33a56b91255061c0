"""What to run for a submission: the course's cells in the course's order, with the student's in their places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from course_attention.course.cells import CourseNotebook
from course_attention.grading.reading.notebook import Added, Reading


@dataclass(frozen=True)
class Step:
    """One cell to run.

    Attributes:
        kind: whose cell it is: "provided" by the course, an "answer", or "added" by the student.
        name: a provided cell's id, an answer's exercise, "added 1", "added 2" … in the order of the submission.
        source: what to run.
    """

    kind: Literal["provided", "answer", "added"]
    name: str
    source: str


def recipe(course: CourseNotebook, reading: Reading) -> tuple[Step, ...]:
    """The steps, in order; demo, check and text cells are left out, and a missing answer has no step."""
    behind: dict[str, list[tuple[int, Added]]] = {}
    for number, added in enumerate(reading.added, start=1):
        behind.setdefault(added.after, []).append((number, added))

    def added_steps(place: str) -> list[Step]:
        return [Step("added", f"added {number}", added.source) for number, added in behind.get(place, ())]

    steps = added_steps("")
    for cell in course.cells:
        if cell.role == "provided":
            steps.append(Step("provided", cell.id, cell.source))
        elif cell.role == "answer" and cell.name in reading.answers:
            steps.append(Step("answer", cell.name, reading.answers[cell.name]))
        steps += added_steps(cell.id)
    return tuple(steps)
