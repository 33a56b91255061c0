"""Grades for Moodle: a table for its gradebook (Grades > Import > CSV file), and its grading worksheet, filled in."""

from course_attention.grading.roster.class_list import ClassList, number
from course_attention.grading.roster.moodle_times import COLUMN
from course_attention.grading.views.exports.grades import Grades, Row
from course_attention.grading.views.exports.spreadsheet import as_csv
from course_attention.presentation.wording import points

# Moodle reads a blank cell of a new grade item as 0, and a hyphen as no grade. It cuts off the space, which keeps the
# cell from beginning as a formula does.
NO_GRADE = " -"
WORKSHEET = "moodle_worksheet.csv"
# What Moodle's gradebook can find a student by, and the name of the column.
_IDS = {"login": "username", "email": "email", "student_id": "idnumber"}


def view(grades: Grades) -> str:
    """Return the grades for Moodle. Without a class list, the name of a student's folder counts as the username.

    With one, students are found by what it has: the username, else the address, else the ID number. It begins with no
    byte-order mark: Moodle takes one off, but no spreadsheet needs this file.
    """
    enrolment = grades.enrolment
    kind = next((kind for kind in _IDS if enrolment is not None and kind in enrolment.roster.id_kinds), "")
    found = ((row.student if not kind else _id(row, kind), row) for row in grades.rows)
    students = [(who, row) for who, row in found if who]
    columns = grades.columns if enrolment is None else grades.graded_columns
    rows = ([who, *(_score(row.scores.get(column)) for column in columns)] for who, row in students)
    return as_csv([[_IDS.get(kind, "username"), *map(grades.label, columns)], *rows])


def worksheet(grades: Grades) -> str | None:
    """Moodle's grading worksheet with its grades filled in, and with every other cell as it came.

    A student's grade is the sum of the notebooks, out of the worksheet's own maximum. Where one of them is not graded,
    or nothing was handed in, the cell stays as it came; Moodle passes over an empty one. None where the class list is
    no such worksheet.
    """
    if grades.enrolment is None or (at := grades.enrolment.roster.grade_column) is None:
        return None
    roster = grades.enrolment.roster
    rows = [list(row) for row in roster.table.rows]
    available = _points(grades)
    for row in grades.rows:
        if row.entry is not None and available and _is_graded(row):
            rows[row.entry.person.row][at] = points((row.total or 0.0) * _maximum(roster) / available)
    return roster.table.with_rows(rows)


def remarks(grades: Grades) -> list[str]:
    """Return a line where the worksheet counts out of other points, or does not say when something came."""
    roster = grades.enrolment.roster if grades.enrolment else None
    if roster is None or roster.grade_column is None or not roster.people:
        return []
    lines = []
    here, there = _points(grades), _maximum(roster)
    if here and here != there:
        lines.append(
            f"{WORKSHEET}: the assignment has {points(there)} points in Moodle and {points(here)} here; "
            "the grades are converted"
        )
    if grades.lateness["unknown"] and roster.submitted_column is None:
        lines.append(
            f"due dates: the class list has no column {COLUMN!r}, which says when a student handed in; download the "
            "worksheet once more with Moodle's language set to English"
        )
    return lines


def _id(row: Row, kind: str) -> str:
    return row.entry.person.ids.get(kind, "") if row.entry else ""


def _is_graded(row: Row) -> bool:
    return bool(row.scores) and None not in row.scores.values()


def _points(grades: Grades) -> float:
    return sum(grades.maxima[column] for column in grades.graded_columns)


def _maximum(roster: ClassList) -> float:
    cell = roster.table.rows[0][(roster.grade_column or 0) + 1]
    return number(cell) or 0.0


def _score(score: float | None) -> float | str:
    return NO_GRADE if score is None else score
