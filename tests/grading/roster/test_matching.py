"""A folder's student is found by an ID, else by the name; what is ambiguous is named, and never guessed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from course_attention.grading.roster.class_list import read_class_list
from course_attention.grading.roster.enrolment import Enrolment, enrol
from course_attention.grading.roster.origins import origin
from tests.grading.roster.lists import CANVAS, GRADESCOPE, PARTICIPANTS, PLAIN, TEAM_WORKSHEET, WORKSHEET

NAMESAKES = "name,student_id\nAnn Lee,S1\nLee Ann,S2\nZoë Roe,S3\nZoe Roe,S4\n"


def enrolled(tmp_path: Path, text: str, layout: str, *known: tuple[str, ...]) -> Enrolment:
    """Join the class list with folders that are named by the first that is known of them."""
    path = tmp_path / "list.csv"
    path.write_text(text)
    return enrol(read_class_list(path), {one[0]: origin(layout, one) for one in known})


def places(enrolment: Enrolment) -> dict[str, str]:
    return {entry.person.name: entry.folder for entry in enrolment.entries if entry.folder}


@pytest.mark.parametrize(
    ("text", "layout", "known", "name", "why"),
    [
        (CANVAS, "canvas", ("101", "doejane"), "Doe, Jane", "Canvas's ID"),
        (CANVAS, "folder", ("jdoe",), "Doe, Jane", "login"),
        (CANVAS, "folder", ("S1",), "Doe, Jane", "student ID"),
        (CANVAS, "folder", ("Jane Doe",), "Doe, Jane", "name"),
        (CANVAS, "gradescope", ("jane@example.org", "Jane Doe", "S1"), "Doe, Jane", "student ID"),
        (CANVAS, "moodle", ("101", "Participant 101", "Bob Roe"), "Roe, Bob", "name"),
        (WORKSHEET, "moodle", ("101", "Participant 101", "Jane Doe"), "Jane Doe", "participant"),
        (WORKSHEET, "moodle", ("101", "Participant 101", "Participant"), "Jane Doe", "participant"),
        (PARTICIPANTS, "moodle", ("977", "Participant 977", "Jane Doe"), "Jane Doe", "name"),
        (PARTICIPANTS, "canvas", ("977", "leecy"), "Cy Lee", "name"),
        (GRADESCOPE, "gradescope", ("ANN@example.org", "Ann Lee"), "Ann Lee", "email"),
        (PLAIN, "github", ("alee", "week-1-alee"), "Ann Lee", "login"),
    ],
)
def test_found(tmp_path: Path, text: str, layout: str, known: tuple[str, ...], name: str, why: str) -> None:
    """By what the LMS's own file names say; the number of one LMS is never the number of another."""
    found = enrolled(tmp_path, text, layout, known)
    assert places(found) == {name: known[0]} and not found.strangers
    assert [entry.why for entry in found.entries if entry.folder] == [why]


@pytest.mark.parametrize(
    ("text", "layout", "known", "why"),
    [
        (CANVAS, "canvas", [("999", "doejane")], "not on the class list: Canvas's ID 999"),
        (CANVAS, "folder", [("nobody",)], "nobody of this name or ID"),
        (WORKSHEET, "moodle", [("102", "Participant 102", "Jane Doe")], "worksheet of another assignment"),
        (WORKSHEET, "moodle", [("9", "Participant 9", "Jane Doe")], "not on the class list: participant 9"),
        (NAMESAKES, "folder", [("Ann Lee",)], r"could be Ann Lee \(S1\) or Lee Ann \(S2\)"),
        (PARTICIPANTS, "moodle", [("5", "Jane Doe"), ("6", "Jane Doe")], "several folders: 5, 6"),
    ],
)
def test_not_guessed(tmp_path: Path, text: str, layout: str, known: list[tuple[str, ...]], why: str) -> None:
    """Who is not on the list, could be two, or is two, is nobody's, with the reason."""
    found = enrolled(tmp_path, text, layout, *known)
    assert places(found) == {}
    assert len(found.strangers) == len(known)
    assert all(re.search(why, said) for said in found.strangers.values())


def test_accents_tell_apart(tmp_path: Path) -> None:
    """Two names that differ in an accent alone are two names."""
    found = enrolled(tmp_path, NAMESAKES, "folder", ("Zoë Roe",), ("Zoe Roe",))
    assert places(found) == {"Zoë Roe": "Zoë Roe", "Zoe Roe": "Zoe Roe"}


def test_teams(tmp_path: Path) -> None:
    """What one of a team handed in is everybody's in it; Moodle names the folder after the team."""
    found = enrolled(tmp_path, TEAM_WORKSHEET, "moodle", ("101", "Participant 101", "Team red"))
    assert places(found) == {"Jane Doe": "101", "Bob Roe": "101"}
    found = enrolled(tmp_path, PLAIN, "folder", ("jdoe",))
    assert places(found) == {"Jane Doe": "jdoe", "Bob Roe": "jdoe"}


def test_team_that_handed_in_twice(tmp_path: Path) -> None:
    """Then each has what is their own, and whoever handed in nothing is told apart by a remark."""
    text = PLAIN.replace("Ann Lee,S3,alee,A,,", "Ann Lee,S3,alee,A,red,")
    found = enrolled(tmp_path, text, "folder", ("jdoe",), ("broe",))
    assert places(found) == {"Jane Doe": "jdoe", "Bob Roe": "broe"}
    assert "more than once: broe, jdoe" in found.entries[2].remark
