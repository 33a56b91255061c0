"""Brings an LMS's export into `{student}/{notebook}.ipynb`: the layout that is graded."""

import contextlib
import os
import re
import shutil
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from course_attention.course.whole_files import write_whole
from course_attention.grading.intake.export import Export, Found
from course_attention.grading.intake.layouts import Layout, Owner
from course_attention.grading.reading.file_names import NOTEBOOK, TIMESTAMP, shortened
from course_attention.grading.reading.notebook_files import Unreadable

WHEN = "when it was handed in"
LMS_LIST = "the LMS's own list of submissions"
_LONGEST_NAME = 120  # bytes of a folder's or a file's name: several of them make a path
_UNSAFE = re.compile(r"[/\\\0]|^\.+")


@dataclass(frozen=True)
class Arranged:
    """One file of an export and where it lies now.

    Attributes:
        found: the file.
        owner: whose it is; None where it is nobody's.
        path: where it was copied to; None where it was not.
        why: why it was not copied, else "".
    """

    found: Found
    owner: Owner | None
    path: Path | None
    why: str = ""


def arrange(export: Export, layout: Layout, folder: Path) -> list[Arranged]:
    """Copy every notebook of an export to `folder`, and remove what an earlier export has left there.

    Several files of one name are kept apart as `x.ipynb`, `x (1).ipynb`, …. The times of the copies say in which order
    the files were handed in: by the LMS's own number where it has one, else by the time at which each was changed.

    Raises:
        OSError: a file cannot be written.
    """
    arranged: list[Arranged] = []
    kept: dict[Path, int] = {}  # and how many more of that name there are
    owned = [(one, layout.owners(one)) for one in export.files]
    in_order = sorted(owned, key=lambda one: (max((owner.number for owner in one[1]), default=0), one[0].changed))
    turns = {found.parts: turn for turn, (found, _) in enumerate(in_order, start=1)}
    for found, owners in owned:
        arranged += _arranged(export, layout, folder, found, owners, kept, turns[found.parts])
    _remove_others(folder, kept)
    return arranged


def folder_of(owner: Owner) -> str:
    """Return the name of the folder to which a student's notebooks are copied."""
    return _safe(owner.student)


def _arranged(
    export: Export,
    layout: Layout,
    folder: Path,
    found: Found,
    owners: list[Owner],
    kept: dict[Path, int],
    turn: int,
) -> Iterator[Arranged]:
    if found.parts in layout.own_files:
        yield Arranged(found, None, None, LMS_LIST)
        return
    if found.parts[-1] == TIMESTAMP and layout.name == "folder" and owners:
        yield from _stamp(export, found, owners[0], folder, kept)
        return
    if not found.is_notebook:
        yield Arranged(found, owners[0] if owners else None, None, _no_notebook(found))
        return
    if not owners:
        yield Arranged(found, None, None, f"not in a student's place, as the layout {layout.name!r} has it")
        return
    try:
        content = export.read(found)
    except Unreadable as error:
        for owner in owners:
            yield Arranged(found, owner, None, str(error))
        return
    for owner in owners:
        place = folder / _safe(owner.student)
        if owner.assignment:
            place /= _safe(owner.assignment)
        place.mkdir(parents=True, exist_ok=True)
        path = _free(place, _safe(owner.file), kept)
        kept[path] = 0
        if not _is(path, content):
            write_whole(path, content)
        os.utime(path, (turn, turn))
        yield Arranged(found, owner, path)


def _stamp(export: Export, found: Found, owner: Owner, folder: Path, kept: dict[Path, int]) -> Iterator[Arranged]:
    """nbgrader's own note of when an assignment was handed in."""
    path = folder / _safe(owner.student) / (_safe(owner.assignment) if owner.assignment else "") / TIMESTAMP
    with contextlib.suppress(Unreadable):
        content = export.read(found, 1000)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
        kept[path] = 0
    yield Arranged(found, owner, None, WHEN)


def _no_notebook(found: Found) -> str:
    if found.parts[-1].lower().endswith((".zip", ".tar", ".gz", ".7z", ".rar")):
        return "an archive, which is not opened: unpack it, and grade the folder"
    return "not a notebook"


def _is(path: Path, content: bytes) -> bool:
    with contextlib.suppress(OSError):
        return path.stat().st_size == len(content) and path.read_bytes() == content
    return False


def _free(place: Path, name: str, kept: dict[Path, int]) -> Path:
    stem, dot, suffix = name.partition(".")
    path = first = place / name
    while path in kept:
        kept[first] += 1
        path = place / f"{stem} ({kept[first]}){dot}{suffix}"
    return path


def _safe(name: str) -> str:
    """Return a name for a file or folder: what would lead elsewhere becomes "_", and what is too long is cut short."""
    safe = _UNSAFE.sub("_", name).strip() or "_"
    match = NOTEBOOK.fullmatch(safe)
    suffix = safe[len(match["stem"]) :] if match else ""
    return shortened(safe.removesuffix(suffix), _LONGEST_NAME) + suffix


def _remove_others(folder: Path, kept: Collection[Path]) -> None:
    for path in folder.rglob("*"):
        if path.is_file() and path not in kept:
            path.unlink()
    for path in sorted((p for p in folder.rglob("*") if p.is_dir()), reverse=True):
        if not any(path.iterdir()):
            shutil.rmtree(path)
