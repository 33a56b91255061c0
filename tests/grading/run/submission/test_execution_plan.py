"""Tests of grading/run/submission/execution_plan.py."""

from __future__ import annotations

from course_attention.course.cells import CourseCell, CourseNotebook, course_notebook, course_stems
from course_attention.grading.reading.submitted_notebook import Added, Reading
from course_attention.grading.run.submission.execution_plan import PlanStep, execution_plan, sources_of

COURSE = CourseNotebook(
    "07_small",
    (
        CourseCell("text", "text", "", "# Title", 0),
        CourseCell("setup", "provided", "", "import math", 0),
        CourseCell("plot", "demo", "", "draw()", 0),
        CourseCell("f", "answer", "f", "def f(): ...", 2),
        CourseCell("check-f", "check", "f", "f = check(f)", 2),
        CourseCell("g", "answer", "g", "def g(): ...", 1),
        CourseCell("use", "provided", "", "f()", 0),
    ),
)


def reading(answers: dict[str, str], *added: Added) -> Reading:
    return Reading(answers, added, (), "", "")


def test_order() -> None:
    """The course's order holds; added cells stand in their places and keep the submission's numbers."""
    added = (
        Added("a", "check-f"),
        Added("b", ""),
        Added("c", "use"),
        Added("d", "check-f"),
        Added("e", "plot"),
    )
    assert execution_plan(COURSE, reading({"g": "G", "f": "F"}, *added)) == (
        PlanStep("added", "added 2", "b"),
        PlanStep("provided", "setup", "import math"),
        PlanStep("added", "added 5", "e"),
        PlanStep("answer", "f", "F"),
        PlanStep("check", "f", ""),
        PlanStep("added", "added 1", "a"),
        PlanStep("added", "added 4", "d"),
        PlanStep("answer", "g", "G"),
        PlanStep("provided", "use", "f()"),
        PlanStep("added", "added 3", "c"),
    )


def test_missing_answer() -> None:
    """A missing answer has no step, a blank one has; the missing one's check is there, for the helper's place."""
    steps = [(step.kind, step.name) for step in execution_plan(COURSE, reading({"g": ""}))]
    assert steps == [("provided", "setup"), ("check", "f"), ("answer", "g"), ("provided", "use")]


def test_sources_of() -> None:
    """An answer can stand in its own cell, or in one that was added before its check, and nowhere else."""
    added = (Added("a", ""), Added("b", "f"), Added("c", "check-f"))
    steps = execution_plan(COURSE, reading({"f": "F", "g": "G"}, *added))
    assert sources_of("f", steps) == (["F", "b"], ["a", "c"])


def test_courses() -> None:
    """For every notebook of the course nothing that demonstrates, checks or explains is run, and all else is.

    Each answer is judged at its check, which stands below it.
    """
    for stem in course_stems():
        course = course_notebook(stem)
        steps = execution_plan(course, reading(dict.fromkeys(course.exercises, "x")))
        assert [step.name for step in steps if step.kind == "answer"] == list(course.exercises)
        left_out = {cell.source for cell in course.cells if cell.role not in ("provided", "answer")}
        assert left_out.isdisjoint(step.source for step in steps)
        assert sum(step.kind == "provided" for step in steps) == sum(cell.role == "provided" for cell in course.cells)
        judged = [(step.kind, step.name) for step in steps if step.kind in ("answer", "check")]
        assert judged == [(kind, name) for name in course.exercises for kind in ("answer", "check")]
