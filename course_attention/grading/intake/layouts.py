"""Whose file is this? Each LMS says it in another way, and is recognised by it.

| layout | files |
|---|---|
| `canvas` | `doejane_LATE_1234_5678_01_seq2seq-1.ipynb`: name, user, submission, file |
| `moodle` | `Jane Doe_1234_assignsubmission_file/01.ipynb`, or with `_` in the place of `/` |
| `gradescope` | `submission_1234/01.ipynb`, and `submission_metadata.yml`, which says whose it is |
| `github` | `course-ada/notebooks/01.ipynb`: repositories, at any depth |
| `folder` | `ada/01.ipynb`, or `ada/week 1/01.ipynb`, as nbgrader has it |
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from course_attention.grading.arguments import LAYOUTS
from course_attention.grading.errors import CannotGrade
from course_attention.grading.intake.export import METADATA, Export, Found
from course_attention.grading.reading.notebook_files import Unreadable

_CANVAS = re.compile(r"(?P<name>[^_/]+)_(?P<late>LATE_)?(?P<user>\d+)_(?:question_\d+_)?(?P<sub>\d+)_(?P<file>[^/]+)")
_MOODLE = re.compile(
    r"(?P<name>[^/]+?)_(?P<participant>\d+)_assignsubmission_(?:file|onlinetext)_?(?:/|_)?(?P<file>.+)"
)
_LARGEST_METADATA = 20_000_000


@dataclass(frozen=True)
class Owner:
    """Whose a file is, as the export says it.

    Attributes:
        student: a name that no other student of the export has.
        identities: what a roster may know the student by: a name, a login, a number, an address.
        file: the name of the file, without what the LMS has put before it.
        assignment: the name of the folder between the student's and the file, in the layout `folder`.
        number: of the upload, where the LMS counts them; a later one has a larger number.
        submitted: when, as the LMS says it, "" where it does not. Canvas says no more than that a file was late.
    """

    student: str
    identities: frozenset[str]
    file: str
    assignment: str = ""
    submitted: str = ""
    number: int = 0


@dataclass(frozen=True)
class Layout:
    """How an export says whose a file is.

    Attributes:
        name: of the layout.
        owners: the owners of a file; none where it belongs to nobody. A group's file has several.
    """

    name: str
    owners: Callable[[Found], list[Owner]]
    own_files: frozenset[tuple[str, ...]] = field(default_factory=frozenset)  # the LMS's, not a student's


def recognise(export: Export, layout: str | None = None) -> Layout:
    """Return the layout of an export: the first whose marks it bears, unless it is named.

    Raises:
        CannotGrade: a layout is named that the export cannot have.
    """
    if layout is not None and layout not in LAYOUTS:
        raise CannotGrade(f"--layout is one of {', '.join(LAYOUTS)}; got {layout!r}")
    metadata = [one for one in export.files if one.parts[-1] == METADATA and len(one.parts) <= 2]
    if layout == "gradescope" and not metadata:
        raise CannotGrade(f"a Gradescope export holds {METADATA}; {export.path} does not")
    if layout == "gradescope" or (layout is None and metadata):
        return _gradescope(export, metadata[0])
    notebooks = [one for one in export.files if ".ipynb" in one.parts[-1].lower() and not one.refused]
    if layout == "moodle" or (layout is None and _most(_moodle_match, notebooks)):
        return Layout("moodle", _of_moodle)
    if layout == "canvas" or (layout is None and _most(_canvas_match, notebooks)):
        return Layout("canvas", _of_canvas)
    if layout == "github" or (layout is None and _most(lambda one: _in_any(export, one), notebooks)):
        return _github(export, notebooks)
    return _folder(notebooks, export.path.stem if export.path.is_file() else None)


def _most(match: Callable[[Found], Any], notebooks: list[Found]) -> bool:
    return bool(notebooks) and 2 * sum(bool(match(one)) for one in notebooks) > len(notebooks)


def _canvas_match(found: Found) -> re.Match[str] | None:
    return _CANVAS.fullmatch(found.parts[-1]) if len(found.parts) <= 2 else None


def canvas_prefix(name: str) -> str:
    """Return what Canvas has written before the name of a file that was handed in; "" where it has not.

    Example:
        >>> canvas_prefix("doejane_LATE_101_9001_00_start_here.ipynb")
        'doejane_LATE_101_9001_'
    """
    file = name.rpartition("/")[2]
    match = _CANVAS.fullmatch(file)
    return file[: match.start("file")] if match else ""


def _of_canvas(found: Found) -> list[Owner]:
    if not (match := _canvas_match(found)):
        return []
    # Canvas numbers what was handed in again: x-1.ipynb, x-2.ipynb.
    file = re.sub(r"-\d{1,2}(?=\.ipynb$)", "", match["file"])
    identities = frozenset({match["user"], match["name"]})
    submitted = "late, says Canvas" if match["late"] else ""
    return [Owner(f"{match['name']}_{match['user']}", identities, file, "", submitted, int(match["sub"]))]


def _moodle_match(found: Found) -> re.Match[str] | None:
    return _MOODLE.fullmatch("/".join(found.parts)) or (
        _MOODLE.fullmatch("/".join(found.parts[1:])) if len(found.parts) > 1 else None
    )


def _of_moodle(found: Found) -> list[Owner]:
    if not (match := _moodle_match(found)):
        return []
    name, participant = match["name"], match["participant"]
    file = match["file"].rpartition("/")[2]
    return [Owner(f"{name}_{participant}", frozenset({participant, f"Participant {participant}", name}), file)]


def _in_any(export: Export, found: Found) -> bool:
    return any(parts and found.parts[: len(parts)] == parts for parts in export.repositories)


def _github(export: Export, notebooks: list[Found]) -> Layout:
    """Each repository is a student's. Its name is the assignment's and the student's login: `week-1-ada`."""
    repositories = [parts for parts in export.repositories if parts] or sorted(
        {one.parts[:1] for one in notebooks if len(one.parts) > 1}
    )
    names = [parts[-1] for parts in repositories]
    shared = os.path.commonprefix(names) if len(names) > 1 else ""  # noqa: RUF071 - characters are meant
    shared = shared[: shared.rfind("-") + 1]

    def owners(found: Found) -> list[Owner]:
        for parts in sorted(repositories, key=len, reverse=True):
            if found.parts[: len(parts)] == parts and len(found.parts) > len(parts):
                login = parts[-1].removeprefix(shared)
                return [Owner(login, frozenset({login, parts[-1]}), found.parts[-1])]
        return []

    return Layout("github", owners)


