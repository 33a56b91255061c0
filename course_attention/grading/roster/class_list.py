"""Reads a class list: Canvas's gradebook, Moodle's grading worksheet or participants, Gradescope's roster, or plain.

| class list | recognised by |
|---|---|
| `canvas` | the columns `Student` (or `LastName`, `FirstName`), `ID` and `Section` |
| `moodle worksheet` | a first column of a word and a number (`Participant 101`); one number is every row's maximum |
| `gradescope` | the columns `SID`, `Email` and `Role`; staff are left out |
| `plain` | any columns that say who a student is; Moodle's list of participants is such a table |
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from course_attention.grading.errors import CannotGrade
from course_attention.grading.roster.columns import ID_KINDS, kinds
from course_attention.grading.roster.moodle_times import COLUMN, NEVER, moodle_time
from course_attention.grading.roster.table import Table, read_table

K = TypeVar("K")
V = TypeVar("V")
_NUMBERED = re.compile(r"(?P<word>\D+)(?P<number>\d+)")
_TITLE_AND_ID = re.compile(r"(?P<title>.*)\s\(\d+\)", re.DOTALL)
_YES = {"1", "yes", "y", "true", "x", "ex", "excused"}


@dataclass(frozen=True)
class Person:
    """One student of a class list.

    Attributes:
        row: the student's row in the table.
        name: as the list has it.
        names: the forms in which a file name may have it, see `compact`.
        ids: kind → the ID as the list has it.
        section: the section, or tutorial group.
        team: of those who hand in together, "" where the list has no teams.
        excused: whether the list says so.
    """

    row: int
    name: str
    names: frozenset[str]
    ids: Mapping[str, str]
    section: str = ""
    team: str = ""
    excused: bool = False

    @property
    def number(self) -> str:
        """The ID that people know the student by, "" where there is none."""
        order = ("student_id", "login", "email", "canvas_id", "participant")
        return next((self.ids[kind] for kind in order if kind in self.ids), "")

    @property
    def shown(self) -> str:
        """The name; an ID where the list has none."""
        return self.name or self.number


@dataclass(frozen=True)
class ClassList:
    """A class list.

    Attributes:
        kind: "canvas", "moodle worksheet", "gradescope" or "plain".
        table: the file as it came.
        people: the students on it.
        id_columns: in Canvas's, how many columns come before the assignments.
        grade_column: in Moodle's worksheet, the column to fill in; the next one holds the maximum.
        submitted_column: in Moodle's worksheet, the column that says when each student handed in; None where there is
            none of that name, which is English.
        maxima: in Canvas's, column → its "Points Possible".
        anonymous: in Moodle's worksheet, what stands for the name of every student where markers may not see names.
    """

    kind: str
    table: Table
    people: tuple[Person, ...]
    id_columns: int = 0
    grade_column: int | None = None
    submitted_column: int | None = None
    maxima: Mapping[int, float] = field(default_factory=dict)
    anonymous: str = ""

    @cached_property
    def by_id(self) -> Mapping[tuple[str, str], list[Person]]:
        """Kind and ID, as `same` writes it → those who have it."""
        return _index((((kind, same(one)), person) for person in self.people for kind, one in person.ids.items()))

    @cached_property
    def by_name(self) -> Mapping[str, list[Person]]:
        """A form of a name → those who have it."""
        return _index((name, person) for person in self.people for name in person.names)

    @cached_property
    def by_team(self) -> Mapping[str, list[Person]]:
        """A team, as `compact` writes it → its members."""
        return _index((compact(person.team), person) for person in self.people if person.team)

    @cached_property
    def id_kinds(self) -> frozenset[str]:
        """The kinds of ID that anybody on the list has."""
        return frozenset(kind for kind, _ in self.by_id)

    @cached_property
    def _assignments(self) -> Mapping[str, list[int]]:
        header = enumerate(self.table.header[self.id_columns :], start=self.id_columns)
        titles = ((_TITLE_AND_ID.fullmatch(name.strip()), at) for at, name in header)
        return _index((compact(match["title"]), at) for match, at in titles if match)

    def assignment(self, title: str) -> int | None:
        """Return the column of Canvas's assignment of this title; None where there is not exactly one."""
        found = self._assignments.get(compact(title), []) if self.kind == "canvas" else []
        return found[0] if len(found) == 1 else None

    def submitted(self, person: Person) -> str:
        """Return when Moodle's worksheet says that a student handed in, "" where it does not.

        It is in ISO 8601 and without a zone; or as it stands there, where it cannot be read.
        """
        if self.submitted_column is None:
            return ""
        said = self.table.rows[person.row][self.submitted_column].strip()
        time = moodle_time(said)
        return time.isoformat() if time else "" if said == NEVER else said

    def is_excused(self, person: Person, assignment: int | None) -> bool:
        """Say whether a student is excused from an assignment: Canvas says so by `EX` in its column."""
        here = assignment is not None and self.table.rows[person.row][assignment].strip().upper() == "EX"
        return person.excused or here


