"""Statistics of a class: how each exercise went, which misconceptions are held, and what is worth a look."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from course_attention.exercises import CATALOGUE
from course_attention.grading.views.results import StoredResult
from course_attention.grading.views.statistics.costly_misconceptions import MisconceptionCosts
from course_attention.grading.views.statistics.equal_answers import EqualAnswers
from course_attention.grading.views.statistics.unnamed_answers import UnnamedAnswers
from course_attention.grading.views.wording import COPIED

LONGEST_NOTE = 300  # characters
MOST_NOTES = 100  # notes of one kind that are kept; of the others only the number is kept
_WORTH_A_LOOK = ("not_judged", "forbidden", "timeout", "out_of_memory", "crashed")
# These stand for a misconception where an answer failed for no known reason, or raised an error.
UNNAMED, ERRORED = "", "errored"


@dataclass(frozen=True)
class Note:
    """Something that an instructor may want to look at; `link` leads to the feedback page."""

    student: str
    name: str
    link: str
    text: str


@dataclass
class ExerciseStatistics:
    """How an exercise went: the answers of each status, and the sum of the shares of its points earned."""

    notebook: str
    points: float
    statuses: Counter[str] = field(default_factory=Counter)
    earned: float = 0.0

    @property
    def tried(self) -> int:
        """The number of answers, without those that were not attempted or not judged."""
        return self.judged - self.statuses["not_attempted"]

    @property
    def judged(self) -> int:
        """The number of answers, without those at which the grader itself failed."""
        return self.statuses.total() - self.statuses["not_judged"]


@dataclass
class ClassStatistics:
    """The statistics of a class, to which one student after another is added.

    Attributes:
        submissions: status → number of results.
        fingerprints: notebook → the fingerprints of its results.
        exercises: name → its statistics.
        misconceptions: (exercise, misconception) → number of answers; UNNAMED and ERRORED stand for those without one.
        holders: misconception → number of students who hold it in any exercise.
        notes: kind → the notes that are kept.
        note_counts: kind → number of all notes.
        costs: what each misconception cost.
        unnamed: wrong answers that no misconception explains.
        equal: wrong answers that are equal between students.
    """

    submissions: Counter[str] = field(default_factory=Counter)
    fingerprints: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    exercises: dict[str, ExerciseStatistics] = field(default_factory=dict)
    misconceptions: Counter[tuple[str, str]] = field(default_factory=Counter)
    holders: Counter[str] = field(default_factory=Counter)
    notes: dict[str, list[Note]] = field(default_factory=lambda: defaultdict(list))
    note_counts: Counter[str] = field(default_factory=Counter)
    costs: MisconceptionCosts = field(default_factory=MisconceptionCosts)
    unnamed: UnnamedAnswers = field(default_factory=UnnamedAnswers)
    equal: EqualAnswers = field(default_factory=EqualAnswers)

    def add(self, own: Sequence[StoredResult]) -> None:
        """Add one student's results."""
        for part in (self.costs, self.unnamed, self.equal):
            part.add(own)
        held = set()
        for one in own:
            record = one.record
            self.submissions[record["status"]] += 1
            self.fingerprints[record["notebook"]].add(record["fingerprint"])
            self._note_submission(one)
            for entry in record["exercises"]:
                self._count(one, entry)
                held.add(entry["misconception"])
        self.holders.update(held - {None})

    @property
    def mixed(self) -> list[str]:
        """The notebooks with results that were not all made by the same judge and course."""
        return sorted(notebook for notebook, found in self.fingerprints.items() if len(found) > 1)

    def _count(self, one: StoredResult, entry: dict[str, Any]) -> None:
        record, name, status = one.record, entry["name"], entry["status"]
        new = ExerciseStatistics(record["notebook"], entry["points"])
        exercise = self.exercises.setdefault(name, new)
        exercise.statuses[status] += 1
        exercise.earned += entry["score"] or 0.0  # one not judged has no score, and is not in `judged`
        if status == "failed":
            self.misconceptions[name, entry["misconception"] or UNNAMED] += 1
        elif status == "errored":
            self.misconceptions[name, entry["misconception"] or ERRORED] += 1
        # Where the whole submission was lost, it has a note already.
        if status in _WORTH_A_LOOK and record["status"] == "graded":
            self._note(status, one, entry["message"].partition(". ")[0] if status == "forbidden" else name)

    def _note_submission(self, one: StoredResult) -> None:
        record = one.record
        if record["status"] != "graded":
            self._note(record["status"], one, "; ".join(record["notes"]))
            return
        for text in record["notes"]:
            self._note("copied" if COPIED in text else "other", one, text)

    def _note(self, kind: str, one: StoredResult, text: str) -> None:
        self.note_counts[kind] += 1
        if len(self.notes[kind]) < MOST_NOTES:
            short = text if len(text) <= LONGEST_NOTE else f"{text[:LONGEST_NOTE]}…"
            self.notes[kind].append(Note(one.record["student"], one.label, one.link, short))


def in_teaching_order(exercises: Iterable[str]) -> list[str]:
    """Names of exercises in the order in which the course has them; unknown names come last.

    Example:
        >>> in_teaching_order(["attention", "no such exercise", "softmax"])
        ['softmax', 'attention', 'no such exercise']
    """
    places = {name: place for place, name in enumerate(CATALOGUE)}
    return sorted(exercises, key=lambda name: (places.get(name, len(places)), name))
