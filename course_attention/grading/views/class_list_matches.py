"""A table of whose each folder of submissions is: everybody on the class list, then what belongs to nobody on it."""

from __future__ import annotations

from course_attention.grading.views.grades import Grades
from course_attention.grading.views.spreadsheet import as_csv
from course_attention.presentation.visible_text import visible

TABLE = "class_list.csv"


def view(grades: Grades) -> str:
    """The class list as it was understood: who handed in what, by what they were found, and what could not be told."""
    enrolment = grades.enrolment
    if enrolment is None:
        return ""
    rows = [["name", "id", "section", "team", "status", "student", "found by", "remark"]]
    for row in grades.rows:
        if (entry := row.entry) is not None:
            person = entry.person
            about = (person.name, person.number, person.section, person.team)
            rows.append([*about, grades.status(row), entry.folder, entry.why, entry.remark])
    status = "not on the class list"
    rows += [["", "", "", "", status, folder, "", why] for folder, why in enrolment.strangers.items()]
    return as_csv([visible(cell) for cell in row] for row in rows)
