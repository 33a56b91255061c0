"""Grades for Canvas's gradebook (Grades > Import).

Canvas asks for the columns `Student`, `ID`, … `Section` in this order, and finds a student by its own ID, else by the
SIS ID, the login or the name. A column `Title (123)` is its assignment 123; other columns become new assignments, worth
what the row "Points Possible" says. A blank cell erases the grade that Canvas has.

The table begins with no byte-order mark: Canvas's reader refuses a quoted cell behind one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from course_attention.grading.roster.class_list import ClassList, Person
from course_attention.grading.views.exports.grades import Column, Grades, Row
from course_attention.grading.views.exports.spreadsheet import as_csv
from course_attention.presentation.wording import points

_STUDENT = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_EXCUSED = "EX"
Cell = str | float | None


@dataclass(frozen=True)
class _Assignment:
    """A notebook, and Canvas's assignment for it.

    Attributes:
        column: of the grades.
        label: the notebook's name.
        own: Canvas's column; None where Canvas has none yet.
        here: the points of the notebook.
        there: the points of Canvas's assignment; those of the notebook, where it has none.
    """

    column: Column
    label: str
    own: int | None
    here: float
    there: float


def view(grades: Grades) -> str:
    """Return the grades for Canvas. Without a class list, the name of a student's folder counts as the login."""
    if grades.enrolment is None:
        columns = grades.graded_columns
        students: Iterable[list[Cell]] = (
            [row.student, "", "", row.student, "", *map(row.scores.get, columns)] for row in grades.rows
        )
        maxima = [grades.maxima[column] for column in columns]
        return _table(_STUDENT, [*map(grades.label, columns)], maxima, students)
    roster = grades.enrolment.roster
    of_canvas = roster.kind == "canvas"
    assignments = _assignments(grades, roster)
    students = (
        [
            *(_own_ids if of_canvas else _ids)(roster, row.entry.person),
            *(_cell(roster, row, row.entry.person, one) for one in assignments),
        ]
        for row in grades.rows
        if row.entry is not None
    )
    return _table(
        roster.table.header[: roster.id_columns] if of_canvas else _STUDENT,
        [one.label if one.own is None else roster.table.header[one.own] for one in assignments],
        [one.there for one in assignments],
        students,
    )


def remarks(grades: Grades) -> list[str]:
    """Return a line for each notebook that Canvas has no assignment for, or counts out of another number of points."""
    roster = grades.enrolment.roster if grades.enrolment else None
    if roster is None or roster.kind != "canvas":
        return []
    lines = []
    for one in _assignments(grades, roster):
        if one.own is None:
            lines.append(
                f"canvas.csv: Canvas does not have exactly one assignment called {one.label!r}; "
                "importing makes a new one"
            )
        elif one.here != one.there:
            lines.append(
                f"canvas.csv: {one.label!r} has {points(one.there)} points in Canvas and {points(one.here)} here; "
                "the grades are converted"
            )
    return lines


def _assignments(grades: Grades, roster: ClassList) -> list[_Assignment]:
    found = []
    for column in grades.graded_columns:
        label, here = grades.label(column), grades.maxima[column]
        own = roster.assignment(label)
        there = roster.maxima.get(own) if own is not None else None
        found.append(_Assignment(column, label, own, here, there or here))
    return found


def _cell(roster: ClassList, row: Row, person: Person, one: _Assignment) -> Cell:
    """Return a grade. Without one, return Canvas's own cell: importing it again changes nothing."""
    if roster.is_excused(person, one.own):
        return _EXCUSED
    score = row.scores.get(one.column)
    if score is not None:
        return score * one.there / one.here if one.here else score
    return roster.table.rows[person.row][one.own].strip() if one.own is not None else None


def _own_ids(roster: ClassList, person: Person) -> list[Cell]:
    return [cell.strip() for cell in roster.table.rows[person.row][: roster.id_columns]]


def _ids(_: ClassList, person: Person) -> list[Cell]:
    ids = (person.ids.get(kind, "") for kind in ("canvas_id", "student_id", "login"))
    return [person.name, *ids, person.section]


def _table(
    header: Sequence[str], titles: Sequence[str], maxima: Sequence[float], students: Iterable[list[Cell]]
) -> str:
    possible: list[Cell] = ["Points Possible", *[""] * (len(header) - 1), *maxima]
    return as_csv([[*header, *titles], possible, *students])
