"""The report on a class, for the instructor."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from course_attention.active_course import active
from course_attention.grading.marking.due_dates import DueDates
from course_attention.grading.views.exports.grades import Column, Grades
from course_attention.grading.views.pages.page import render
from course_attention.grading.views.statistics.class_statistics import (
    ClassStatistics,
    ExerciseStatistics,
    in_teaching_order,
)
from course_attention.grading.views.statistics.distribution import (
    Distribution,
    Histogram,
    distribution,
    histogram,
)
from course_attention.grading.views.statistics.equal_answers import MOST_ROWS
from course_attention.grading.views.statistics.misconceptions import misconception_tables, most_held
from course_attention.presentation.wording import STATUSES

MOST_STUDENTS = 400  # a larger class is not listed: its grades are in the spreadsheets
MOST_IN_SIGHT = 10  # of what is listed; what is longer is folded, or cut
_BAR = 220  # pixels: the width of the bar that shows an exercise's answers
# What an instructor may want to look at, the most urgent first.
KINDS = {
    "not_judged": "Not judged: the grader itself failed",
    "malformed": "Not graded: cannot be read as a notebook of the course",
    "crashed": "Ended the process",
    "out_of_memory": "Asked for more memory than there is",
    "timeout": "Did not end in time",
    "forbidden": "Use what they should build",
    "copied": "Are the course's own source",
    "other": "Other notes",
}
# The parts of the bar in the order in which they are drawn: from dark to light, so that greyscale tells them apart.
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
    histogram: Histogram


@dataclass(frozen=True)
class ExerciseRow:
    """How one exercise went.

    Attributes:
        name: the exercise's name.
        exercise: its statistics.
        counts: the number of answers in each part of the bar.
        passed: the share of those who tried that passed; None where nobody tried.
        mean: the mean of the points earned; None where nothing is judged.
        bar: the parts of the bar, each as its name, x and width in pixels.
        alt_text: the bar in words.
    """

    name: str
    exercise: ExerciseStatistics
    counts: list[int]
    passed: float | None
    mean: float | None
    bar: list[tuple[str, int, int]]
    alt_text: str


@dataclass(frozen=True)
class LateNotebook:
    """A notebook that came late, without a known time, or with an extension.

    Attributes:
        student, label, link: whose it is, its name and the address of its feedback page.
        words: how late it was, and what that costs.
        earned: the points before the late rule; None where it is not graded.
        counted: the points after it.
    """

    student: str
    label: str
    link: str
    words: str
    earned: float | None
    counted: float | None


def page(grades: Grades, statistics: ClassStatistics, dates: DueDates | None = None) -> str:
    """Return the report of a class.

    Args:
        grades: everybody's grades, after the late rules.
        statistics: what the answers show.
        dates: what is due when; nothing unless given.
    """
    dates = dates or DueDates()
    totals = [(row.total, row.available) for row in grades.rows if row.total is not None and row.available]
    shares = [total / available for total, available in totals]
    return render(
        "report.html",
        course=active().settings,
        costly=statistics.costs.costliest(),
        costs_students=statistics.costs.students,
        all_lost=statistics.costs.all_lost,
        unnamed=statistics.unnamed.largest(),
        equal=statistics.equal.rows(),
        most_equal=MOST_ROWS,
        most_in_sight=MOST_IN_SIGHT,
        students=len(grades.rows),
        submitted=statistics.submissions,
        graded=len(shares),
        mixed=statistics.mixed,
        overall=distribution([100 * share for share in shares]),
        histogram=histogram(shares, 560, 130),
        notebooks=[_notebook(grades, column) for column in grades.columns],
        exercises=_by_notebook(statistics),
        held=most_held(statistics),
        tables=misconception_tables(statistics),
        kinds=[(kind, title) for kind, title in KINDS.items() if statistics.note_counts[kind]],
        notes=statistics.notes,
        note_counts=statistics.note_counts,
        rules=dates.rules.told,
        extensions=[(*one, dates.strangers.get(one[0], "")) for one in dates.rules.extensions_told],
        late=list(_late(grades)),
        grades=grades,
        most_students=MOST_STUDENTS,
    )


def _late(grades: Grades) -> Iterator[LateNotebook]:
    for row in grades.rows:
        for column, lateness in sorted(row.late.items()):
            if lateness.words:
                points = row.earned[column], row.scores[column]
                yield LateNotebook(row.shown, grades.label(column), row.links[column], lateness.words, *points)


def _notebook(grades: Grades, column: Column) -> NotebookScores:
    handed_in = [row.scores[column] for row in grades.rows if column in row.scores]
    scores = [score for score in handed_in if score is not None]
    available = grades.maxima[column]
    drawn = histogram([score / available for score in scores] if available else [], 120, 28)
    return NotebookScores(grades.label(column), available, len(handed_in), distribution(scores), drawn)


def _by_notebook(statistics: ClassStatistics) -> list[tuple[str, list[ExerciseRow]]]:
    notebooks: dict[str, list[ExerciseRow]] = {}
    for name in in_teaching_order(statistics.exercises):
        notebooks.setdefault(statistics.exercises[name].notebook, []).append(_row(name, statistics.exercises[name]))
    return sorted(notebooks.items())


def _row(name: str, exercise: ExerciseStatistics) -> ExerciseRow:
    statuses, answers = exercise.statuses, max(exercise.judged, 1)
    counts = [sum(statuses[status] for status in of) for _, of in _PARTS]
    edges = [round(_BAR * sum(counts[:i]) / answers) for i in range(len(counts) + 1)]
    bar = [
        (part, start, end - start)
        for (part, _), (start, end) in zip(_PARTS, pairwise(edges), strict=True)
        if end > start
    ]
    words = [f"{statuses[status]} {text}" for status, (_, text) in STATUSES.items() if statuses[status]]
    return ExerciseRow(
        name=name,
        exercise=exercise,
        counts=counts,
        passed=statuses["passed"] / exercise.tried if exercise.tried else None,
        mean=exercise.earned / answers * exercise.points if exercise.judged else None,
        bar=bar,
        alt_text=", ".join(words),
    )
