"""When the misconceptions that a student has met are asked about again: a day later, a week later, and then no more."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime, timedelta

from course_attention.lesson.workspace_file import WorkspaceFile

AFTER = (timedelta(days=1), timedelta(days=7))  # of which a student knows the mistake, before it is safe
MOST_ASKED = 6  # whoever does not know it by then is not asked for ever


@dataclass(frozen=True)
class Review:
    """A misconception that a check has named, and what came of the questions about it.

    Attributes:
        due: when it is asked about next, as ISO 8601 has it.
        known: how often one after the other it was known: twice, and it is safe.
        asked: how often it was asked about.
    """

    due: str
    known: int = 0
    asked: int = 0

    @property
    def is_safe(self) -> bool:
        """Whether it was known a day later and a week later."""
        return self.known >= len(AFTER)

    def is_due(self, now: datetime) -> bool:
        """Whether it is time to ask about it.

        Example:
            >>> met = Review("2026-03-01T12:00:00+00:00")
            >>> [met.is_due(datetime(2026, 3, day, 13, tzinfo=UTC)) for day in (1, 2)]
            [True, True]
        """
        return not self.is_safe and self.asked < MOST_ASKED and datetime.fromisoformat(self.due) <= now

    def after(self, is_right: bool, now: datetime) -> "Review":
        """Return the same after one more question: known is asked a week later, and not known a day later."""
        known = self.known + 1 if is_right else 0
        wait = AFTER[min(known, len(AFTER) - 1)]
        return replace(self, known=known, asked=self.asked + 1, due=(now + wait).isoformat())


def _review(entry: object) -> Review:
    """Return an entry from its plain data, or TypeError: a file that was edited by hand may hold anything."""
    if not isinstance(entry, dict):
        raise TypeError(f"not a review: {entry}")
    review = Review(**entry)
    types = {"due": str, "known": int, "asked": int}
    if any(not isinstance(getattr(review, one.name), types[one.name]) for one in fields(review)):
        raise TypeError(f"not a review: {entry}")
    if datetime.fromisoformat(review.due).tzinfo is None:
        raise ValueError(f"a time has its zone: {entry}")
    return review


_memory: dict[str, Review] = {}
_file = WorkspaceFile("reviews", "what you met", _review, asdict)


def now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


def meet(id: str) -> None:
    """Keep that a check has named a misconception: a day later it is asked about, and once more after a week."""
    review = Review((now() + AFTER[0]).isoformat())

    def begin_anew(entries: dict[str, Review]) -> None:
        entries[id] = review

    begin_anew(_memory)
    _file.entries(begin_anew)


def know(id: str, is_right: bool) -> Review:
    """Keep what came of a question; returns how the misconception stands now."""
    after = all_reviews()[id].after(is_right, now())

    def enter(entries: dict[str, Review]) -> None:
        entries[id] = after

    enter(_memory)
    _file.entries(enter)
    return after


def met_before(ids: Iterable[str]) -> None:
    """Take in what was met before these times were kept."""
    known = all_reviews()
    for id in ids:
        if id not in known:
            meet(id)


def due() -> list[str]:
    """Return the misconceptions that it is time to ask about, the one that has waited longest first."""
    reviews, time = all_reviews(), now()
    waiting = [id for id, review in reviews.items() if review.is_due(time)]
    return sorted(waiting, key=lambda id: datetime.fromisoformat(reviews[id].due))


def summary() -> str:
    """Which misconceptions were met, and which of them are safe by now, in sentences; "" where none was met."""
    reviews = all_reviews()
    if not reviews:
        return ""
    safe, others = (
        ", ".join(f"`{id}`" for id, review in reviews.items() if review.is_safe is wanted) for wanted in (True, False)
    )
    told = [f"Misconceptions that you met: {len(reviews)}."]
    told += [f"Safe by now, because you recognised them a day and a week later: {safe}."] if safe else []
    told += [f"Not safe yet: {others}."] if others else []
    return " ".join(told)


def remarks() -> list[str]:
    """Return what became of the file, where it could not be used as it was."""
    return _file.remarks


def all_reviews() -> dict[str, Review]:
    """Return what is kept, by misconception."""
    return {**_memory, **_file.entries()}
