"""The results of a class, one student at a time, each with the name of its file."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from course_attention.grading.marking.due_dates import DueDates
from course_attention.grading.marking.late_rules import Lateness
from course_attention.grading.run.results import result_files
from course_attention.grading.run.results.submission_record import is_incomplete
from course_attention.grading.views.wording import COPIED
from course_attention.presentation.visible_text import visible

_NO_DETAILS = {"idea": "", "explanation": "", "properties": (), "credit": (), "example": None}


@dataclass(frozen=True)
class StoredResult:
    """A result and its file.

    Attributes:
        folder: the name of the student's folder.
        name: the name of the file, without its suffix; two assignments may hold a notebook of the same name.
        record: the content of the file.
        lateness: how late it was handed in; None where the notebook has no due date.
    """

    folder: str
    name: str
    record: dict[str, Any]
    lateness: Lateness | None = None

    @property
    def points(self) -> float | None:
        """The points that count, after the late rule; None where it has no score."""
        score: float | None = self.record["score"]
        return score if score is None or self.lateness is None else self.lateness.counted(score)

    @property
    def page(self) -> str:
        """The feedback page, from the folder of results."""
        return f"feedback/{self.folder}/{self.name}.html"

    @property
    def label(self) -> str:
        """The name of the file as people read it."""
        return visible(self.name)

    @property
    def link(self) -> str:
        """The feedback page as an address.

        Example:
            >>> StoredResult("a#b", "00 start", {}).link
            'feedback/a%23b/00%20start.html'
        """
        return quote(os.fsencode(self.page))


def by_student(results: Path, dates: DueDates | None = None) -> Iterator[list[StoredResult]]:
    """Return the results of each student who has any, in the order of their folders' names.

    Of several versions of a notebook only the best is among them. Temporary and unreadable files are passed over, as
    in `result_files.by_folder`. Only one student's are in memory.

    Args:
        results: the folder of results.
        dates: what is due when; nothing is taken off unless they are given.
    """
    for own in _all_by_student(results, dates or DueDates()):
        counting = {id(best) for best, _ in _versions(own)}
        yield [one for one in own if id(one) in counting]


def outdone(results: Path, dates: DueDates) -> dict[tuple[str, str], str]:
    """Return the results of versions that do not count: folder and name → what is said of it."""
    return {
        (one.folder, one.name): f"a version that does not count: {best.label!r} is the best"
        for own in _all_by_student(results, dates)
        for best, others in _versions(own)
        for one in others
    }


def _all_by_student(results: Path, dates: DueDates) -> Iterator[list[StoredResult]]:
    for found in result_files.by_folder(results):
        if found:
            yield [_result(path, whole(record), dates) for path, record in found.items()]


def _result(path: Path, record: dict[str, Any], dates: DueDates) -> StoredResult:
    folder = path.parent.name
    lateness = dates.lateness(folder, record["notebook"], record["submitted"])
    return StoredResult(folder, path.stem, record, lateness)


def _versions(own: Sequence[StoredResult]) -> Iterator[tuple[StoredResult, list[StoredResult]]]:
    """Yield each notebook's result that counts, with its other versions. What is not a notebook has no versions."""
    groups: dict[tuple[str, str, str], list[StoredResult]] = {}
    for one in own:
        itself = one.name if one.record["max_score"] is None else ""
        groups.setdefault((one.record["assignment"], one.record["notebook"], itself), []).append(one)
    for (assignment, notebook, _), group in groups.items():
        newest = (notebook, f"{assignment}.{notebook}")  # it alone has the notebook's name

        def rank(one: StoredResult, newest: tuple[str, str] = newest) -> tuple[bool, float, bool]:
            # What the grader itself could not judge may be the best.
            points = -1.0 if one.points is None else one.points
            return is_incomplete(one.record), points, one.name in newest

        best = max(group, key=rank) if len(group) > 1 else group[0]
        yield best, [one for one in group if one is not best]


def whole(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record with every field that the views read; the contract of a result file does not ask for all of them.

    Every view reads it, so here each text of a student is made safe to be printed and looked at, see `visible`.
    """
    record = _visible(record)
    exercises = [
        {"code": "", **entry, "details": {**_NO_DETAILS, **(entry.get("details") or {})}}
        for entry in record["exercises"]
    ]
    # Older records do not say which notes are for the student: there all are, but for the one on a copied answer.
    student_notes = [note for note in record["notes"] if COPIED not in note]
    filled = {"assignment": "", "submitted": "", "fingerprint": "", "student_notes": student_notes}
    return {**filled, **record, "exercises": exercises}


def _visible(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, dict):
        return {_visible(name): _visible(item) for name, item in value.items()}
    return [_visible(item) for item in value] if isinstance(value, list) else value
