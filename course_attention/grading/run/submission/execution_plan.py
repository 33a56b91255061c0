"""Makes the execution plan of a submission: the course's cells in order, with the student's cells in their places."""

from dataclasses import dataclass
from typing import Literal

from course_attention.course.cells import CourseNotebook
from course_attention.grading.reading.submitted_notebook import Added, Reading


@dataclass(frozen=True)
class PlanStep:
    """One cell to run, or the place at which an answer is judged.

    Attributes:
        kind: whose cell it is: "provided" by the course, an "answer", or "added" by the student. At a "check" nothing
            runs: there the answer is judged, because a notebook calls `check` there.
        name: a provided cell's id, the exercise of an answer or a check, "added 1", "added 2" … in the order of the
            submission.
        source: what to run; "" at a check.
    """

    kind: Literal["provided", "answer", "added", "check"]
    name: str
    source: str


def execution_plan(course: CourseNotebook, reading: Reading) -> tuple[PlanStep, ...]:
    """Plan what is run for a submission, in order.

    Demo and text cells are left out. A missing answer has no step, but its check has one: the course's helper takes the
    answer's place there.
    """
    behind: dict[str, list[tuple[int, Added]]] = {}
    for number, added in enumerate(reading.added, start=1):
        behind.setdefault(added.after, []).append((number, added))

    def added_steps(place: str) -> list[PlanStep]:
        return [PlanStep("added", f"added {number}", added.source) for number, added in behind.get(place, ())]

    steps = added_steps("")
    for cell in course.cells:
        if cell.role == "provided":
            steps.append(PlanStep("provided", cell.id, cell.source))
        elif cell.role == "answer" and cell.name in reading.answers:
            steps.append(PlanStep("answer", cell.name, reading.answers[cell.name]))
        elif cell.role == "check":
            steps.append(PlanStep("check", cell.name, ""))
        steps += added_steps(cell.id)
    return tuple(steps)


def sources_of(exercise: str, steps: tuple[PlanStep, ...]) -> tuple[list[str], list[str]]:
    """Return the sources that can hold the answer to an exercise, and those of the other cells that the student added.

    The answer can stand in its own cell, or in a cell that the student added between it and its check.
    """
    own: list[str] = []
    others: list[str] = []
    open_now = False
    for step in steps:
        if step.name == exercise:
            open_now = step.kind == "answer"
        if step.kind == "answer" and step.name == exercise:
            own.append(step.source)
        elif step.kind == "added":
            (own if open_now else others).append(step.source)
    return own, others
