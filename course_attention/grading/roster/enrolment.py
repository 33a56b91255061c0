"""Everybody on the class list with what they handed in, and what was handed in by nobody on it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from course_attention.course.whole_files import write_whole
from course_attention.grading.roster.class_list import ClassList, Person, read_class_list
from course_attention.grading.roster.matching import matches
from course_attention.grading.roster.origins import Origin, read_origins

FILE = "roster.csv"


@dataclass(frozen=True)
class EnrolledStudent:
    """One student of the class list.

    Attributes:
        person: the student.
        folder: of the submissions, the student's own or the team's; "" where there is none.
        why: by what the folder was found.
        remark: what an instructor may want to know, else "".
    """

    person: Person
    folder: str = ""
    why: str = ""
    remark: str = ""

    @property
    def status(self) -> str:
        """Whether the student handed anything in, or is excused."""
        if self.person.excused:
            return "excused"
        return "handed in" if self.folder else "absent"


@dataclass(frozen=True)
class Enrolment:
    """The class list, joined with the folders of submissions.

    Attributes:
        roster: the class list.
        entries: one for each student on it, in its order.
        strangers: folder → why it belongs to nobody on the list.
    """

    roster: ClassList
    entries: tuple[EnrolledStudent, ...]
    strangers: Mapping[str, str]


def enrol(roster: ClassList, origins: Mapping[str, Origin]) -> Enrolment:
    """Join a class list with folders of submissions.

    Where one member of a team has handed in, all of it have. Where several have, each has what is their own.

    Args:
        roster: the class list.
        origins: folder → what is known of whose it is.
    """
    found = matches(origins, roster)
    own = {
        person.row: EnrolledStudent(person, folder, match.why)
        for folder, match in found.items()
        for person in match.people
    }
    teams: dict[str, set[str]] = {}
    for entry in own.values():
        if entry.person.team:
            teams.setdefault(entry.person.team, set()).add(entry.folder)
    entries = []
    for person in roster.people:
        entry = own.get(person.row, EnrolledStudent(person))
        theirs = sorted(teams.get(person.team, ()))
        if not entry.folder and len(theirs) == 1:
            entry = EnrolledStudent(person, theirs[0], "team", f"handed in by the team {person.team}")
        elif not entry.folder and theirs:
            entry = replace(entry, remark=f"the team {person.team} handed in more than once: {', '.join(theirs)}")
        elif entry.folder and person.excused:
            entry = replace(entry, remark="excused, and has handed in")
        entries.append(entry)
    strangers = {folder: match.why for folder, match in sorted(found.items()) if not match.people}
    return Enrolment(roster, tuple(entries), strangers)


def keep_roster(roster: Path, out: Path) -> None:
    """Keep a class list beside the results, so that `report` has it too.

    Raises:
        OSError: a file cannot be read or written.
    """
    if roster.resolve() != (out / FILE).resolve():
        write_whole(out / FILE, roster.read_bytes(), 0o600)


def kept_enrolment(results: Path, folders: Iterable[str]) -> Enrolment | None:
    """Return the enrolment of these folders of results; None where no class list is kept beside them.

    Raises:
        CannotGrade: the class list cannot be read.
    """
    if not (results / FILE).is_file():
        return None
    return enrol(read_class_list(results / FILE), read_origins(results, folders))
