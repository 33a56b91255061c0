"""The grades of a class. A submission that is not graded has no score, which is not a score of 0: no sum holds it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from course_attention.grading.marking.drop import Drop
from course_attention.grading.marking.late_rules import Lateness
from course_attention.grading.roster.enrolment import EnrolledStudent, Enrolment
from course_attention.grading.run.results.submission_record import is_incomplete
from course_attention.grading.views import defended
from course_attention.grading.views.exports.spreadsheet import as_csv
from course_attention.grading.views.results import StoredResult
from course_attention.presentation.visible_text import visible

Column = tuple[str, str]  # notebook, assignment
STRANGER = "not on the class list"  # the status of what belongs to nobody on it
_WHO = ("student", "name", "id", "section", "status")


@dataclass(frozen=True)
class Row:
    """One student's grades.

    Attributes:
        student: the student's name.
        scores: the points that count of each notebook handed in, after the late rule; None where it, or any exercise
            of it, could not be graded.
        available: the points of the notebooks that are graded, without the dropped ones.
        links: the address of the feedback page of each notebook handed in.
        earned: the points of each notebook that has a due date, before the late rule.
        late: how late each of these notebooks was.
        dropped: the notebooks that do not count.
        defended: how many of how many answers of each notebook were defended, where the course asks.
        folder: the name of the folder of the student's results, "" where nothing was handed in.
        entry: the student on the class list; None without one, and where nobody on it is the student.
    """

    student: str
    scores: dict[Column, float | None]
    available: float
    links: dict[Column, str]
    earned: dict[Column, float | None] = field(default_factory=dict)
    late: dict[Column, Lateness] = field(default_factory=dict)
    dropped: frozenset[Column] = frozenset()
    defended: dict[Column, str] = field(default_factory=dict)
    folder: str = ""
    entry: EnrolledStudent | None = None

    @property
    def graded(self) -> dict[Column, float]:
        """The points that count of each notebook that is graded."""
        return {column: score for column, score in self.scores.items() if score is not None}

    @property
    def shown(self) -> str:
        """The name on the class list; the name of the folder, where that is not known."""
        return visible(self.entry.person.shown) if self.entry else self.student

    @property
    def total(self) -> float | None:
        """The sum of the scores, without the dropped ones; None where nothing is graded."""
        counted = [score for column, score in self.graded.items() if column not in self.dropped]
        return round(sum(counted), 2) if counted else None


@dataclass
class Grades:
    """The grades of a class, to which one student after another is added. It keeps the grades and nothing else.

    Attributes:
        rows: the students; once a class list is known, those on it in its order, and then the others.
        maxima: the points of each notebook that any student handed in.
        due: the notebooks with a due date.
        lateness: how many of their submissions are on time, late, excused or unknown.
        is_dropping: not all notebooks count.
        enrolment: the class list, where there is one.
    """

    rows: list[Row] = field(default_factory=list)
    maxima: dict[Column, float] = field(default_factory=dict)
    due: set[Column] = field(default_factory=set)
    lateness: Counter[str] = field(default_factory=Counter)
    is_dropping: bool = False
    enrolment: Enrolment | None = None

    def add(self, own: Sequence[StoredResult]) -> None:
        """Add one student's results. A file that is none of the course's notebooks has no points and no column."""
        of_course = [one for one in own if one.record["max_score"] is not None]
        scores, links, available = {}, {}, 0.0
        earned: dict[Column, float | None] = {}
        late: dict[Column, Lateness] = {}
        for one in of_course:
            record, column = one.record, _column(one)
            self.maxima[column] = max(record["max_score"], self.maxima.get(column, 0.0))
            is_known = not is_incomplete(record)
            score = one.points if is_known else None
            scores[column], links[column] = score, one.link
            available += record["max_score"] if score is not None else 0.0
            if one.lateness is not None:
                earned[column] = record["score"] if is_known else None
                late[column] = one.lateness
                self.due.add(column)
                self.lateness[one.lateness.kind] += 1
        said = {_column(one): defended.words(one.record) for one in of_course}
        student, folder = own[0].record["student"], own[0].folder
        row = Row(student, scores, available, links, earned, late, defended=said, folder=folder)
        self.rows.append(row)

    def leave_out(self, drop: Drop) -> None:
        """Leave the notebooks that a rule drops out of everybody's sums, once all students are added."""
        worth = [column for column, points in self.maxima.items() if points]
        rows = []
        for row in self.rows:
            shares = {one: row.graded[one] / self.maxima[one] for one in worth if one in row.graded}
            unknown = sum(one in row.scores and one not in shares for one in worth)  # nobody knows if it is low
            dropped = drop.dropped(shares, len(worth) - unknown)
            available = row.available - sum(self.maxima[one] for one in dropped)
            rows.append(replace(row, dropped=dropped, available=available))
        self.rows, self.is_dropping = rows, True

    @property
    def lateness_told(self) -> str:
        """How many submissions were late, in words."""
        told = f"{self.lateness['late']} late, {self.lateness['on time']} on time"
        if excused := self.lateness["excused"]:
            told += f", {excused} excused from the due date"
        unknown = self.lateness["unknown"]
        return f"{told}, {unknown} without a known time (nothing is taken off)" if unknown else told

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
        """Return a notebook's name, with the assignment's in front where several hold a notebook of that name."""
        notebook, assignment = column
        alone = sum(other[0] == notebook for other in self.maxima) == 1
        return notebook if alone or not assignment else f"{assignment}.{notebook}"

    def as_csv(self) -> str:
        """Return a row for each student. `total` and `max` are sums over the notebooks that are graded and count.

        A notebook with a due date has two more columns: the points before the late rule, and how late it was.
        """
        header = list(_WHO if self.enrolment else _WHO[:1])
        for column in self.columns:
            label = self.label(column)
            header += [label, f"{label} before the late rule", f"{label} late"] if column in self.due else [label]
            header += [f"{label} defended"] if defended.is_asked_for() else []
        dropped = ["dropped"] if self.is_dropping else []
        return as_csv([[*header, "total", "max", *dropped], *map(self._cells, self.rows)])

    def _cells(self, row: Row) -> list[str | float | None]:
        cells: list[str | float | None] = [*self._who(row)]
        for column in self.columns:
            cells.append(row.scores.get(column))
            if column in self.due:
                late = row.late.get(column)
                cells += [row.earned.get(column), late.words if late else None]
            cells += [row.defended.get(column)] if defended.is_asked_for() else []
        cells += [row.total, row.available or None]
        return [*cells, ", ".join(map(self.label, sorted(row.dropped)))] if self.is_dropping else cells

    def status(self, row: Row) -> str:
        """Return what the class list says of a student, and of whether anything was handed in."""
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


def _column(one: StoredResult) -> Column:
    return one.record["notebook"], one.record["assignment"]
