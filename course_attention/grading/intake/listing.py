"""Every file that was found, and what became of it: nothing that was handed in vanishes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from course_attention.course.whole_files import write_whole
from course_attention.grading.errors import CannotGrade
from course_attention.grading.intake.arrange import LMS_LIST, WHEN, Arranged, arrange
from course_attention.grading.intake.export import Export, Found
from course_attention.grading.intake.layouts import Owner, recognise
from course_attention.grading.reading.file_names import TIMESTAMP, shortened
from course_attention.grading.reading.submissions import Counting, Submission, find_submissions
from course_attention.grading.views.exports.spreadsheet import as_csv, for_excel
from course_attention.presentation.visible_text import visible

FOLDER = "handed_in"  # where the notebooks of an LMS's export are laid out
TABLE = "handed_in.csv"


@dataclass(frozen=True)
class Listed:
    """One file that was found, as `handed_in.csv` has it.

    Attributes:
        file: its path in what was handed in.
        student: whose it is, "" where nobody knows.
        result: the name of its result, "" where it has none.
        remark: why it has no result, or what was odd.
    """

    file: str
    student: str
    result: str
    remark: str

    @property
    def passed_over(self) -> bool:
        """Whether it is neither a submission, nor the LMS's own, nor a note of when something was handed in."""
        return not self.result and self.remark not in (WHEN, LMS_LIST)


@dataclass(frozen=True)
class HandedIn:
    """What was handed in.

    Attributes:
        submissions: the notebooks that are graded, or are malformed.
        layout: how they were laid out.
        listed: every file that was found.
        owners: whose these notebooks are, as an LMS's export says it; none of a plain folder.
    """

    submissions: list[Submission]
    layout: str
    listed: list[Listed]
    owners: tuple[Owner, ...] = ()

    @property
    def files(self) -> int:
        """How many files were found; one that a group handed in counts once."""
        return len({one.file for one in self.listed})

    @property
    def passed_over(self) -> int:
        """How many of them are neither a submission nor the LMS's own; `handed_in.csv` says why."""
        return len({one.file for one in self.listed if one.passed_over})

    def write(self, out: Path, remarks: Mapping[tuple[str, str], str] | None = None) -> None:
        """Write `handed_in.csv`.

        Args:
            out: the folder of results.
            remarks: the folder and the name of a result → what is to be said of it besides.
        """
        rows = [["file", "student", "result", "remark"]]
        for one in self.listed:
            said = filter(None, [one.remark, (remarks or {}).get((shortened(one.student), one.result), "")])
            rows.append([*map(visible, [one.file, one.student, one.result, "; ".join(said)])])
        table = for_excel(as_csv(rows))
        write_whole(out / TABLE, table.encode("utf-8", "backslashreplace"), 0o600)


def require_notebooks(export: Export) -> None:
    """See that there is something to grade, before anything is written.

    Raises:
        CannotGrade: no file is a notebook.
    """
    if not any(found.is_notebook for found in export.files):
        raise CannotGrade(f"{export.path} holds no notebooks: no file in it is called {{name}}.ipynb")


def take_in(export: Export, out: Path, layout: str | None = None, keep: str | None = None) -> HandedIn:
    """Find what was handed in, whatever layout it is in.

    A folder in the layout `folder` is read where it is. Anything else is copied to `handed_in/` in the results.

    Args:
        export: a folder or a zip, opened.
        out: the folder of results.
        layout: recognised unless given; see `layouts`.
        keep: "newest" or "best", of several versions of a notebook. With "best" all of them are submissions. Unless
            given the newest counts, and in a plain folder, whose files may have the times at which they were copied,
            the one that has the notebook's exact name.

    Raises:
        CannotGrade: the export cannot be read.
        OSError: a file cannot be read or written.
    """
    if export.path.is_dir() and out.resolve().is_relative_to(export.path.resolve()):
        own = out.resolve().relative_to(export.path.resolve()).parts  # the results lie among the submissions
        export.files = [one for one in export.files if one.parts[: len(own)] != own]
    found = recognise(export, layout)
    is_plain = found.name == "folder" and export.path.is_dir()
    counting: Counting = "newest" if keep or not is_plain else "exact name"
    if keep == "best":
        counting = "all"
    if is_plain:
        submissions = find_submissions(export.path, counting=counting)
        return HandedIn(submissions, found.name, list(_of_folder(export, submissions)))
    place = out / FOLDER
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    arranged = arrange(export, found, place)
    told = {one.path: one.owner.submitted for one in arranged if one.owner and one.owner.submitted}
    submissions = [
        replace(one, submitted=told.get(one.path, one.submitted)) for one in find_submissions(place, counting=counting)
    ]
    owners = tuple(one.owner for one in arranged if one.owner and one.path)
    return HandedIn(submissions, found.name, list(_of_export(arranged, submissions)), owners)


def _of_folder(export: Export, submissions: list[Submission]) -> Iterator[Listed]:
    by_path = {one.path: one for one in submissions}
    for found in export.files:
        submission = by_path.pop(export.path.joinpath(*found.parts), None)
        if submission is not None:
            yield _listed(found.name, submission)
        else:
            student = found.parts[0] if len(found.parts) > 1 else ""
            yield Listed(found.name, student, "", _why(found))
    for path, submission in by_path.items():  # what has a notebook's name, or a student's, and is no file
        yield _listed(path.relative_to(export.path).as_posix(), submission)


def _of_export(arranged: list[Arranged], submissions: list[Submission]) -> Iterator[Listed]:
    by_path = {one.path: one for one in submissions}
    for one in arranged:
        submission = by_path.get(one.path) if one.path else None
        if submission is not None:
            yield _listed(one.found.name, submission)
        else:
            why = one.why or "its name, or its folder's, is one that is passed over"
            yield Listed(one.found.name, one.owner.student if one.owner else "", "", why)


def _listed(file: str, one: Submission) -> Listed:
    return Listed(file, one.student, one.result, one.refused or one.note)


def _why(found: Found) -> str:
    if found.parts[-1] == TIMESTAMP:
        return WHEN
    if not found.is_notebook:
        return "not a notebook"
    if len(found.parts) == 1:
        return "in no student's folder"
    return "deeper than {student}/{assignment}/{notebook}.ipynb"
