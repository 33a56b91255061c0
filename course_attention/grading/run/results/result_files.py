"""Reads and writes the result files, one for each submission. They are the truth; everything else is a view."""

import contextlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from course_attention.course.whole_files import naming, write_whole
from course_attention.grading.reading.file_names import shortened
from course_attention.grading.reading.submissions import Submission
from course_attention.presentation.visible_text import ACTING

SCHEMA = 1
FOLDER = "results"
SEED_FILE = "seed.txt"
PRIVATE_FILE = 0o600
LARGEST = 3_000_000  # bytes of a result file; an ordinary one has some ten thousand
MOST_NOTES = 100
LONGEST_NOTE = 500  # characters


def path_of(results: Path, submission: Submission) -> Path:
    """Return the file of a submission's result. A folder's name that is too long for a file system is cut short."""
    return results / FOLDER / shortened(submission.student) / f"{submission.result}.json"


def write(path: Path, record: Mapping[str, Any]) -> None:
    """Write a result whole or not at all: under another name first, then, once it is on the disk, under its own.

    A file has at most `LARGEST` bytes. Long notes are cut, and where that is not enough the details and the code of
    the exercises are left out, which the contract of a result file does not ask for.

    Raises:
        ValueError: the result is larger even so.
    """
    content = _content({**record, **_with_few_notes(record)})
    if len(content) > LARGEST:
        exercises = [{**entry, "details": None, "code": ""} for entry in record["exercises"]]
        content = _content({**record, **_with_few_notes(record), "exercises": exercises})
    if len(content) > LARGEST:
        raise ValueError(f"a result file has at most {LARGEST:,} bytes, this one would have {len(content):,}")
    write_whole(path, content)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        with naming(path.parent):
            os.fsync(folder)  # the name, too, is to outlive a power cut
    finally:
        os.close(folder)


def _content(record: Mapping[str, Any]) -> bytes:
    text = json.dumps(record, indent=1, ensure_ascii=False, allow_nan=False)
    # Whoever prints the file must not print a command to the terminal.
    text = re.sub(ACTING.pattern, lambda one: f"\\u{ord(one[0]):04x}", text)
    return text.encode("utf-8", "backslashreplace") + b"\n"


def _with_few_notes(record: Mapping[str, Any]) -> dict[str, list[str]]:
    return {kind: _few_notes(record[kind]) for kind in ("notes", "student_notes") if kind in record}


def _few_notes(notes: Sequence[str]) -> list[str]:
    few = [note if len(note) <= LONGEST_NOTE else f"{note[: LONGEST_NOTE - 2]} …" for note in notes[:MOST_NOTES]]
    return few if len(notes) <= MOST_NOTES else [*few, f"and {len(notes) - MOST_NOTES} more notes"]


def read(path: Path) -> dict[str, Any] | None:
    """Read a result; None where there is none that can be read."""
    try:
        record = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return record if isinstance(record, dict) and record.get("schema") == SCHEMA else None


def read_all(results: Path) -> Iterator[dict[str, Any]]:
    """Yield all results, sorted by student and notebook. Temporary and unreadable files are passed over."""
    for found in by_folder(results):
        yield from found.values()


def paths(results: Path) -> list[Path]:
    """Return the files of all results."""
    return sorted((results / FOLDER).glob("[!.]*/[!.]*.json"))


def by_folder(results: Path) -> Iterator[dict[Path, dict[str, Any]]]:
    """Yield the results of each student's folder by their files, sorted; only one student's are in memory."""
    root = results / FOLDER
    for folder in map(root.joinpath, sorted(os.listdir(root)) if root.is_dir() else ()):
        files = sorted(path for path in folder.glob("*.json") if not path.name.startswith("."))
        yield {path: record for path in files if (record := read(path)) is not None}


def keep_private(results: Path) -> None:
    """Let only the owner read the results and the seed, also where they were there before.

    What belongs to somebody else keeps the rights that it has. Windows has no such rights.
    """
    folder = results / FOLDER
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for path, mode in ((folder, 0o700), (results / SEED_FILE, PRIVATE_FILE)):
        with contextlib.suppress(FileNotFoundError, PermissionError):
            path.chmod(mode)


def remove_half_written(results: Path) -> None:
    """Remove what a killed process has left beside the files that it was writing."""
    for folder in (results, *(results.glob("[!.]*/*/"))):
        for path in folder.glob(".*.[0-9]*.tmp"):
            path.unlink()
