"""What is counted over a class: how each exercise went, which mistaken ideas are held, what is worth a look."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from course_attention.grading.views.results import Result
from course_attention.grading.views.wording import COPIED

_LONGEST = 300  # characters of a note
_MOST = 100  # notes of one kind that are kept; the others are counted
_WORTH_A_LOOK = ("forbidden", "timeout", "out_of_memory", "crashed")
# In the place of a misconception: failed, with no known idea behind it; raised an error.
UNNAMED, ERRORED = "", "errored"


@dataclass(frozen=True)
class Note:
    """Something that an instructor may want to look at; `link` leads to the feedback page."""

    student: str
    name: str
    link: str
    text: str


@dataclass
class Exercise:
    """How an exercise went: answers per status, and the share of its points earned, summed."""

    notebook: str
    points: float
    statuses: Counter[str] = field(default_factory=Counter)
    earned: float = 0.0

    @property
    def tried(self) -> int:
        return self.statuses.total() - self.statuses["not_attempted"]


@dataclass
class Tally:
    """The counts of a class, student by student.

    Attributes:
        submissions: results per status.
        exercises: by name.
        ideas: (exercise, misconception) → answers; UNNAMED and ERRORED stand for those without one.
        holders: misconception → students who hold it somewhere.
        notes: kind → notes, as far as they are kept.
        found: kind → how many there are in all.
    """

    submissions: Counter[str] = field(default_factory=Counter)
    exercises: dict[str, Exercise] = field(default_factory=dict)
    ideas: Counter[tuple[str, str]] = field(default_factory=Counter)
    holders: Counter[str] = field(default_factory=Counter)
    notes: dict[str, list[Note]] = field(default_factory=lambda: defaultdict(list))
    found: Counter[str] = field(default_factory=Counter)

    def add(self, own: Sequence[Result]) -> None:
        """Add one student's results."""
        held = set()
        for one in own:
            record = one.record
            self.submissions[record["status"]] += 1
            self._note_submission(one)
            for entry in record["exercises"]:
                self._count(one, entry)
                held.add(entry["misconception"])
        self.holders.update(held - {None})

    def _count(self, one: Result, entry: dict[str, Any]) -> None:
        record, name, status = one.record, entry["name"], entry["status"]
        exercise = self.exercises.setdefault(name, Exercise(record["notebook"], entry["points"]))
        exercise.statuses[status] += 1
        exercise.earned += entry["score"]
        if status == "failed":
            self.ideas[name, entry["misconception"] or UNNAMED] += 1
        elif status == "errored":
            self.ideas[name, entry["misconception"] or ERRORED] += 1
        if status in _WORTH_A_LOOK and record["status"] == "graded":  # else the submission is noted
            self._note(status, one, entry["message"].partition(". ")[0] if status == "forbidden" else name)

    def _note_submission(self, one: Result) -> None:
        record = one.record
        if record["status"] != "graded":
            self._note(record["status"], one, "; ".join(record["notes"]))
            return
        for text in record["notes"]:
            self._note("copied" if COPIED in text else "other", one, text)

    def _note(self, kind: str, one: Result, text: str) -> None:
        self.found[kind] += 1
        if len(self.notes[kind]) < _MOST:
            short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
            self.notes[kind].append(Note(one.record["student"], one.name, one.link, short))
