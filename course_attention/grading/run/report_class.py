"""Writes what people read of a class again, and says what has changed since it was exported; nothing is graded."""

from collections.abc import Iterator
from pathlib import Path

from course_attention.grading.errors import CannotGrade
from course_attention.grading.marking import kept_rules
from course_attention.grading.marking.due_dates import due_dates
from course_attention.grading.marking.late_rules import LateRules
from course_attention.grading.roster.class_list import read_class_list
from course_attention.grading.roster.enrolment import keep_roster
from course_attention.grading.run.graded_class import Views
from course_attention.grading.run.results import result_files
from course_attention.grading.run.results_folder import alone_in, explained
from course_attention.grading.views import write_all
from course_attention.grading.views.exports.changes import Change
from course_attention.grading.views.exports.changes import changes as changes_since


def report(
    results: Path,
    *,
    roster: Path | None = None,
    late_rules: LateRules | None = None,
    gradebook: str | None = None,
    exporting: bool = False,
) -> Views:
    """Write every view again, from the result files and the class list alone.

    Args:
        results: the folder that `grade` has written to.
        roster: the class list; the one kept in `results`, if any, unless given.
        late_rules: due dates and what is taken off after them. Unless given, they are those of the active course, else
            those that were kept in `results`.
        gradebook: nbgrader's gradebook, a file or an SQLAlchemy URL, to be filled as well.
        exporting: keep the marks as those exported last, with which `changes` compares; a gradebook keeps them anyway.

    Returns:
        What was written.

    Raises:
        CannotGrade: the folder holds no results, a late rule of the active course is wrong, or the gradebook cannot be
            filled.
        OSError: a file cannot be read or written.
    """
    _require_results(results)
    if roster is not None:
        read_class_list(roster)
    with explained(), alone_in(results):
        kept_rules.keep(results, kept_rules.in_force(results, late_rules))
        if roster is not None:
            keep_roster(roster, results)
        return write_all(results, gradebook, exporting)


def changes(results: Path, *, late_rules: LateRules | None = None) -> Iterator[Change]:
    """Yield whose marks differ from those exported last, by how much and why. Nothing is written.

    Args:
        results: the folder that `grade` has written to.
        late_rules: due dates and what is taken off after them. Unless given, they are those of the active course, else
            those that were kept in `results`.

    Raises:
        CannotGrade: the folder holds no results, or a late rule of the active course is wrong.
    """
    _require_results(results)
    yield from changes_since(results, due_dates(results, kept_rules.in_force(results, late_rules)))


def _require_results(results: Path) -> None:
    if not (results / result_files.FOLDER).is_dir():
        raise CannotGrade(f"{results} holds no results; `course-attention grade` writes them")
