"""Every file that was found, and what became of it: nothing that was handed in vanishes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from course_attention.course.workspace import write_whole
from course_attention.grading.errors import CannotGrade
from course_attention.grading.intake.arrange import LMS_LIST, NOTEBOOK, TIMESTAMP, WHEN, Arranged, arrange
from course_attention.grading.intake.export import Export, Found, opened
from course_attention.grading.intake.layouts import recognise
from course_attention.grading.reading.submissions import Submission, find_submissions
from course_attention.grading.views.spreadsheet import as_csv
from course_attention.presentation.visible_text import visible

FOLDER = "handed_in"  # where the notebooks of an LMS's export are laid out
TABLE = "handed_in.csv"


@dataclass(frozen=True)
class HandedIn:
    """What was handed in.

    Attributes:
        submissions: the notebooks that are graded, or are malformed.
        layout: how they were laid out.
        files: how many files were found.
        passed_over: how many of them are neither a notebook nor the LMS's own; `handed_in.csv` says why.
    """

    submissions: list[Submission]
    layout: str
    files: int
    passed_over: int


def require_notebooks(submitted: Path) -> None:
    """See that there is something to grade, before anything is written.

    Raises:
        CannotGrade: there is no folder or zip, or it holds no notebook.
        OSError: it cannot be read.
    """
    with opened(submitted) as export:
        if not any(NOTEBOOK.fullmatch(found.parts[-1]) for found in export.files):
            raise CannotGrade(f"{submitted} holds no notebooks: no file in it is called {{name}}.ipynb")


def take_in(submitted: Path, out: Path, layout: str | None = None) -> HandedIn:
    """Find what was handed in, whatever layout it is in, and write `handed_in.csv`.

    A folder in the layout `folder` is read where it is. Anything else is copied to `handed_in/` in the results.

    Args:
        submitted: a folder, or a zip.
        out: the folder of results.
        layout: recognised unless given; see `layouts`.

    Raises:
        CannotGrade: the export cannot be read.
        OSError: a file cannot be read or written.
    """
    with opened(submitted) as export:
        if submitted.is_dir():  # the results may lie among the submissions
            place = out.resolve()
            export.files = [
                one for one in export.files if place not in submitted.joinpath(*one.parts).resolve().parents
            ]
        found = recognise(export, layout)
        if found.name == "folder" and submitted.is_dir():
            submissions = find_submissions(submitted)
            rows = _of_folder(export, submitted, submissions)
        else:
            place = out / FOLDER
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            arranged = arrange(export, found, place)
            submissions = find_submissions(place, newest_counts=True)
            rows = _of_export(arranged, submissions)
        files = len(export.files)
    table = as_csv(
        [["file", "student", "result", "remark"], *([visible(cell) for cell in row] for row in rows)]
    )
    write_whole(out / TABLE, table.encode("utf-8", "backslashreplace"), 0o600)
    return HandedIn(
        submissions, found.name, files, sum(not row[2] and row[3] not in (WHEN, LMS_LIST) for row in rows)
    )


Row = Sequence[str]  # file, student, the name of its result, a remark


def _of_folder(export: Export, folder: Path, submissions: list[Submission]) -> list[Row]:
    by_path = {one.path: one for one in submissions}
    return [_row(one, by_path.get(folder.joinpath(*one.parts)), _why(one)) for one in export.files]


def _of_export(arranged: list[Arranged], submissions: list[Submission]) -> list[Row]:
    by_path = {one.path: one for one in submissions}
    return [
        _row(
            one.found,
            by_path.get(one.path) if one.path else None,
            one.why,
            one.owner.student if one.owner else None,
        )
        for one in arranged
    ]


def _row(found: Found, submission: Submission | None, why: str, student: str | None = None) -> Row:
    if submission is None:
        return found.name, student or (found.parts[0] if len(found.parts) > 1 else ""), "", why
    return found.name, submission.student, submission.result, submission.refused or submission.note


def _why(found: Found) -> str:
    if found.parts[-1] == TIMESTAMP:
        return WHEN
    if not NOTEBOOK.fullmatch(found.parts[-1]):
        return "not a notebook"
    if len(found.parts) == 1:
        return "in no student's folder"
    return "deeper than {student}/{assignment}/{notebook}.ipynb"
