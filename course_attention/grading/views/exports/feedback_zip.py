"""Feedback pages in a zip, each under the name by which Moodle or Canvas finds its student.

| LMS | name in the zip | it comes back to |
|---|---|---|
| Moodle | `Jane Doe_101_assignsubmission_file_/00_start_here.html` | participant 101 |
| Canvas | `doejane_101_9001_00_start_here.html` | user 101; 9001 is the file that was handed in |
"""

import csv
import itertools
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from course_attention.course.whole_files import writing_whole
from course_attention.grading.intake.layouts import canvas_prefix
from course_attention.grading.roster.class_list import Person
from course_attention.grading.roster.enrolment import Enrolment
from course_attention.grading.roster.origins import Origin
from course_attention.presentation.visible_text import visible

_Page = tuple[str, Path]  # its name in the zip, and where it is
_HANDED_IN = "handed_in.csv"  # which `intake.listing` writes
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the same feedback makes the same zip, whenever it is written


def write_zips(results: Path, origins: Mapping[str, Origin], enrolment: Enrolment | None) -> list[str]:
    """Write `moodle_feedback.zip` and `canvas_feedback.zip`, each where its LMS's names are known.

    Args:
        results: the folder of results, with the feedback pages written.
        origins: folder of results → what is known of whose it is.
        enrolment: the class list, where there is one.

    Returns:
        A line for each that was written.
    """
    people: dict[str, list[Person]] = {}
    for entry in enrolment.entries if enrolment is not None else ():
        people.setdefault(entry.folder, []).append(entry.person)
    with_numbers = enrolment is not None and "participant" in enrolment.roster.id_kinds
    pages = {folder: sorted((results / "feedback" / folder).glob("*.html")) for folder in sorted(origins)}
    handed_in = _handed_in(results)
    kinds = {
        "moodle": (
            page
            for folder, own in pages.items()
            for page in _of_moodle(
                own, _participants(people.get(folder, [])) if with_numbers else _participant(origins[folder])
            )
        ),
        "canvas": (page for folder, own in pages.items() for page in _of_canvas(folder, own, handed_in)),
    }
    lines = []
    for lms, named in kinds.items():
        path = results / f"{lms}_feedback.zip"
        if _write(path, named):
            lines.append(f"feedback for {lms.capitalize()}: {path}")
        else:
            path.unlink(missing_ok=True)
    return lines


def _participants(people: Iterable[Person]) -> list[tuple[str, str]]:
    return [(one.name, one.ids["participant"]) for one in people if "participant" in one.ids]


def _participant(origin: Origin) -> list[tuple[str, str]]:
    return [(origin.name, origin.ids["participant"])] if "participant" in origin.ids else []


def _of_moodle(pages: Iterable[Path], students: Iterable[tuple[str, str]]) -> Iterator[_Page]:
    """Each student of a folder has its pages: one, or the members of a team."""
    for page in pages:
        for name, participant in students:
            # Moodle takes the name apart at its underscores: the student's own name may have none.
            shown = re.sub(r"[\W_]+", " ", name).strip() or "student"
            yield f"{shown}_{participant}_assignsubmission_file_/{page.name}", page


def _of_canvas(folder: str, pages: Iterable[Path], handed_in: Mapping[tuple[str, str], str]) -> Iterator[_Page]:
    """Canvas finds the student by the two numbers that it wrote before the name of what was handed in."""
    for page in pages:
        if prefix := canvas_prefix(handed_in.get((visible(folder), visible(page.stem)), "")):
            yield f"{prefix}{page.name}", page


def _handed_in(results: Path) -> dict[tuple[str, str], str]:
    """Return the name under which an LMS handed out what a result came of."""
    try:
        with open(results / _HANDED_IN, encoding="utf-8-sig", newline="") as file:
            return {(row["student"], row["result"]): row["file"] for row in csv.DictReader(file)}
    except (OSError, KeyError):
        return {}


def _write(path: Path, pages: Iterator[_Page]) -> bool:
    """Write a zip, where there is anything to put in it; say whether there is."""
    first = next(pages, None)
    if first is None:
        return False
    with writing_whole(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, page in itertools.chain([first], pages):
            entry = zipfile.ZipInfo(name, _LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, page.read_bytes())
    return True
