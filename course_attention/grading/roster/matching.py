"""Finds the student of each folder of submissions. What is ambiguous is named, and never guessed.

An ID decides where the export and the class list both have one of that kind. A name decides only where they have no
kind of ID in common: two students may have one name, and they never have one ID.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from course_attention.grading.roster.class_list import ClassList, Person, compact, same
from course_attention.grading.roster.columns import ID_KINDS
from course_attention.grading.roster.origins import Origin


@dataclass(frozen=True)
class Match:
    """Whose a folder is.

    Attributes:
        people: one, or the members of a team that handed in together; nobody where it is not known.
        why: by what they were found; why not, where nobody was.
    """

    people: tuple[Person, ...]
    why: str


def match(origin: Origin, roster: ClassList) -> Match:
    """Find whose a folder is, from what the export says of it."""
    known = dict(origin.ids) or {kind: origin.any_id for kind in ID_KINDS if origin.any_id}
    shared = [kind for kind in known if kind in roster.id_kinds]
    found = [(person, kind) for kind in shared for person in roster.by_id.get((kind, same(known[kind])), [])]
    people = {person.row: person for person, _ in found}
    name = "" if compact(origin.name) == roster.anonymous else compact(origin.name)
    if len(people) == 1:
        ((person, kind), *_) = found
        if kind != "participant" or not name or not person.names or name in person.names:
            return Match((person,), _words(kind))
        # Moodle numbers the participants of each assignment, and its teams, anew.
        return _team(roster, name) or Match(
            (),
            f"participant {known[kind]} is {origin.name!r} in the export and {person.name!r} on the class list: "
            "is that the worksheet of another assignment?",
        )
    if people:
        return Match((), f"could be {_listed(people.values())}, who share an ID")
    if shared and origin.ids:
        ids = " and ".join(f"{_words(kind)} {known[kind]}" for kind in shared)
        return _team(roster, name) or Match((), f"not on the class list: {ids}")
    namesakes = roster.by_name.get(name, [])
    if len(namesakes) == 1:
        return Match((namesakes[0],), "name")
    if namesakes:
        return Match((), f"could be {_listed(namesakes)}, who share a name")
    return _team(roster, name) or Match((), "on the class list there is nobody of this name or ID")


def matches(origins: Mapping[str, Origin], roster: ClassList) -> dict[str, Match]:
    """Find whose each folder is. Two folders of one student are nobody's: the names of both are told.

    Args:
        origins: folder → what is known of it.
        roster: the class list.
    """
    each = {folder: match(origin, roster) for folder, origin in origins.items()}
    found = dict(each)
    holders: dict[int, list[str]] = {}
    for folder, one in each.items():
        for person in one.people:
            holders.setdefault(person.row, []).append(folder)
    for folders in holders.values():
        if len(folders) > 1:
            both = ", ".join(sorted(folders))
            for folder in folders:
                who = " and ".join(map(_described, each[folder].people))
                found[folder] = Match((), f"{who} would have several folders: {both}")
    return found


def _team(roster: ClassList, name: str) -> Match | None:
    members = roster.by_team.get(name)
    return Match(tuple(members), "team") if members else None


def _words(kind: str) -> str:
    return {"canvas_id": "Canvas's ID", "student_id": "student ID"}.get(kind, kind)


def _described(person: Person) -> str:
    return f"{person.name} ({person.number})" if person.name and person.number else person.shown


def _listed(people: Iterable[Person]) -> str:
    return " or ".join(map(_described, people))
