"""The results of a class, one student at a time, each with the name of its file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from course_attention.grading.run import result_files
from course_attention.grading.views.wording import COPIED
from course_attention.presentation.visible_text import visible

_NO_DETAILS = {"idea": "", "explanation": "", "properties": (), "credit": (), "example": None}


@dataclass(frozen=True)
class Result:
    """A result and its file.

    Attributes:
        folder: the name of the student's folder.
        name: the name of the file, without its suffix; two assignments may hold a notebook of the same name.
        record: the content of the file.
    """

    folder: str
    name: str
    record: dict[str, Any]

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
            >>> Result("a#b", "00 start", {}).link
            'feedback/a%23b/00%20start.html'
        """
        return quote(os.fsencode(self.page))


def by_student(results: Path) -> Iterator[list[Result]]:
    """The results of each student who has any, in the order of their folders' names.

    Temporary and unreadable files are passed over, as in `result_files.by_folder`. Only one student's are in memory.
    """
    for found in result_files.by_folder(results):
        if found:
            yield [Result(path.parent.name, path.stem, whole(record)) for path, record in found.items()]


def whole(record: dict[str, Any]) -> dict[str, Any]:
    """A record with every field that the views read; the contract of a result file does not ask for all of them.

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
