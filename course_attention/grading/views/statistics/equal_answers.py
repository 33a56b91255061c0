"""Wrong answers that are equal between a few students, and rare in the class. They are for the instructor alone.

Equality is no proof. It also comes from work in a group, from a source that several have read, or by chance.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from course_attention.exercises import CATALOGUE
from course_attention.grading.policy.normal_form import definitions
from course_attention.grading.views.results import StoredResult
from course_attention.grading.views.statistics.verdicts import verdict_digest

MOST_STUDENTS = 3  # who may share an answer that is called rare
RAREST = 0.1  # of the answers to an exercise: the largest share that may be equal to be called rare
LEAST_NODES = 80  # of a syntax tree; smaller ones are equal by chance
MOST_ROWS = 30


@dataclass(frozen=True, order=True)
class Writer:
    """Who wrote an answer: the name, the address of the feedback page, and the digest of the file that it was in."""

    student: str
    link: str
    file: str


@dataclass(frozen=True)
class Rarity:
    """How rare an answer is: among so many wrong ones, which have so many forms, of so many answers in all."""

    exercise: str
    wrong: int
    forms: int
    answers: int


@dataclass(frozen=True)
class EqualAnswerRow:
    """A few students, and the exercises in which they, and nobody else, gave the same wrong answer.

    Attributes:
        students: name → the address of a feedback page.
        exercises: those exercises, each with how rare the answer is.
        same_file: whether they handed in the same files, as the members of a group do.
    """

    students: dict[str, str]
    exercises: list[Rarity]
    same_file: bool


@dataclass
class EqualAnswers:
    """The wrong answers of a class by their form, to which one student after another is added.

    Attributes:
        answers: exercise → number of answers that were tried.
        forms: exercise → digest of an answer's form and of its verdict → who wrote it.
    """

    answers: Counter[str] = field(default_factory=Counter)
    forms: dict[str, dict[bytes, list[Writer]]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, own: Sequence[StoredResult]) -> None:
        """Add one student's results."""
        for one in own:
            record = one.record
            writer = Writer(record["student"], one.link, record["source_sha256"])
            for entry in record["exercises"]:
                self.answers[entry["name"]] += entry["status"] not in ("not_attempted", "not_judged")
                if form := _form(entry):
                    writers = self.forms[entry["name"]].setdefault(form, [])
                    if all(other.student != writer.student for other in writers):
                        writers.append(writer)

    def rows(self) -> list[EqualAnswerRow]:
        """Return a row for each set of students, those first who share most answers."""
        shared: dict[tuple[str, ...], list[tuple[Rarity, list[Writer]]]] = defaultdict(list)
        for exercise, forms in sorted(self.forms.items()):
            wrong, answers = sum(map(len, forms.values())), self.answers[exercise]
            for writers in forms.values():
                if 2 <= len(writers) <= min(MOST_STUDENTS, RAREST * answers):
                    students = tuple(sorted(writer.student for writer in writers))
                    shared[students].append((Rarity(exercise, wrong, len(forms), answers), writers))
        ranked = sorted(shared.items(), key=lambda item: (-len(item[1]), item[0]))
        return [_row(found) for _, found in ranked]


def _row(found: list[tuple[Rarity, list[Writer]]]) -> EqualAnswerRow:
    students = {writer.student: writer.link for writer in sorted(found[0][1])}
    same_file = all(len({writer.file for writer in writers}) == 1 for _, writers in found)
    return EqualAnswerRow(students, [rarity for rarity, _ in found], same_file)


def _form(entry: dict[str, Any]) -> bytes | None:
    """Return a digest of a wrong answer; None where it is too short to tell apart, or mostly the course's."""
    known = CATALOGUE.get(entry["name"])
    if entry["status"] not in ("failed", "errored") or known is None or known.exercise.given:
        return None
    text = "\n".join(definitions(entry["code"]))
    if text.count("(") < LEAST_NODES:
        return None
    return blake2b(text.encode("utf-8", "backslashreplace") + verdict_digest(entry), digest_size=12).digest()