def _index(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def same(one: str) -> str:
    """Return an ID in the form in which two are compared: case does not matter."""
    return one.strip().casefold()


def compact(text: str) -> str:
    """Return the letters and digits of a text, to compare what an LMS has changed for a file name.

    Example:
        >>> compact("O'Brien, Zoë"), compact("obrienzoë")
        ('obrienzoë', 'obrienzoë')
    """
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def number(text: str) -> float | None:
    """Return a number that may have a decimal comma; None where there is none.

    Example:
        >>> number("100,00"), number("8.5"), number("(read only)")
        (100.0, 8.5, None)
    """
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return None


def read_class_list(path: Path) -> ClassList:
    """Read a class list, whichever it is.

    Raises:
        CannotGrade: it is none; the message says what was expected.
        OSError: it cannot be read.
    """
    table = read_table(path)
    header = [name.strip() for name in table.header]
    found = _canvas(table, header) or _worksheet(table, header) or _plain(table, header)
    if not found.people:
        raise CannotGrade(f"{path} names no student that could be told from another; its columns are {header}")
    return found


def _canvas(table: Table, header: list[str]) -> ClassList | None:
    split = header[:3] == ["LastName", "FirstName", "ID"]
    if not (split or header[:2] == ["Student", "ID"]) or "Section" not in header:
        return None
    last = header.index("Section")
    columns = ["last_name", "first_name", *kinds(header[2:last])] if split else kinds(header[:last])
    columns[2 if split else 1] = "canvas_id"
    people, maxima = [], {}
    for index, row in enumerate(table.rows):
        if "Points Possible" in row[0]:
            maxima = {at: points for at in range(last + 1, len(header)) if (points := number(row[at]))}
        elif row[0].strip() and row[0].strip() != "Student, Test":  # Canvas's own made-up student
            people.append(_person(index, [*columns, "section"], row))
    return ClassList("canvas", table, tuple(people), last + 1, maxima=maxima)


def _worksheet(table: Table, header: list[str]) -> ClassList | None:
    """Moodle writes its worksheet in the language of its user: the columns are known by what is in them."""
    numbered = [_NUMBERED.fullmatch(cell) for cell in table.column(0)]
    words = {match["word"] if match else "" for match in numbered}
    if len(words) != 1 or "" in words:
        return None
    maximum = next((at for at in range(2, len(header)) if _is_maximum(table, at)), None)
    if maximum is None and {"Identifier", "Grade"} <= set(header):
        raise CannotGrade(
            "the grading worksheet has no column with the maximum of the grade: expected an assignment in Moodle "
            "that is graded in points, not on a scale"
        )
    if maximum is None:
        return None
    columns = kinds(header)
    columns[0] = "participant"
    columns = ["" if kind == "status" else kind for kind in columns]  # of the submission, not the student's
    if columns[1] == "" and header[1].casefold()[:4] not in (
        "stat",
        "esta",
    ):  # else names are hidden from markers
        columns[1] = "name"
    columns = ["team" if name == "Group" else kind for name, kind in zip(header, columns, strict=True)]
    people = [_person(index, columns, row) for index, row in enumerate(table.rows)]
    (word,) = words
    return ClassList(
        "moodle worksheet",
        table,
        tuple(people),
        grade_column=maximum - 1,
        submitted_column=header.index(COLUMN) if COLUMN in header else None,
        anonymous=compact(word),
    )


def _is_maximum(table: Table, at: int) -> bool:
    """One number in every row, with a column before it that holds numbers or nothing."""
    cells = set(table.column(at))
    before = [cell for cell in table.column(at - 1) if cell]
    return len(cells) == 1 and (number(*cells) or 0) > 0 and all(number(cell) is not None for cell in before)


def _plain(table: Table, header: list[str]) -> ClassList:
    columns = kinds(header)
    kind = "gradescope" if {"student_id", "email", "role"} <= set(columns) else "plain"
    people = [_person(index, columns, row) for index, row in enumerate(table.rows)]
    if kind == "gradescope":
        role = columns.index("role")
        people = [one for one in people if table.rows[one.row][role].strip().casefold() == "student"]
    return ClassList(kind, table, tuple(one for one in people if one.name or one.ids))


def _person(index: int, columns: list[str], row: list[str]) -> Person:
    said: dict[str, str] = {}
    for kind, cell in zip(columns, row, strict=False):
        if kind and cell.strip():
            said.setdefault(kind, cell.strip())
    if "participant" in said and (match := _NUMBERED.fullmatch(said["participant"])):
        said["participant"] = match["number"]
    if "@" in said.get("login", ""):
        said.setdefault("email", said["login"])
    first, last = said.get("first_name", ""), said.get("last_name", "")
    name = said.get("name") or " ".join(filter(None, [first, last]))
    excused = said.get("excused", "").casefold() in _YES or said.get("status", "").casefold() == "excused"
    ids = {kind: said[kind] for kind in ID_KINDS if kind in said}
    section, team = said.get("section", ""), said.get("team", "")
    return Person(index, name, _forms(name), ids, section, team, excused)


def _forms(name: str) -> frozenset[str]:
    """Return the name with each of its words in front: an LMS may begin with the first name or the last."""
    words = name.replace(",", " ").split()
    return frozenset({compact("".join(words[at:] + words[:at])) for at in range(len(words))} - {""})
