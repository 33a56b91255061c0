"""Due dates, and the share of the points that each day after them takes off."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal

from course_attention.grading.marking.drop import Drop
from course_attention.grading.marking.hand_in_time import hand_in_time
from course_attention.presentation.wording import points

# Notebook, "" for every other, → the due date of those who have an extension; None where they are excused from it.
Extension = Mapping[str, datetime | None]


def kinder(one: Extension, other: Extension) -> Extension:
    """Of two extensions of the same students, the one for each notebook that gives them more time.

    Example:
        >>> kinder({"01": None}, {"01": datetime(2026, 10, 8), "02": datetime(2026, 10, 9)})
        {'01': None, '02': datetime.datetime(2026, 10, 9, 0, 0)}
    """
    found = dict(one)
    for notebook, until in other.items():
        before = found.get(notebook, until)
        found[notebook] = None if before is None or until is None else max(before, until)
    return found


@dataclass(frozen=True)
class Lateness:
    """Whether a notebook was late, and what that costs.

    Attributes:
        kind: "on time", "late", "excused" from the due date, or "unknown" where there is no time that can be read.
        taken_off: the share of the points that is taken off.
        words: what a table says of it, "" where it was on time and there was no extension.
        sentence: what the student is told, "" likewise.
    """

    kind: Literal["on time", "late", "excused", "unknown"]
    taken_off: float = 0.0
    words: str = ""
    sentence: str = ""

    def counted(self, earned: float) -> float:
        """Return the points that count, of those that were earned."""
        return round(earned * (1 - self.taken_off), 2)


EXCUSED = Lateness(
    "excused",
    words="excused from the due date",
    sentence="You are excused from the due date of this notebook. Nothing is taken off.",
)


@dataclass(frozen=True)
class LateRule:
    """A due date, and what comes after it.

    Attributes:
        after: what is handed in after this time is late; it has an offset from UTC.
        per_day: the share of the earned points that each day takes off; a day that has begun counts as a whole day.
        at_most: the largest share that is taken off.
        extended: whether the due date is an extension, which not everybody has.

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
    extended: bool = False

    def until(self, after: datetime) -> LateRule:
        """Return the rule with another due date; the same, where that one comes before its own."""
        return replace(self, after=after, extended=True) if after > self.after else self

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
        the = "With an extension, the" if self.extended else "The"
        due = f"{the} notebook was due at {self._due}"
        told = f", with an extension to {self._due}" if self.extended else ""
        time = hand_in_time(submitted, self.after.tzinfo)
        if time is None:
            why = f"no time can be read from {submitted!r}" if submitted else "no time of handing in is known"
            return Lateness(
                "unknown",
                words=f"{why}{told}: nothing taken off",
                sentence=f"{due}, but {why}. Nothing is taken off.",
            )
        days = math.ceil((time - self.after) / timedelta(days=1))
        if days <= 0 and self.extended:
            return Lateness("on time", words=f"on time{told}", sentence=f"{due} and came in time.")
        if days <= 0:
            return Lateness("on time")
        taken_off = min(self.at_most, round(self.per_day * days, 9))
        late, share = f"{days} {'day' if days == 1 else 'days'} late", f"{points(100 * taken_off)}%"
        sentence = (
            f"{due} and came {late}. The late rule takes off {self._costs}. "
            f"Therefore {share} of its points are taken off."
        )
        return Lateness("late", taken_off, f"{late}{told}: {share} taken off", sentence)


@dataclass(frozen=True)
class LateRules:
    """The late rules of a course, and which notebooks do not count; see `late_tables` for how they are written.

    Attributes:
        default: for every notebook that has no rule of its own; None where it has no due date.
        notebooks: notebook → its own rule.
        drop: which notebooks of each student do not count; None where all of them do.
        extensions: student, team or section, as `due_dates` finds them → their own due dates.
    """

    default: LateRule | None = None
    notebooks: Mapping[str, LateRule] = field(default_factory=dict)
    drop: Drop | None = None
    extensions: Mapping[str, Extension] = field(default_factory=dict)

    @property
    def told(self) -> list[tuple[str, str]]:
        """Each rule in words: the notebook, "" for all that have no rule of their own, and what the rule says."""
        common = [("", self.default.words)] if self.default else []
        return [*((name, rule.words) for name, rule in sorted(self.notebooks.items())), *common]

    @property
    def extensions_told(self) -> list[tuple[str, str]]:
        """Each extension in words: whose it is, and what it says."""
        return [
            (who, "; ".join(_extended(notebook, until) for notebook, until in sorted(extension.items())))
            for who, extension in self.extensions.items()
        ]

    def lateness(self, notebook: str, submitted: str, extension: Extension | None = None) -> Lateness | None:
        """Say how late a notebook is; None where it has no due date.

        An extension for all notebooks leaves the due dates as they are that come after it.
        """
        rule = self.notebooks.get(notebook, self.default)
        if rule is None:
            return None
        of_student = extension or {}
        until = of_student.get(notebook, of_student.get("", rule.after))
        return EXCUSED if until is None else rule.until(until).lateness(submitted)


def _extended(notebook: str, until: datetime | None) -> str:
    where = f"{notebook}: " if notebook else ""
    return f"{where}excused from the due date" if until is None else f"{where}until {until.isoformat(' ', 'minutes')}"
