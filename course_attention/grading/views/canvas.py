"""Grades for Canvas's gradebook (Grades > Import).

Canvas asks for these five columns in this order, and finds a student by the login, else by the name. Columns that it
does not know become assignments, worth what the row "Points Possible" says. A blank cell is no grade.
"""

from __future__ import annotations

from course_attention.grading.views.grades import Grades
from course_attention.grading.views.spreadsheet import as_csv

_STUDENT = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")


def view(grades: Grades) -> str:
    """The grades as Canvas imports them. The name of a student's folder counts as the login."""
    columns = grades.columns
    return as_csv(
        [
            [*_STUDENT, *map(grades.label, columns)],
            ["Points Possible", *[""] * 4, *(grades.maxima[column] for column in columns)],
            *([row.student, "", "", row.student, "", *map(row.scores.get, columns)] for row in grades.rows),
        ]
    )
