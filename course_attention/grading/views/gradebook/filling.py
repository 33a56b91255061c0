"""Fill a gradebook with the results of a class."""

from pathlib import Path

from course_attention.grading.marking import kept_rules
from course_attention.grading.marking.due_dates import due_dates
from course_attention.grading.views.gradebook.database import opened
from course_attention.grading.views.gradebook.students import Students
from course_attention.grading.views.results import by_student


def write_gradebook(results: Path, database: str) -> str:
    """Fill a gradebook with the results of a class; the same results again change nothing.

    What a late rule takes off becomes nbgrader's penalty for a late submission.
    Where a submission lies in no assignment's folder, its assignment is named as its notebook.

    Args:
        results: the folder that holds the result files.
        database: a file, or an SQLAlchemy URL.

    Returns:
        A line that says what was written.

    Raises:
        NoGradebook: nbgrader is missing, or the database cannot be opened or refuses what is written.
    """
    n_students = 0
    dates = due_dates(results, kept_rules.kept(results))
    with opened(database) as (gradebook, url):
        students = Students(gradebook, url)
        for own in by_student(results, dates):
            students.add(own[0].record["student"], own)
            n_students += 1
    return f"gradebook: {url.render_as_string()}, {n_students} students"
