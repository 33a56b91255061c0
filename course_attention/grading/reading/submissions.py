"""Finds the notebooks in a folder of submissions, whoever named and arranged them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from course_attention.course.cells import course_stems
from course_attention.grading.reading.file_names import NOTEBOOK, TIMESTAMP, told_apart
from course_attention.grading.reading.notebook_files import Unreadable, read_file, why_refused
from course_attention.grading.reading.recognition import recognise

# Which of several files that are the same notebook counts: the one of its exact name, the one that was changed last, or
# all of them.
Counting = Literal["exact name", "newest", "all"]
_LONGEST_NAME = 150  # bytes of a result's name; file systems take 255, and a suffix is still to come


@dataclass(frozen=True)
class Submission:
    """One notebook that was handed in.

    Attributes:
        student: the name of the student's folder.
        notebook: the stem of the course's notebook that it is; of the file, where it is none of the course's.
        path: where it is.
        assignment: the name of the folder between the student's and the notebook, "" where there is none.
        result: the name of its result, without a suffix; no other of the student's has it.
        submitted: when it was handed in, as the LMS or `timestamp.txt` beside it says; "" where neither does.
        refused: why it is malformed without being opened, else "".
        note: what was odd about its name, else "".
    """

    student: str
    notebook: str
    path: Path
    assignment: str
    result: str
    submitted: str
    refused: str
    note: str = ""

    @classmethod
    def made_here(cls, student: str, stem: str) -> Submission:
        """One of the course's notebooks that nobody handed in, such as a trial; its file need not be there."""
        return cls(student, stem, Path(f"{stem}.ipynb"), "", stem, "", "")


def find_submissions(folder: Path, *, counting: Counting = "exact name") -> list[Submission]:
    """Find all that was handed in. Links are never followed, and hidden files are passed over.

    Args:
        folder: holds `{student}/{notebook}.ipynb`, or `{student}/{assignment}/{notebook}.ipynb` as nbgrader has it.
        counting: which of several files counts that are the same notebook. The newest is the one that was changed
            last: ask for it where the times are those at which the files were handed in. The others are refused,
            and their `refused` names the one that counts.

    Returns:
        The submissions, sorted by student, then by the name of the result.

    Raises:
        OSError: the folder is not there, or cannot be read.
    """
    found: list[Submission] = []
    for entry in _entries(folder):
        if entry.is_dir(follow_symlinks=False):
            found += _named_apart(list(_of_student(entry, counting)))
        elif entry.is_symlink():
            found.append(_refusal(entry, _shown(entry.name), "", "a link, which is not followed"))
    return sorted(found, key=lambda submission: (submission.student, submission.result))


def read_bytes(submission: Submission) -> bytes:
    """Read a submission's bytes.

    Raises:
        Unreadable: it was refused, or has since become something that cannot be read; the message says why.
    """
    if submission.refused:
        raise Unreadable(submission.refused)
    return read_file(submission.path)


def _entries(folder: Path | str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        found = [entry for entry in entries if not entry.name.startswith(".") and entry.name != "__MACOSX"]
    return sorted(found, key=lambda entry: entry.name)


def _shown(name: str) -> str:
    """Return a file's name as text that can be written: bytes that are not UTF-8 become escapes."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _of_student(folder: os.DirEntry[str], counting: Counting) -> Iterator[Submission]:
    student = _shown(folder.name)
    try:
        entries = _entries(folder.path)
    except OSError:
        yield _refusal(folder, student, "", "the folder cannot be opened")
        return
    yield from _in_folder(student, "", Path(folder.path), entries, counting)
    for entry in entries:
        if NOTEBOOK.fullmatch(entry.name) or entry.name == TIMESTAMP:
            continue
        if entry.is_symlink():
            yield _refusal(entry, student, "", "a link, which is not followed")
        elif entry.is_dir(follow_symlinks=False):
            try:
                inside = _entries(entry.path)
            except OSError:
                yield _refusal(entry, student, "", "the folder cannot be opened")
            else:
                yield from _in_folder(student, _shown(entry.name), Path(entry.path), inside, counting)


def _in_folder(
    student: str, assignment: str, folder: Path, entries: list[os.DirEntry[str]], counting: Counting
) -> Iterator[Submission]:
    """Find the notebooks in one folder. Of several that are the same notebook, one has the notebook's name."""
    submitted = _timestamp(folder)
    by_notebook: dict[str, list[Submission]] = {}
    for entry in entries:
        if match := NOTEBOOK.fullmatch(entry.name):
            stem, refused = _shown(match["stem"]), why_refused(entry)
            notebook = stem if stem in course_stems() or refused else recognise(Path(entry.path), stem)
            one = Submission(student, notebook, Path(entry.path), assignment, stem, submitted, refused)
            by_notebook.setdefault(notebook, []).append(one)
    for notebook, alike in by_notebook.items():
        # A link or a folder leaves the notebook's name to a file that can be read.
        first = max(
            reversed(alike),
            key=lambda one: (
                not one.refused,
                int(os.lstat(one.path).st_mtime) if counting != "exact name" else 0,
                one.path.name == f"{one.notebook}.ipynb",
            ),
        )
        for one in alike:
            if one is first:
                renamed = notebook in course_stems() and one.result != notebook
                note = f"handed in under the name {one.result!r}" if renamed else ""
                yield replace(one, result=notebook, note=note)
                continue
            own_name = one.result if one.result != notebook else _shown(one.path.name)
            if counting == "all" and not one.refused:
                yield replace(one, result=own_name, note=f"handed in under the name {own_name!r}")
            else:
                refused = one.refused or f"a second {notebook}: {_shown(first.path.name)!r} counts"
                yield replace(one, notebook=own_name, result=own_name, refused=refused)


def _refusal(entry: os.DirEntry[str], student: str, assignment: str, why: str) -> Submission:
    name = _shown(entry.name)
    return Submission(student, name, Path(entry.path), assignment, name, "", why)


def _timestamp(folder: Path) -> str:
    try:
        return " ".join(read_file(folder / TIMESTAMP, 1000).decode("utf-8-sig", "replace").split())[:100]
    except Unreadable:
        return ""


def _named_apart(submissions: list[Submission]) -> list[Submission]:
    """Give one student's results different names: where two would be alike, the assignment's name goes in front."""
    times: dict[str, int] = {}
    for one in submissions:
        times[one.result] = times.get(one.result, 0) + 1
    taken: set[str] = set()
    apart = []
    for one in submissions:
        name = f"{one.assignment}.{one.result}" if one.assignment and times[one.result] > 1 else one.result
        if name in taken or len(name.encode()) > _LONGEST_NAME:
            name = told_apart(name, _LONGEST_NAME, f"{one.assignment}/{one.path.name}")
        taken.add(name)
        apart.append(replace(one, result=name))
    return apart
