"""Lists of students on the report: whom to see first, with a link to each one's page."""

from bisect import insort
from dataclasses import dataclass, field

MOST_HOLDERS = 100  # names of one list that are kept; of the others only the number is kept


@dataclass(frozen=True, order=True)
class Holder:
    """A student on a list. Students sort by the points that they lost, most first, and then by name.

    Attributes:
        gained: minus the points lost.
        student: the student's name.
        link: the address of the feedback page.
    """

    gained: float
    student: str
    link: str


@dataclass
class Holders:
    """The students on a list, of whom the first are kept by name."""

    count: int = 0
    first: list[Holder] = field(default_factory=list)

    def add(self, lost: float, student: str, link: str) -> None:
        """Add a student who lost so many points."""
        self.count += 1
        insort(self.first, Holder(-lost, student, link))
        del self.first[MOST_HOLDERS:]
