"""The misconceptions that cost a class most: what to say on Monday, and whom to see in office hours."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from course_attention.grading.views.results import StoredResult
from course_attention.grading.views.statistics.holders import Holder, Holders
from course_attention.grading.views.wording import misconception_words

MOST = 5  # misconceptions that are told
_MOST_TOGETHER = 3
_LEAST_TOGETHER = 3  # students who hold both; fewer may do so by chance


@dataclass(frozen=True)
class Sample:
    """One answer that shows a misconception: the exercise, its code, and what the judge said of it."""

    exercise: str
    code: str
    details: dict[str, Any]

    @property
    def size(self) -> tuple[bool, bool, int, str]:
        """Sorts samples: those with a failing case and a definition first, and of these the shortest."""
        defines = any(word in self.code for word in ("def ", "class "))
        return self.details["example"] is None, not defines, len(self.code), self.code


@dataclass(frozen=True)
class Together:
    """A misconception seen together with another: in how many students both, and in how many at all."""

    title: str
    name: str
    both: int
    students: int


@dataclass(frozen=True)
class CostlyMisconception:
    """A misconception, what it cost, and what helps to talk about it.

    Attributes:
        title, explanation: what students are told.
        name: its id.
        lost: the points that it cost the class.
        students: how many hold it.
        first: those who lost most by it, of whom at most `holders.MOST_HOLDERS` are named.
        exercises: where it was seen, with the number of answers, the most frequent first.
        sample: an answer that shows it.
        together: what else those who hold it hold more often than chance would have it, the most telling first.
    """

    title: str
    explanation: str
    name: str
    lost: float
    students: int
    first: list[Holder]
    exercises: list[tuple[str, int]]
    sample: Sample
    together: list[Together]


@dataclass
class MisconceptionCosts:
    """What misconceptions cost a class, to which one student after another is added.

    Attributes:
        students: number of students with a graded notebook.
        all_lost: the points that the class lost in answers that were tried, for whatever reason.
        lost: misconception → the points lost by it.
        holders: misconception → who holds it.
        exercises: misconception → exercise → number of answers.
        samples: misconception → the answer that shows it best.
        together: two misconceptions, sorted → number of students who hold both.
    """

    students: int = 0
    all_lost: float = 0.0
    lost: Counter[str] = field(default_factory=Counter)
    holders: dict[str, Holders] = field(default_factory=lambda: defaultdict(Holders))
    exercises: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    samples: dict[str, Sample] = field(default_factory=dict)
    together: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, own: Sequence[StoredResult]) -> None:
        """Add one student's results."""
        lost: Counter[str] = Counter()
        links: dict[str, str] = {}
        for one in own:
            for entry in one.record["exercises"]:
                if entry["score"] is None or entry["status"] == "not_attempted":
                    continue
                cost = entry["points"] * (1.0 - entry["score"])
                self.all_lost += cost
                if name := entry["misconception"]:
                    lost[name] += cost
                    links.setdefault(name, one.link)
                    self._show(name, entry)
        self.students += any(one.record["status"] == "graded" for one in own)
        self.lost.update(lost)
        for name, cost in lost.items():
            self.holders[name].add(cost, own[0].record["student"], links[name])
        self.together.update(combinations(sorted(lost), 2))

    def _show(self, name: str, entry: dict[str, Any]) -> None:
        self.exercises[name][entry["name"]] += 1
        sample = Sample(entry["name"], entry["code"], entry["details"])
        if name not in self.samples or sample.size < self.samples[name].size:
            self.samples[name] = sample

    def costliest(self) -> list[CostlyMisconception]:
        """Return the misconceptions that cost the class most, the costliest first."""
        ranked = sorted(self.lost, key=lambda name: (-round(self.lost[name], 6), name))
        return [self._told(name) for name in ranked[:MOST]]

    def _told(self, name: str) -> CostlyMisconception:
        sample = self.samples[name]
        title, explanation = misconception_words(name, sample.exercise)
        return CostlyMisconception(
            title=title,
            explanation=explanation or sample.details["explanation"],
            name=name,
            lost=self.lost[name],
            students=self.holders[name].count,
            first=self.holders[name].first,
            exercises=sorted(self.exercises[name].items(), key=lambda item: (-item[1], item[0])),
            sample=sample,
            together=self._together(name),
        )

    def _together(self, name: str) -> list[Together]:
        """Return what was seen beside it, first that which most students hold together with it beyond chance."""
        found = []
        for pair, both in self.together.items():
            if name not in pair or both < _LEAST_TOGETHER:
                continue
            other = pair[name == pair[0]]
            by_chance = self.holders[name].count * self.holders[other].count / self.students
            if both > by_chance:
                title = misconception_words(other, self.samples[other].exercise)[0]
                found.append((by_chance - both, Together(title, other, both, self.holders[other].count)))
        return [one for _, one in sorted(found, key=lambda item: (item[0], item[1].name))[:_MOST_TOGETHER]]
