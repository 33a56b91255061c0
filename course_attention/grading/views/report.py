"""The class's report for the instructor."""

from __future__ import annotations

from dataclasses import dataclass

from course_attention.grading.views.distribution import Distribution, Histogram, distribution, histogram
from course_attention.grading.views.grades import Column, Grades
from course_attention.grading.views.misconceptions import grids, most_held
from course_attention.grading.views.page import render
from course_attention.grading.views.tally import Exercise, Tally
from course_attention.grading.views.wording import in_order
from course_attention.presentation.wording import STATUSES

MOST_STUDENTS = 400  # listed with links; of a larger class the spreadsheets tell
_BAR = 220  # pixels: the width of the bar that shows an exercise's answers
# What an instructor may want to look at, the most urgent first.
KINDS = {
    "malformed": "Not graded: cannot be read as a notebook of the course",
    "crashed": "Ended the process",
    "out_of_memory": "Asked for more memory than there is",
    "timeout": "Did not end in time",
    "forbidden": "Use what they should build",
    "copied": "Are the course's own source",
    "other": "Other notes",
}
# The parts of the bar, in the order drawn: dark to light, so that they are told apart without colour.
_PARTS = (
    ("passed", ("passed",)),
    ("failed", ("failed",)),
    ("stopped", ("errored", "forbidden", "timeout", "out_of_memory", "crashed")),
    ("untried", ("not_attempted",)),
)


@dataclass(frozen=True)
class NotebookScores:
    """The scores of one notebook."""

    label: str
    available: float
    handed_in: int
    scores: Distribution | None
    drawn: Histogram


@dataclass(frozen=True)
class ExerciseRow:
    """How one exercise went: counts, shares, and a bar of (part, x, width) in pixels."""

    name: str
    exercise: Exercise
    counts: list[int]
    passed: float | None
    mean: float
    bar: list[tuple[str, int, int]]
    read_aloud: str


def page(grades: Grades, tally: Tally) -> str:
    """The report of a class."""
    totals = [(row.total, row.available) for row in grades.rows if row.total is not None and row.available]
    shares = [total / available for total, available in totals]
    return render(
        "report.html",
        students=len(grades.rows),
        submitted=tally.submissions,
        graded=len(shares),
        overall=distribution([100 * share for share in shares]),
        drawn=histogram(shares, 560, 130),
        notebooks=[_notebook(grades, column) for column in grades.columns],
        exercises=_by_notebook(tally),
        held=most_held(tally),
        grids=grids(tally),
        kinds=[(kind, title) for kind, title in KINDS.items() if tally.found[kind]],
        notes=tally.notes,
        found=tally.found,
        grades=grades,
        most_students=MOST_STUDENTS,
    )


def _notebook(grades: Grades, column: Column) -> NotebookScores:
    handed_in = [row.scores[column] for row in grades.rows if column in row.scores]
    scores = [score for score in handed_in if score is not None]
    available = grades.maxima[column]
    drawn = histogram([score / available for score in scores] if available else [], 120, 28)
    return NotebookScores(grades.label(column), available, len(handed_in), distribution(scores), drawn)


def _by_notebook(tally: Tally) -> list[tuple[str, list[ExerciseRow]]]:
    notebooks: dict[str, list[ExerciseRow]] = {}
    for name in in_order(tally.exercises):
        notebooks.setdefault(tally.exercises[name].notebook, []).append(_row(name, tally.exercises[name]))
    return sorted(notebooks.items())


def _row(name: str, exercise: Exercise) -> ExerciseRow:
    statuses, answers = exercise.statuses, exercise.statuses.total()
    counts = [sum(statuses[status] for status in of) for _, of in _PARTS]
    edges = [round(_BAR * sum(counts[:i]) / answers) for i in range(len(counts) + 1)]
    bar = [
        (part, start, end - start)
        for (part, _), start, end in zip(_PARTS, edges, edges[1:], strict=False)
        if end > start
    ]
    said = [f"{statuses[status]} {words}" for status, (_, words) in STATUSES.items() if statuses[status]]
    return ExerciseRow(
        name=name,
        exercise=exercise,
        counts=counts,
        passed=statuses["passed"] / exercise.tried if exercise.tried else None,
        mean=exercise.earned / answers * exercise.points,
        bar=bar,
        read_aloud=", ".join(said),
    )
