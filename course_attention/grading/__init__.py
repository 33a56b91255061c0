"""Grades a class: reads what was handed in, runs it in a sandbox, judges it, and writes results and views.

Programs call `grade`, `report` and `changes`; the command line does no more than that. The rooms:

    intake/      takes what an LMS hands out
    roster/      reads the class list, and finds each folder's student on it
    reading/     finds the submissions in a folder, and the answers in a notebook, however it was treated
    policy/      says what an answer may not use
    marking/     says which of the earned points count: due dates, and notebooks that are dropped
    sandbox/     runs a student's cells and answers in isolation
    run/         grades one submission, or a class, on this machine or a cluster, and stores the results
    views/       turns the result files into tables and pages
    autograder/  builds Gradescope's autograder, and grades one submission in it
    simulation/  makes up a class of which the right results are known

Importing this package loads none of them: each name below loads when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from course_attention.grading.errors import CannotGrade
    from course_attention.grading.run.grade_class import grade
    from course_attention.grading.run.graded_class import GradedClass, Views
    from course_attention.grading.run.report_class import changes, report
    from course_attention.grading.views.exports.changes import Change

_HOME = {
    "CannotGrade": "errors",
    "Change": "views.exports.changes",
    "GradedClass": "run.graded_class",
    "Views": "run.graded_class",
    "changes": "run.report_class",
    "grade": "run.grade_class",
    "report": "run.report_class",
}

__all__ = ["CannotGrade", "Change", "GradedClass", "Views", "changes", "grade", "report"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