def _folder(notebooks: list[Found], stem: str | None) -> Layout:
    """Return the layout of plain folders. A zip may hold them all in one folder, which has the zip's name."""
    tops = {one.parts[0] for one in notebooks}
    deepest = max((len(one.parts) for one in notebooks), default=0)
    wrapped = stem is not None and len(tops) == 1 and (tops == {stem} or deepest > 3)

    def owners(found: Found) -> list[Owner]:
        parts = found.parts[1:] if wrapped else found.parts
        if len(parts) not in (2, 3):
            return []
        assignment = parts[1] if len(parts) == 3 else ""
        return [Owner(parts[0], frozenset({parts[0]}), parts[-1], assignment)]

    return Layout("folder", owners)


def _gradescope(export: Export, metadata: Found) -> Layout:
    submissions = _submitters(export, metadata)
    top = len(metadata.parts) - 1

    def owners(found: Found) -> list[Owner]:
        if len(found.parts) < top + 2 or found.parts[:top] != metadata.parts[:-1]:
            return []
        return [
            Owner(one.student, one.identities, found.parts[-1], "", one.submitted)
            for one in submissions.get(found.parts[top], [])
        ]

    return Layout("gradescope", owners, frozenset({metadata.parts}))


def _submitters(export: Export, metadata: Found) -> dict[str, list[Owner]]:
    """By the folder of a submission, whose it is. The file is YAML; its keys are Ruby's symbols, as `:name:`."""
    try:
        import yaml
    except ImportError as error:
        raise CannotGrade(
            "reading a Gradescope export takes PyYAML: pip install 'course-attention[instructor]'"
        ) from error
    try:
        content = yaml.safe_load(export.read(metadata, _LARGEST_METADATA))
    except (Unreadable, yaml.YAMLError) as error:
        raise CannotGrade(f"{metadata.name} cannot be read: {error}") from error
    found = {}
    for folder, about in content.items() if isinstance(content, dict) else ():
        plain = _plain(about)
        people = plain.get("submitters") if isinstance(plain, dict) else None
        owners = [_submitter(_plain(one), plain) for one in people or () if isinstance(one, dict)]
        found[str(folder)] = [one for one in owners if one.student]
    return found


def _submitter(person: Mapping[str, Any], about: Mapping[str, Any]) -> Owner:
    known = [str(person[key]).strip() for key in ("email", "sid", "name") if person.get(key)]
    when = about.get("created_at", "")
    submitted = when.isoformat() if isinstance(when, datetime) else str(when or "")
    return Owner(known[0] if known else "", frozenset(known), "", "", submitted)


def _plain(about: object) -> dict[str, Any]:
    pairs: Iterable[tuple[Any, Any]] = about.items() if isinstance(about, dict) else ()
    return {str(key).strip(":"): value for key, value in pairs}
