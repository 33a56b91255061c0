"""Due dates, and the share of the points that each day after them takes off."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from course_attention.grading.marking.drop import Drop
from course_attention.grading.marking.hand_in_time import hand_in_time
from course_attention.presentation.wording import points


@dataclass(frozen=True)
class Lateness:
    """Whether a notebook was late, and what that costs.

    Attributes:
        kind: "on time", "late", or "unknown" where there is no time that can be read.
        taken_off: the share of the points that is taken off.
        words: what a table says of it, "" where it was on time.
        sentence: what the student is told, "" where it was on time.
    """

    kind: Literal["on time", "late", "unknown"]
    taken_off: float = 0.0
    words: str = ""
    sentence: str = ""

    def counted(self, earned: float) -> float:
        """The points that count, of those that were earned."""
        return round(earned * (1 - self.taken_off), 2)


@dataclass(frozen=True)
class LateRule:
    """A due date, and what comes after it.

    Attributes:
        after: what is handed in after this time is late; it has an offset from UTC.
        per_day: the share of the earned points that each day takes off; a day that has begun counts as a whole day.
        at_most: the largest share that is taken off.

    Example:
        >>> rule = LateRule(datetime.fromisoformat("2026-10-01T23:59:00+02:00"), per_day=0.1, at_most=0.5)
        >>> late = rule.lateness("2026-10-03 08:00:00 UTC")
        >>> late.words, late.counted(8.0)
        ('2 days late: 20% taken off', 6.4)
        >>> rule.lateness("2026-10-01T21:59:00Z").kind
        'on time'
    """

    after: datetime
    per_day: float
    at_most: float = 1.0

    @property
    def words(self) -> str:
        """The rule in words, for a list of rules.

        Example:
            >>> LateRule(datetime.fromisoformat("2026-10-01T23:59:00+02:00"), per_day=0.1, at_most=0.5).words
            'due at 2026-10-01 23:59+02:00; takes off 10% of the earned points for each day that has begun, at most 50%'
        """
        return f"due at {self._due}; takes off {self._costs}"

    @property
    def _due(self) -> str:
        return self.after.isoformat(" ", "minutes")

    @property
    def _costs(self) -> str:
        most = f", at most {points(100 * self.at_most)}%" if self.at_most < 1 else ""
        return f"{points(100 * self.per_day)}% of the earned points for each day that has begun{most}"

    def lateness(self, submitted: str) -> Lateness:
        """Say how late a notebook is.

        Args:
            submitted: what the LMS or nbgrader says of when it was handed in, "" where neither says anything. A time
                without a zone is taken for one in the zone of the due date.
        """
        due = f"It was due at {self._due}"
        time = hand_in_time(submitted, self.after.tzinfo)
        if time is None:
            why = f"no time can be read from {submitted!r}" if submitted else "no time of handing in is known"
            return Lateness(
                "unknown",
                words=f"{why}: nothing taken off",
                sentence=f"{due}, but {why}. Nothing is taken off.",
            )
        days = math.ceil((time - self.after) / timedelta(days=1))
        if days <= 0:
            return Lateness("on time")
        taken_off = min(self.at_most, round(self.per_day * days, 9))
        late, share = f"{days} {'day' if days == 1 else 'days'} late", f"{points(100 * taken_off)}%"
        sentence = (
            f"{due} and came {late}. The late rule takes off {self._costs}. "
            f"Therefore {share} of its points are taken off."
        )
        return Lateness("late", taken_off, f"{late}: {share} taken off", sentence)


@dataclass(frozen=True)
class LateRules:
    """The late rules of a course, and which notebooks do not count; see `late_tables` for how they are written.

    Attributes:
        default: for every notebook that has no rule of its own; None where it has no due date.
        notebooks: notebook → its own rule.
        drop: which notebooks of each student do not count; None where all of them do.
    """

    default: LateRule | None = None
    notebooks: Mapping[str, LateRule] = field(default_factory=dict)
    drop: Drop | None = None

    @property
    def told(self) -> list[tuple[str, str]]:
        """Each rule in words: the notebook, "" for all that have no rule of their own, and what the rule says."""
        common = [("", self.default.words)] if self.default else []
        return [*((name, rule.words) for name, rule in sorted(self.notebooks.items())), *common]

    def lateness(self, notebook: str, submitted: str) -> Lateness | None:
        """Say how late a notebook is; None where it has no due date."""
        rule = self.notebooks.get(notebook, self.default)
        return rule.lateness(submitted) if rule else None
