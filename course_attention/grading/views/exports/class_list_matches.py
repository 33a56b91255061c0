"""Whose each folder of submissions is: everybody on the class list, then what belongs to nobody on it."""

from collections import Counter

from course_attention.grading.roster.enrolment import Enrolment
from course_attention.grading.views.exports.grades import STRANGER, Grades
from course_attention.grading.views.exports.spreadsheet import as_csv
from course_attention.presentation.visible_text import visible

TABLE = "class_list.csv"
MOST_NAMED = 10  # in a line of the terminal; the table names them all


def view(grades: Grades, enrolment: Enrolment) -> str:
    """Return the class list as understood: who handed in what, how each was found, and what could not be told."""
    rows = [["name", "id", "section", "team", "status", "student", "found by", "remark"]]
    for row in grades.rows:
        if (entry := row.entry) is not None:
            person = entry.person
            about = (person.name, person.number, person.section, person.team)
            rows.append([*about, grades.status(row), entry.folder, entry.why, entry.remark])
    rows += [["", "", "", "", STRANGER, folder, "", why] for folder, why in enrolment.strangers.items()]
    return as_csv([visible(cell) for cell in row] for row in rows)


def lines(grades: Grades, enrolment: Enrolment) -> list[str]:
    """Return a line that says how many handed in, and one that names what belongs to nobody on the class list."""
    counts = Counter(grades.status(row) for row in grades.rows if row.entry is not None)
    said = ", ".join(f"{count} {status}" for status, count in sorted(counts.items(), reverse=True))
    found = [f"class list ({enrolment.roster.kind}): {len(enrolment.entries)} students: {said}"]
    if strangers := [f"{folder} ({why})" for folder, why in enrolment.strangers.items()]:
        more = len(strangers) - MOST_NAMED
        few = "; ".join(strangers[:MOST_NAMED]) + (f"; and {more} more" if more > 0 else "")
        found.append(f"of nobody on the class list: {few}")
    return found
