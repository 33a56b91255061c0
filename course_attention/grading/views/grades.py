"""The grades of a class. A submission that is not graded has no score, which is not a score of 0: no sum holds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from course_attention.grading.roster.enrolment import Enrolment, Entry
from course_attention.grading.run.submission_record import is_incomplete
from course_attention.grading.views.results import Result
from course_attention.grading.views.spreadsheet import as_csv
from course_attention.presentation.visible_text import visible

Column = tuple[str, str]  # notebook, assignment
STRANGER = "not on the class list"  # the status of what belongs to nobody on it
_WHO = ("student", "name", "id", "section", "status")


@dataclass(frozen=True)
class Row:
    """One student's grades.

    Attributes:
        student: the student's name.
        scores: the score of each notebook handed in; None where it, or any exercise of it, could not be graded.
        available: the points of the notebooks that are graded.
        links: the address of the feedback page of each notebook handed in.
        folder: the name of the folder of the student's results, "" where nothing was handed in.
        entry: the student on the class list; None without one, and where nobody on it is the student.
    """

    student: str
    scores: dict[Column, float | None]
    available: float
    links: dict[Column, str]
    folder: str = ""
    entry: Entry | None = None

    @property
    def shown(self) -> str:
        """The name on the class list; the name of the folder, where that is not known."""
        return visible(self.entry.person.shown) if self.entry else self.student

    @property
    def total(self) -> float | None:
        """The sum of the scores; None where nothing is graded."""
        graded = [score for score in self.scores.values() if score is not None]
        return round(sum(graded), 2) if graded else None


@dataclass
class Grades:
    """The grades of a class, to which one student after another is added. It keeps the grades and nothing else.

    Attributes:
        rows: the students; once a class list is known, those on it in its order, and then the others.
        maxima: the points of each notebook that any student handed in.
        enrolment: the class list, where there is one.
    """

    rows: list[Row] = field(default_factory=list)
    maxima: dict[Column, float] = field(default_factory=dict)
    enrolment: Enrolment | None = None

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
        self.rows.append(Row(own[0].record["student"], scores, available, links, folder=own[0].folder))

    def enrol(self, enrolment: Enrolment) -> None:
        """Give everybody on a class list a row. What belongs to nobody on it keeps its row."""
        by_folder = {row.folder: row for row in self.rows}
        nothing = Row("", {}, 0.0, {})
        listed = [replace(by_folder.get(entry.folder, nothing), entry=entry) for entry in enrolment.entries]
        self.rows = [*listed, *(row for row in self.rows if row.folder in enrolment.strangers)]
        self.enrolment = enrolment

    @property
    def columns(self) -> list[Column]:
        """The notebooks that any student handed in, in order."""
        return sorted(self.maxima)

    @property
    def graded_columns(self) -> list[Column]:
        """The notebooks of which any is graded: a column of blanks would erase grades that an LMS has."""
        graded = {column for row in self.rows for column, score in row.scores.items() if score is not None}
        return sorted(graded)

    def label(self, column: Column) -> str:
        """A notebook's name, with the assignment's in front where several hold a notebook of that name."""
        notebook, assignment = column
        alone = sum(other[0] == notebook for other in self.maxima) == 1
        return notebook if alone or not assignment else f"{assignment}.{notebook}"

    def as_csv(self) -> str:
        """A table with a row for each student. `total` and `max` are sums over the notebooks that are graded."""
        who = _WHO if self.enrolment else _WHO[:1]
        rows = [
            [*self._who(row), *map(row.scores.get, self.columns), row.total, row.available or None]
            for row in self.rows
        ]
        return as_csv([[*who, *map(self.label, self.columns), "total", "max"], *rows])

    def status(self, row: Row) -> str:
        """What the class list says of a student, and of whether anything was handed in."""
        if row.entry is None or self.enrolment is None:
            return STRANGER
        roster, person = self.enrolment.roster, row.entry.person
        own = [roster.assignment(self.label(column)) for column in self.columns]
        excused = own and all(roster.is_excused(person, assignment) for assignment in own)
        return "excused" if excused else row.entry.status

    def _who(self, row: Row) -> list[str]:
        if self.enrolment is None:
            return [row.student]
        person = row.entry.person if row.entry else None
        about = (person.name, person.number, person.section) if person else ("", "", "")
        return [row.student, *map(visible, about), self.status(row)]


def _column(one: Result) -> Column:
    return one.record["notebook"], one.record["assignment"]
