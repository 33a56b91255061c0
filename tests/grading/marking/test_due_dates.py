"""Extensions: whose due date is another, and who is named and cannot be found."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from course_attention.grading.marking.due_dates import due_dates
from course_attention.grading.marking.late_rules import LateRule, LateRules
from course_attention.grading.roster.enrolment import FILE
from tests.grading.roster.lists import PLAIN
from tests.grading.views.made import NOTEBOOK, exercise, record, write

DUE = LateRule(datetime.fromisoformat("2026-10-01T12:00:00+00:00"), per_day=0.1)
LATER, LATEST = (datetime.fromisoformat(f"2026-10-{day}T12:00:00+00:00") for day in ("08", "15"))
TO_8TH, TO_15TH = (f"with an extension to 2026-10-{day} 12:00+00:00" for day in ("08", "15"))
NAMESAKES = "name,student_id\nAnn Lee,S1\nLee Ann,S2\n"


def found(results: Path, who: str, class_list: str, *folders: str) -> tuple[set[str], str]:
    """The folders of those who are called so, and why there are none."""
    write(results, *(record(folder, [exercise()]) for folder in folders))
    if class_list:
        (results / FILE).write_text(class_list)
    dates = due_dates(results, LateRules(DUE, extensions={who: {"": LATER}}))
    return set(dates.extensions), dates.strangers.get(who, "")


@pytest.mark.parametrize(
    ("who", "folders"),
    [
        ("alee", {"alee"}),  # the folder
        ("S3", {"alee"}),
        ("s3", {"alee"}),
        ("Ann Lee", {"alee"}),
        ("red", {"jdoe", "broe"}),
        ("A", {"alee", "jdoe"}),  # a section
        ("nobody on it", {"nobody on it"}),
        ("S4", set()),  # has handed in nothing
    ],
)
def test_on_the_class_list(tmp_path: Path, who: str, folders: set[str]) -> None:
    """By folder, ID, name, team or section; who is on the list and has handed in nothing is no stranger."""
    assert found(tmp_path, who, PLAIN, "alee", "jdoe", "broe", "nobody on it") == (folders, "")


def test_without_a_class_list(tmp_path: Path) -> None:
    """The folder's name tells who it is."""
    assert found(tmp_path, "ada", "", "ada", "bob") == ({"ada"}, "")
    assert found(tmp_path, "ADA", "", "ada", "bob") == ({"ada"}, "")


@pytest.mark.parametrize(
    ("who", "class_list", "why"),
    [
        ("eve", "", "neither a folder that was handed in nor anybody on the class list"),
        ("eve", PLAIN, "neither a folder that was handed in nor anybody on the class list"),
        ("", PLAIN, "neither a folder that was handed in nor anybody on the class list"),
        ("Ann Lee", NAMESAKES, "could be Ann Lee (S1) or Lee Ann (S2)"),
    ],
)
def test_strangers(tmp_path: Path, who: str, class_list: str, why: str) -> None:
    """Nobody is guessed, and nobody is passed over in silence."""
    folders, said = found(tmp_path, who, class_list, "alee")
    assert not folders and why in said


def test_the_kindest_counts(tmp_path: Path) -> None:
    """Who is named more than once has the most time of all."""
    write(tmp_path, record("alee", [exercise()]))
    (tmp_path / FILE).write_text(PLAIN)
    several = {"S3": {"": LATEST, NOTEBOOK: LATER}, "alee": {"": LATER, NOTEBOOK: None}}
    for extensions in (several, dict(reversed(several.items()))):
        dates = due_dates(tmp_path, LateRules(DUE, extensions=extensions))
        assert dates.extensions == {"alee": {"": LATEST, NOTEBOOK: None}}


@pytest.mark.parametrize(
    ("extension", "submitted", "kind", "words"),
    [
        ({}, "2026-10-03", "late", "2 days late: 20% taken off"),
        ({"": LATER}, "2026-10-03", "on time", f"on time, {TO_8TH}"),
        ({"": LATER}, "2026-10-09", "late", f"1 day late, {TO_8TH}: 10% taken off"),
        ({"": LATER}, "", "unknown", f"no time of handing in is known, {TO_8TH}: nothing taken off"),
        ({"": LATER, NOTEBOOK: LATEST}, "2026-10-09", "on time", f"on time, {TO_15TH}"),
        ({"": LATEST, "other": LATER}, "2026-10-09", "on time", f"on time, {TO_15TH}"),
        ({"other": LATER}, "2026-10-03", "late", "2 days late: 20% taken off"),
        ({NOTEBOOK: None}, "2026-10-03", "excused", "excused from the due date"),
        ({"": datetime.fromisoformat("2026-09-01T12:00:00+00:00")}, "2026-09-30", "on time", ""),
    ],
)  # fmt: skip
def test_extension(extension: dict, submitted: str, kind: str, words: str) -> None:
    """An extension moves the due date back and never forward, for the notebooks that it is for."""
    lateness = LateRules(DUE).lateness(NOTEBOOK, submitted, extension)
    assert lateness is not None and (lateness.kind, lateness.words) == (kind, words)
    assert bool(lateness.sentence) is bool(words)
