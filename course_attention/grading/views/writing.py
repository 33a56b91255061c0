"""Write every view of a class into its folder of results."""

import os
from pathlib import Path

from course_attention.course.whole_files import write_whole
from course_attention.grading.marking import kept_rules
from course_attention.grading.marking.due_dates import due_dates
from course_attention.grading.roster.enrolment import kept_enrolment
from course_attention.grading.roster.origins import read_origins
from course_attention.grading.run.graded_class import Views
from course_attention.grading.run.results import withdrawn
from course_attention.grading.run.results.submission_record import is_incomplete
from course_attention.grading.views.exports import (
    canvas,
    changes,
    class_list_matches,
    exercises_csv,
    exported,
    gradescope,
    moodle,
)
from course_attention.grading.views.exports.feedback_zip import write_zips
from course_attention.grading.views.exports.grades import Grades
from course_attention.grading.views.exports.spreadsheet import for_excel, written_for_excel
from course_attention.grading.views.pages import feedback, report
from course_attention.grading.views.results import by_student
from course_attention.grading.views.statistics.class_statistics import ClassStatistics
from course_attention.presentation.visible_text import visible

_MOST_NAMES = 10  # of results that were set aside, in a line


def write_all(results: Path, gradebook: str | None = None, exporting: bool = False) -> Views:
    """Write every view of the results, and remove the views of results that are gone.

    `changes.csv` is written before a gradebook is filled.

    Args:
        results: the folder that holds the result files and the late rules, and in which the views are written.
        gradebook: nbgrader's gradebook, which is then filled as well: a file or an SQLAlchemy URL.
        exporting: keep these marks as those exported last; a gradebook that is filled keeps them anyway.

    Returns:
        What was written.

    Raises:
        CannotGrade: the class list beside the results, or the late rules, cannot be read.
        NoGradebook: the gradebook cannot be filled. All other views are written by then.
    """
    rules = kept_rules.kept(results)
    dates = due_dates(results, rules)
    grades, statistics, not_judged = Grades(), ClassStatistics(), 0
    folders: set[str] = set()
    with written_for_excel(results / "exercises.csv") as table:
        table.write(exercises_csv.HEADER)
        for own in by_student(results, dates):
            grades.add(own)
            statistics.add(own)
            table.write(exercises_csv.rows(own))
            folders.add(own[0].folder)
            not_judged += sum(is_incomplete(one.record) for one in own)
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
    enrolment = kept_enrolment(results, folders)
    if enrolment is not None:
        grades.enrol(enrolment)
    for name, content in {
        "grades.csv": for_excel(grades.as_csv()),
        "canvas.csv": canvas.view(grades),
        "moodle.csv": moodle.view(grades),
        "report.html": report.page(grades, statistics, dates),
    }.items():
        _write(results / name, content)
    lines = [
        f"grades: {results / 'grades.csv'}, exercises.csv, canvas.csv, moodle.csv, gradescope/",
        f"feedback: {results / 'feedback'}, a page for each submission",
        f"report: {results / 'report.html'}",
    ]
    if grades.due:
        lines.append(f"due dates: {grades.lateness_told}")
    lines += [
        visible(f"due dates: the extension of {who!r} is nobody's: {why}") for who, why in dates.strangers.items()
    ]
    lines += _for_the_lms(results, grades, folders)
    if statistics.mixed:
        lines.append(
            f"fingerprints: results of different judges are mixed for {', '.join(statistics.mixed)}; "
            "`course-attention grade` judges again what is not current"
        )
    if apart := withdrawn.names(results):
        lines.append(_withdrawn(results, apart))
    if since := changes.write(results, dates):
        lines.append(since)
    if gradebook is not None:
        from course_attention.grading.views.gradebook import write_gradebook

        lines.append(write_gradebook(results, gradebook))
    if exporting or gradebook is not None:
        lines.append(exported.keep(results, dates))
    return Views(results, tuple(lines), not_judged)


def _for_the_lms(results: Path, grades: Grades, folders: set[str]) -> list[str]:
    """Write what goes back to the LMS beside the grades, as far as its names are known; say what was written."""
    enrolment = grades.enrolment
    tables = {
        class_list_matches.TABLE: for_excel(class_list_matches.view(grades, enrolment)) if enrolment else None,
        moodle.WORKSHEET: moodle.worksheet(grades),
    }
    for name, content in tables.items():
        if content is None:
            (results / name).unlink(missing_ok=True)
        else:
            _write(results / name, content)
    lines = write_zips(results, read_origins(results, folders), enrolment)
    if tables[moodle.WORKSHEET] is not None:
        lines.append(f"grading worksheet for Moodle: {results / moodle.WORKSHEET}")
    if enrolment is not None:
        lines += class_list_matches.lines(grades, enrolment)
        lines += [*canvas.remarks(grades), *moodle.remarks(grades)]
        lines.append(f"whose each folder is: {results / class_list_matches.TABLE}")
    return [visible(line) for line in lines]


def _withdrawn(results: Path, names: list[str]) -> str:
    """Name results that were set aside."""
    shown = [visible(name) for name in names[:_MOST_NAMES]]
    more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
    return f"withdrawn: {', '.join(shown)}{more}; set aside in {results / withdrawn.FOLDER}, and in no view"


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
