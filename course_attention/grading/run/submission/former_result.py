"""What is known of a submission from its result of before: which of its verdicts stay when it is graded again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from course_attention.grading.run.results import verdict_record


@dataclass(frozen=True)
class FormerResult:
    """The verdicts of an earlier result of the same file. Unless given, there are none.

    Attributes:
        entries: exercise → its entry in that result.
        kept: the exercises whose verdicts stay.
    """

    entries: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    kept: frozenset[str] = frozenset()


class StandingVerdicts:
    """The verdicts of a former result, for as long as they stay while its submission runs again.

    Args:
        former: the former result; None where there is none.
        exercises: all exercises of the notebook, in order.
    """

    def __init__(self, former: FormerResult | None, exercises: Sequence[str]) -> None:
        self._before = former.entries if former else {}
        self._kept = {name: self._before[name] for name in former.kept} if former else {}
        self._exercises = exercises

    def of(self, name: str) -> dict[str, Any] | None:
        """Return an exercise's entry that stays; None where it is to be judged again."""
        return self._kept.get(name)

    def compare(self, name: str, entry: Mapping[str, Any]) -> None:
        """Look at an exercise's new entry. Later verdicts stay only where the cells after it run as they did before."""
        if name in self._before and standing(self._before[name]) != standing(entry):
            for later in self._exercises[self._exercises.index(name) + 1 :]:
                self._kept.pop(later, None)


def standing(entry: Mapping[str, Any]) -> str:
    """Return what the cells after an answer depend on: whether it passed, and whether its own cell could run.

    After an answer that passed, the rest of a submission runs with the student's own function; after any other, with
    the course's helper. An answer at which the process was lost is left out with everything else in its cell.

    Example:
        >>> standing({"status": "failed"}) == standing({"status": "errored"}) != standing({"status": "passed"})
        True
    """
    status = str(entry["status"])
    return status if status == "passed" or status in verdict_record.LOST else "helper"
