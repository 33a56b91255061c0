"""The late rules for the students of one class: whose due date is another, and who in the rules is nobody here."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from course_attention.grading.marking.late_rules import Extension, Lateness, LateRules, kinder
from course_attention.grading.roster.class_list import Person, compact, same
from course_attention.grading.roster.columns import ID_KINDS
from course_attention.grading.roster.enrolment import Enrolment, kept_enrolment
from course_attention.grading.roster.origins import Origin, read_origins
from course_attention.grading.run.results import result_files


@dataclass(frozen=True)
class DueDates:
    """The late rules for the students of one class.

    Attributes:
        rules: for everybody.
        extensions: folder of submissions → the extension of those whose it is.
        strangers: who is named in the extensions and cannot be found → why not.
        submitted: folder of submissions → when the class list says that it was handed in.
    """

    rules: LateRules = field(default_factory=LateRules)
    extensions: Mapping[str, Extension] = field(default_factory=dict)
    strangers: Mapping[str, str] = field(default_factory=dict)
    submitted: Mapping[str, str] = field(default_factory=dict)

    def lateness(self, folder: str, notebook: str, submitted: str) -> Lateness | None:
        """Say how late a student's notebook is; None where it has no due date.

        What came with the files says best when they were handed in. Where nothing did, the class list may say it.
        """
        submitted = submitted or self.submitted.get(folder, "")
        return self.rules.lateness(notebook, submitted, self.extensions.get(folder))


def due_dates(results: Path, rules: LateRules) -> DueDates:
    """Find those who have an extension among the folders of results, and on the class list beside them.

    Moodle's grading worksheet is a class list that says when each student handed in.

    Raises:
        CannotGrade: the class list cannot be read.
    """
    if not rules.told:
        return DueDates(rules)
    folders = {path.parent.name for path in result_files.paths(results)}
    origins, enrolment = read_origins(results, folders), kept_enrolment(results, folders)
    extensions: dict[str, Extension] = {}
    strangers: dict[str, str] = {}
    for who, extension in rules.extensions.items():
        found = _on_the_list(who, enrolment) if enrolment else None
        found = _among(who, origins) if found is None else found
        if isinstance(found, str):
            strangers[who] = found
            continue
        for folder in found:
            extensions[folder] = kinder(extensions.get(folder, {}), extension)
    return DueDates(rules, extensions, strangers, _submitted(enrolment) if enrolment else {})


def _submitted(enrolment: Enrolment) -> dict[str, str]:
    """When each folder was handed in: of a team's members, who share one, the last says it."""
    found: dict[str, str] = {}
    for entry in enrolment.entries:
        if entry.folder and (said := enrolment.roster.submitted(entry.person)):
            found[entry.folder] = max(said, found.get(entry.folder, ""))
    return found


def _on_the_list(who: str, enrolment: Enrolment) -> Collection[str] | str | None:
    """Return the folders of a student, a team or a section; why they are unclear; None where the list lacks them."""
    roster = enrolment.roster
    own = {person.row: person for kind in ID_KINDS for person in roster.by_id.get((kind, same(who)), ())}
    found = list(own.values()) or list(roster.by_name.get(compact(who), ()))
    if len(found) > 1:
        return f"could be {' or '.join(_described(person) for person in found)}"
    group = {compact(who)} - {""}
    found = found or [one for one in roster.people if group & {compact(one.team), compact(one.section)}]
    rows = {person.row for person in found}
    return {one.folder for one in enrolment.entries if one.person.row in rows} - {""} if found else None


def _among(who: str, origins: Mapping[str, Origin]) -> Collection[str] | str:
    """Return the folder of that name, or of a student whom the LMS knows by that ID; why there is none."""
    if who in origins:
        return {who}
    found = {folder for folder, origin in origins.items() if same(who) in map(same, _ids(origin))}
    if len(found) > 1:
        return f"could be any of the folders {', '.join(sorted(found))}"
    return found or "neither a folder that was handed in nor anybody on the class list has this name or ID"


def _ids(origin: Origin) -> Iterable[str]:
    return (*origin.ids.values(), origin.any_id)


def _described(person: Person) -> str:
    return f"{person.shown} ({person.number})"
