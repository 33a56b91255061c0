"""Extensions: whose due date is another, and who is named and cannot be found."""

from __future__ import annotations

import csv
from datetime import datetime
from pathlib import Path

import pytest

from course_attention.grading.marking import kept_rules
from course_attention.grading.marking.due_dates import due_dates
from course_attention.grading.marking.late_rules import LateRule, LateRules
from course_attention.grading.roster.enrolment import FILE
from course_attention.grading.roster.moodle_times import moodle_time
from course_attention.grading.views import write_all
from tests.grading.roster.lists import PLAIN, TEAM_WORKSHEET, WORKSHEET, WORKSHEET_IN_GERMAN
from tests.grading.views.made import NOTEBOOK, exercise, record, write

DUE = LateRule(datetime.fromisoformat("2026-10-01T12:00:00+00:00"), per_day=0.1)
LATER, LATEST = (datetime.fromisoformat(f"2026-10-{day}T12:00:00+00:00") for day in ("08", "15"))
TO_8TH, TO_15TH = (f"with an extension to 2026-10-{day} 12:00+00:00" for day in ("08", "15"))
NAMESAKES = "name,student_id\nAnn Lee,S1\nLee Ann,S2\n"


def found(results: Path, who: str, class_list: str, *folders: str) -> tuple[set[str], str]:
    """Give the folders of those who are called so, and why there are none."""
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


IN_TIME, TOO_LATE = "Thursday, 1 October 2026, 9:05 AM", "Saturday, 3 October 2026, 12:10 AM"
GERMAN = "Samstag, 3. Oktober 2026, 00:10"


def of_moodle(results: Path, worksheet: str, submitted: str = "") -> tuple[dict[str, str], list[str]]:
    """How late Jane and Bob are by a worksheet in which one of them is not, and the lines on due dates."""
    write(results, *(record(name, [exercise()], submitted=submitted) for name in ("Jane Doe", "Bob Roe")))
    (results / FILE).write_text(worksheet)
    kept_rules.keep(results, LateRules(DUE))
    lines = [line for line in write_all(results).lines if line.startswith("due dates: ")]
    with (results / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["status"] == "handed in"]
    return {row["name"]: row[f"{NOTEBOOK} late"] for row in rows}, lines


def worksheet_of(jane: str, bob: str) -> str:
    march = "Sunday, 1 March 2026, 10:00 AM"
    return WORKSHEET.replace(march, jane, 1).replace(march, bob, 1)


def test_time_of_the_worksheet(tmp_path: Path) -> None:
    """Moodle's worksheet says when each student handed in; what came with the files says it better."""
    late, lines = of_moodle(tmp_path, worksheet_of(IN_TIME, TOO_LATE))
    assert late == {"Jane Doe": "", "Bob Roe": "2 days late: 20% taken off"}
    assert lines == ["due dates: 1 late, 1 on time"]
    late, _ = of_moodle(tmp_path, worksheet_of(IN_TIME, IN_TIME), "2026-10-02 11:00")
    assert set(late.values()) == {"1 day late: 10% taken off"}


def test_time_that_cannot_be_read(tmp_path: Path) -> None:
    """Nothing is guessed: not from no time, and not from a time in another language."""
    late, lines = of_moodle(tmp_path, worksheet_of("-", GERMAN))
    assert late == {
        "Jane Doe": "no time of handing in is known: nothing taken off",
        "Bob Roe": f"no time can be read from {GERMAN!r}: nothing taken off",
    }
    assert lines == ["due dates: 0 late, 0 on time, 2 without a known time (nothing is taken off)"]


def test_worksheet_in_another_language(tmp_path: Path) -> None:
    """The column is known by its English name; a line says what to do."""
    _, lines = of_moodle(tmp_path, WORKSHEET_IN_GERMAN)
    (told,) = [line for line in lines if "English" in line]
    assert "'Last modified (submission)'" in told


def test_team_in_the_worksheet(tmp_path: Path) -> None:
    """The members of a team share a folder: the last of their times counts."""
    first, second = (f'"{time}"' for time in (TOO_LATE, IN_TIME))
    text = TEAM_WORKSHEET.replace("100.00,Yes,-", f"100.00,Yes,{first}", 1)
    text = text.replace("100.00,Yes,-", f"100.00,Yes,{second}", 1)
    write(tmp_path, record("Team red", [exercise()]))
    (tmp_path / FILE).write_text(text)
    dates = due_dates(tmp_path, LateRules(DUE))
    assert dates.submitted == {"Team red": "2026-10-03T00:10:00"}


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("Sunday, 22 November 2026, 8:40 AM", "2026-11-22 08:40"),
        ("Sunday, 22 November 2026, 12:00 AM", "2026-11-22 00:00"),
        ("Sunday, 22 November 2026, 12:00 PM", "2026-11-22 12:00"),
        ("Sunday, November 22, 2026, 8:40\u202fPM", "2026-11-22 20:40"),
        ("Sunday, 1 November 2026, 18:40", "2026-11-01 18:40"),
        ("1 November 2026, 08:40", "2026-11-01 08:40"),
        ("Monday, 22 November 2026, 8:40 AM", ""),  # a Sunday
        ("Sunday, 31 November 2026, 8:40 AM", ""),
        ("Sunday, 22 November 2026, 13:40 PM", ""),
        ("Sunday, 22 November 2026, 24:40", ""),
        ("dimanche 22 novembre 2026, 08:40", ""),
        ("22/11/26, 08:40", ""),  # or is the 22 a year?
        ("-", ""),
        ("", ""),
    ],
)
def test_moodle_time(text: str, time: str) -> None:
    """Read as Moodle writes it in English, and not at all otherwise."""
    found = moodle_time(text)
    assert (found.isoformat(" ", "minutes") if found else "") == time
