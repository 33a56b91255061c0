"""The grades of a class. A submission that is not graded has no score, which is not a score of 0: no sum holds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from course_attention.grading.run.submission_record import is_incomplete
from course_attention.grading.views.results import Result
from course_attention.grading.views.spreadsheet import as_csv

Column = tuple[str, str]  # notebook, assignment


@dataclass(frozen=True)
class Row:
    """One student's grades.

    Attributes:
        student: the student's name.
        scores: the score of each notebook handed in; None where it, or any exercise of it, could not be graded.
        available: the points of the notebooks that are graded.
        links: the address of the feedback page of each notebook handed in.
    """

    student: str
    scores: dict[Column, float | None]
    available: float
    links: dict[Column, str]

    @property
    def total(self) -> float | None:
        """The sum of the scores; None where nothing is graded."""
        graded = [score for score in self.scores.values() if score is not None]
        return round(sum(graded), 2) if graded else None


@dataclass
class Grades:
    """The grades of a class, to which one student after another is added. It keeps the grades and nothing else."""

    rows: list[Row] = field(default_factory=list)
    maxima: dict[Column, float] = field(default_factory=dict)

    def add(self, own: Sequence[Result]) -> None:
        """Add one student's results. A file that is none of the course's notebooks has no points and no column."""
        of_course = [one for one in own if one.record["max_score"] is not None]
        scores, links, available = {}, {}, 0.0
        for one in of_course:
            record, column = one.record, _column(one)
            self.maxima[column] = max(record["max_score"], self.maxima.get(column, 0.0))
            score = None if is_incomplete(record) else record["score"]
            scores[column], links[column] = score, one.link
            available += record["max_score"] if score is not None else 0.0
        self.rows.append(Row(own[0].record["student"], scores, available, links))

    @property
    def columns(self) -> list[Column]:
        """The notebooks that any student handed in, in order."""
        return sorted(self.maxima)

    def label(self, column: Column) -> str:
        """A notebook's name, with the assignment's in front where several hold a notebook of that name."""
        notebook, assignment = column
        alone = sum(other[0] == notebook for other in self.maxima) == 1
        return notebook if alone or not assignment else f"{assignment}.{notebook}"

    def as_csv(self) -> str:
        """A table with a row for each student. `total` and `max` are sums over the notebooks that are graded."""
        labels = [self.label(column) for column in self.columns]
        rows = [
            [row.student, *map(row.scores.get, self.columns), row.total, row.available or None]
            for row in self.rows
        ]
        return as_csv([["student", *labels, "total", "max"], *rows])


def _column(one: Result) -> Column:
    return one.record["notebook"], one.record["assignment"]
