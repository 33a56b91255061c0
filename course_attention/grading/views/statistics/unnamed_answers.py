"""Wrong answers that no misconception explains, grouped by what they gave: the raw material of a new misconception."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from course_attention.grading.views.results import StoredResult
from course_attention.grading.views.statistics.holders import Holders
from course_attention.grading.views.statistics.verdicts import verdict_digest

MOST_GROUPS = 10  # that are shown
_MOST_SAMPLES = 200  # kept of answers that nobody else has given so far


@dataclass
class AnswerGroup:
    """Answers that gave the same.

    Attributes:
        exercise: what they answer.
        holders: who gave them.
        lost: the points that they cost.
        code, details: of the first of them that was kept.
    """

    exercise: str
    holders: Holders = field(default_factory=Holders)
    lost: float = 0.0
    code: str = ""
    details: dict[str, Any] | None = None


@dataclass
class UnnamedAnswers:
    """The groups of a class's wrong answers without a name, to which one student after another is added."""

    groups: dict[bytes, AnswerGroup] = field(default_factory=dict)
    _samples: int = 0

    def add(self, own: Sequence[StoredResult]) -> None:
        """Add one student's results."""
        for one in own:
            for entry in one.record["exercises"]:
                # An answer that raised has no result that a wrong computation could give.
                if entry["status"] == "failed" and not entry["misconception"]:
                    self._add(one, entry)

    def _add(self, one: StoredResult, entry: dict[str, Any]) -> None:
        group = self.groups.setdefault(verdict_digest(entry), AnswerGroup(entry["name"]))
        cost = entry["points"] * (1.0 - entry["score"])
        group.holders.add(cost, one.record["student"], one.link)
        group.lost += cost
        if group.details is None and (group.holders.count > 1 or self._samples < _MOST_SAMPLES):
            group.code, group.details = entry["code"], entry["details"]
            self._samples += 1

    def largest(self) -> list[AnswerGroup]:
        """Return the largest groups, the largest first, and of equally large ones the one that cost most."""
        ranked = sorted(
            (group for group in self.groups.values() if group.details is not None),
            key=lambda group: (-group.holders.count, -round(group.lost, 6), group.exercise, group.code),
        )
        return ranked[:MOST_GROUPS]
