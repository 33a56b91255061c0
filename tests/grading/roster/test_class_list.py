"""Class lists are read in the forms in which each LMS writes them, and what is none says what was expected."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from course_attention.grading.errors import CannotGrade
from course_attention.grading.roster.class_list import ClassList, read_class_list
from tests.grading.roster.lists import CANVAS, GRADESCOPE, PARTICIPANTS, PLAIN, WORKSHEET, WORKSHEET_IN_GERMAN


def read(tmp_path: Path, text: str | bytes) -> ClassList:
    path = tmp_path / "list.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_class_list(path)


KINDS = {
    "canvas": (CANVAS, "canvas", {"canvas_id": "101", "student_id": "S1", "login": "jdoe"}),
    "worksheet": (WORKSHEET, "moodle worksheet", {"participant": "101", "email": "jane@example.org"}),
    "worksheet in German": (WORKSHEET_IN_GERMAN, "moodle worksheet", {"participant": "101"}),
    "participants": (PARTICIPANTS, "plain", {"student_id": "S1", "email": "jane@example.org"}),
    "gradescope": (GRADESCOPE, "gradescope", {"student_id": "S1", "email": "jane@example.org"}),
    "plain": (PLAIN, "plain", {"student_id": "S1", "login": "jdoe"}),
}


@pytest.mark.parametrize("form", ["as it is", "with a mark", "in UTF-16", "with semicolons", "with \\r\\n"])
@pytest.mark.parametrize("name", KINDS)
def test_recognised(name: str, form: str, tmp_path: Path) -> None:
    """Each is recognised, however it is encoded; names, IDs and sections are read; staff and totals are no students."""
    text, kind, ids = KINDS[name]
    if form == "with semicolons":
        file = io.StringIO(newline="")
        csv.writer(file, delimiter=";").writerows(csv.reader(io.StringIO(text, newline="")))
        text = file.getvalue()
    written = {"with a mark": ("\ufeff" + text).encode(), "in UTF-16": text.encode("utf-16")}
    found = read(tmp_path, written.get(form, text.replace("\n", "\r\n") if "r" in form[-3:] else text))
    assert found.kind == kind
    jane, bob, *_ = found.people
    assert jane.ids == ids
    assert "janedoe" in jane.names and "bobroe" in bob.names
    assert "doejane" in jane.names, "an LMS may begin a name with the last one"
    assert len(found.people) == 4


def test_sections_teams_and_excused(tmp_path: Path) -> None:
    """A plain list may have sections, teams and students who are excused."""
    jane, bob, _, cy = read(tmp_path, PLAIN).people
    assert (jane.section, jane.team, jane.excused) == ("A", "red", False)
    assert (bob.team, cy.excused) == ("red", True)


def test_canvas_assignments(tmp_path: Path) -> None:
    """An assignment is found by its title, however it is spaced; Canvas says who is excused in its column."""
    found = read(tmp_path, CANVAS)
    assert found.assignment("00_start_here") == 5 and found.maxima[5] == 8
    assert found.assignment("Current Score") is None
    assert [found.is_excused(one, 5) for one in found.people] == [False, False, False, True]


def test_last_and_first_names_apart(tmp_path: Path) -> None:
    """Canvas can be told to write names in two columns."""
    found = read(tmp_path, "LastName,FirstName,ID,SIS Login ID,Section\n    Points Possible,,,,\nDoe,Jane,101,jdoe,A\n")
    (jane,) = found.people
    assert (found.kind, jane.ids, found.id_columns) == ("canvas", {"canvas_id": "101", "login": "jdoe"}, 5)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "is empty"),
        ("shoe size,colour\n43,red\n", "names no student"),
        ("name\n", "names no student"),
        (b"PK\x03\x04", "workbook"),
        ("name\nZo\u00eb\n".encode("cp1252"), "not in UTF-8"),
        ('Identifier,"Full name",Grade,Scale\nParticipant 1,Jane,,good\n', "not on a scale"),
    ],
)
def test_no_class_list(content: str | bytes, why: str, tmp_path: Path) -> None:
    """What is no class list is told in a line, never guessed."""
    with pytest.raises(CannotGrade, match=why):
        read(tmp_path, content)


def test_given_back_as_it_came(tmp_path: Path) -> None:
    """A table that is written again has the same cells, delimiter, line ends and mark."""
    text = '\ufeffname;note\r\n"Doe; Jane";"two\nlines, ""and"" more"\r\n'
    table = read(tmp_path, text).table
    assert table.with_rows(table.rows) == text
