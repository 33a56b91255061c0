"""Makes the execution plan of a submission: the course's cells in order, with the student's in their places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from course_attention.course.cells import CourseNotebook
from course_attention.grading.reading.submitted_notebook import Added, Reading


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


def execution_plan(course: CourseNotebook, reading: Reading) -> tuple[Step, ...]:
    """Plan what is run for a submission, in order.

    Demo, check and text cells are left out. A missing answer has no step; `with_missing` adds one.
    """
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


def with_missing(notebook: CourseNotebook, given: Sequence[Step]) -> list[Step]:
    """Add an empty step for each answer that was not handed in: there the course's helper takes its place."""
    steps = list(given)
    answered = {step.name for step in steps if step.kind == "answer"}
    for name in notebook.exercises:
        if name not in answered:
            steps.insert(_place(notebook, steps, name), Step("answer", name, ""))
    return steps


def _place(notebook: CourseNotebook, steps: Sequence[Step], name: str) -> int:
    """Return the place of a missing answer: before the first provided cell or answer that follows it in the course."""
    order = [cell.name if cell.role == "answer" else cell.id for cell in notebook.cells]
    after = set(order[order.index(name) + 1 :])
    return next((i for i, step in enumerate(steps) if step.name in after), len(steps))
