"""Grades for Canvas's gradebook (Grades > Import).

Canvas asks for the columns `Student`, `ID`, … `Section` in this order, and finds a student by its own ID, else by the
SIS ID, the login or the name. A column `Title (123)` is its assignment 123; other columns become new assignments, worth
what the row "Points Possible" says. A blank cell is no grade, and erases one that Canvas has.

The table begins with no byte-order mark: Canvas's reader refuses a quoted cell behind one.
"""

from __future__ import annotations

from course_attention.grading.roster.class_list import ClassList, Person
from course_attention.grading.views.grades import Column, Grades, Row
from course_attention.grading.views.spreadsheet import as_csv
from course_attention.presentation.wording import points

_STUDENT = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_EXCUSED = "EX"
Cell = str | float | None


def view(grades: Grades) -> str:
    """The grades as Canvas imports them. Without a class list, the name of a student's folder counts as the login."""
    columns = grades.graded_columns
    if grades.enrolment is None:
        students = [
            [row.student, "", "", row.student, "", *map(row.scores.get, columns)] for row in grades.rows
        ]
        return _table(
            _STUDENT, [*map(grades.label, columns)], [grades.maxima[one] for one in columns], students
        )
    roster = grades.enrolment.roster
    of_canvas = roster.kind == "canvas"
    header = roster.table.header[: roster.id_columns] if of_canvas else _STUDENT
    titles, maxima = [], []
    for column in columns:
        own = roster.assignment(grades.label(column))
        titles.append(grades.label(column) if own is None else roster.table.header[own])
        maxima.append(_maximum(grades, roster, column))
    students = [
        [
            *(_own_ids(roster, row.entry.person) if of_canvas else _ids(row.entry.person)),
            *(_cell(grades, roster, row, row.entry.person, column) for column in columns),
        ]
        for row in grades.rows
        if row.entry is not None
    ]
    return _table(header, titles, maxima, students)


def remarks(grades: Grades) -> list[str]:
    """A line for each column that Canvas does not have yet, or counts out of another number of points."""
    roster = grades.enrolment.roster if grades.enrolment else None
    if roster is None or roster.kind != "canvas":
        return []
    lines = []
    for column in grades.graded_columns:
        label, here, there = grades.label(column), grades.maxima[column], _maximum(grades, roster, column)
        if roster.assignment(label) is None:
            lines.append(f"canvas.csv: Canvas has no assignment called {label!r}; importing makes one")
        elif here != there:
            lines.append(
                f"canvas.csv: {label!r} has {points(there)} points in Canvas and {points(here)} here; "
                "the grades are converted"
            )
    return lines


def _maximum(grades: Grades, roster: ClassList, column: Column) -> float:
    """The points that Canvas's assignment has; the course's own, where Canvas has none yet, or one without points."""
    own = roster.assignment(grades.label(column))
    return (roster.maxima.get(own) if own is not None else None) or grades.maxima[column]


def _cell(grades: Grades, roster: ClassList, row: Row, person: Person, column: Column) -> Cell:
    """A grade. Where there is none, Canvas's own cell: importing it again changes nothing."""
    label = grades.label(column)
    if roster.is_excused(person, label):
        return _EXCUSED
    score, own = row.scores.get(column), roster.assignment(label)
    if score is None:
        return roster.table.rows[person.row][own].strip() if own is not None else None
    return score * _maximum(grades, roster, column) / (grades.maxima[column] or 1.0)


def _own_ids(roster: ClassList, person: Person) -> list[str]:
    return [cell.strip() for cell in roster.table.rows[person.row][: roster.id_columns]]


def _ids(person: Person) -> list[str]:
    ids = (person.ids.get(kind, "") for kind in ("canvas_id", "student_id", "login"))
    return [person.name, *ids, person.section]


def _table(
    header: tuple[str, ...] | list[str],
    titles: list[str],
    maxima: list[float],
    students: list[list[Cell]],
) -> str:
    blanks = [""] * (len(header) - 1)
    return as_csv([[*header, *titles], ["Points Possible", *blanks, *maxima], *students])
