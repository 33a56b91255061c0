"""What the LMS's file names say of whose a folder of submissions is; kept beside the results for `report`."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course_attention.course.whole_files import write_whole
from course_attention.grading.intake.arrange import folder_of
from course_attention.grading.intake.layouts import Owner

FILE = "origins.json"


@dataclass(frozen=True)
class Origin:
    """What is known of whose a folder of submissions is.

    Attributes:
        ids: kind → an ID of that kind.
        any_id: an ID whose kind nobody has stated: the name of a folder.
        name: the student's name, or the team's, "" where it is not known.
    """

    ids: Mapping[str, str]
    any_id: str = ""
    name: str = ""


def keep_origins(owners: Iterable[Owner], out: Path, layout: str) -> None:
    """Write down what an export of this layout says of its students. Plain folders say no more than their names.

    Raises:
        OSError: a file cannot be read or written.
    """
    if layout == "folder":
        return
    known = {folder_of(owner): {"layout": layout, "known_as": sorted(owner.identities)} for owner in owners}
    # Another assignment may have been graded into the same folder of results: what it said is kept.
    content = json.dumps({**_kept(out), **known}, indent=1, ensure_ascii=False)
    write_whole(out / FILE, content.encode("utf-8", "backslashreplace"), 0o600)


def read_origins(results: Path, folders: Iterable[str]) -> dict[str, Origin]:
    """Return what is known of each folder of results; its name, where nothing was written down."""
    kept = _kept(results)
    return {
        folder: origin(kept[folder]["layout"], kept[folder]["known_as"])
        if folder in kept
        else origin("folder", [folder])
        for folder in folders
    }


def _kept(results: Path) -> dict[str, Any]:
    try:
        kept = json.loads((results / FILE).read_bytes())
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}


def origin(layout: str, known_as: Iterable[str]) -> Origin:
    """Say which kinds of ID those are that an LMS of this layout writes into its file names.

    Example:
        >>> origin("canvas", ["101", "doejane"])
        Origin(ids={'canvas_id': '101'}, any_id='', name='doejane')
    """
    known = sorted(known_as, key=lambda one: (len(one), one))
    if layout == "folder":
        return Origin({}, known[0], known[0])
    if layout == "github":  # the login, and the repository's name, which ends on it
        return Origin({"login": known[0]}, name=known[0])
    ids: dict[str, str] = {}
    names = []
    for one in known:
        if kind := _kind(layout, one):
            ids.setdefault(kind, one)
        elif layout != "moodle" or one != f"Participant {ids.get('participant')}":
            names.append(one)
    return Origin(ids, name="".join(names[:1]))


def _kind(layout: str, known_as: str) -> str:
    """Return the kind of an ID, "" of a name."""
    if layout == "gradescope":
        has_digit = any(map(str.isdecimal, known_as))
        return "email" if "@" in known_as else "student_id" if has_digit else ""
    return {"canvas": "canvas_id", "moodle": "participant"}[layout] if known_as.isdecimal() else ""
