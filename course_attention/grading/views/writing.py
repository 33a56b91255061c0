"""Write every view of a class into its folder of results."""

from __future__ import annotations

import os
from pathlib import Path

from course_attention.course.workspace import write_whole
from course_attention.grading.marking import kept_rules
from course_attention.grading.views import canvas, exercises_csv, feedback, gradescope, moodle, report
from course_attention.grading.views.class_statistics import ClassStatistics
from course_attention.grading.views.grades import Grades
from course_attention.grading.views.results import by_student
from course_attention.grading.views.spreadsheet import BYTE_ORDER_MARK


def write_all(results: Path, gradebook: str | None = None) -> list[str]:
    """Write every view of the results, and remove the views of results that are gone.

    Args:
        results: the folder that holds the result files and the late rules, and in which the views are written.
        gradebook: nbgrader's gradebook, which is then filled as well: a file or an SQLAlchemy URL.

    Returns:
        One line for each thing written.

    Raises:
        NoGradebook: the gradebook cannot be filled. All other views are written by then.
        CannotGrade: the late rules cannot be read.
    """
    rules = kept_rules.kept(results)
    grades, statistics = Grades(), ClassStatistics()
    folders: set[str] = set()
    with exercises_csv.written_whole(results / "exercises.csv") as table:
        table.write(BYTE_ORDER_MARK + exercises_csv.HEADER)
        for own in by_student(results, rules):
            grades.add(own)
            statistics.add(own)
            table.write(exercises_csv.rows(own))
            folders.add(own[0].folder)
            _write(results / "gradescope" / own[0].folder / "results.json", gradescope.view(own))
            for one in own:
                _write(results / one.page, feedback.page(one.record, one.lateness))
            _remove_others(results / "feedback" / own[0].folder, {Path(one.page).name for one in own})
    if rules.drop is not None:
        grades.leave_out(rules.drop)
    for view in ("gradescope", "feedback"):
        for folder in os.listdir(results / view) if (results / view).is_dir() else ():
            if folder not in folders:
                _remove_others(results / view / folder, set())
    for name, content in {
        "grades.csv": BYTE_ORDER_MARK + grades.as_csv(),
        "canvas.csv": canvas.view(grades),
        "moodle.csv": moodle.view(grades),
        "report.html": report.page(grades, statistics),
    }.items():
        _write(results / name, content)
    lines = [
        f"grades: {results / 'grades.csv'}, exercises.csv, canvas.csv, moodle.csv, gradescope/",
        f"feedback: {results / 'feedback'}, a page for each submission",
        f"report: {results / 'report.html'}",
    ]
    if grades.due:
        lines.append(f"due dates: {grades.lateness_told}")
    if statistics.mixed:
        lines.append(
            f"fingerprints: results of different judges are mixed for {', '.join(statistics.mixed)}; "
            "`course-attention grade` judges again what is not current"
        )
    if gradebook is not None:
        from course_attention.grading.views.gradebook import write_gradebook

        lines.append(write_gradebook(results, gradebook))
    return lines


def _write(path: Path, content: str) -> None:
    """Write a file whole, unless it has this content already. Half a surrogate pair becomes an escape."""
    data = content.encode("utf-8", "backslashreplace")
    try:
        if path.read_bytes() == data:
            return
    except OSError:
        pass  # not there yet
    write_whole(path, data)


def _remove_others(folder: Path, kept: set[str]) -> None:
    """Remove a student's views of results that are gone, and the folder as well once it is empty."""
    if folder.is_symlink() or not folder.is_dir():
        return
    for old in folder.iterdir():
        if old.name not in kept and (old.suffix == ".html" or old.name == "results.json"):
            old.unlink()
    if not any(folder.iterdir()):
        folder.rmdir()
