"""Which notebooks do not count: the lowest ones, or all but the best."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True)
class Drop:
    """How many notebooks of each student do not count. One of the two is given.

    Attributes:
        lowest: so many of the lowest are dropped.
        all_but_best: so many of the best count.
    """

    lowest: int | None = None
    all_but_best: int | None = None

    def dropped(self, shares: Mapping[K, float], notebooks: int) -> frozenset[K]:
        """Choose the notebooks of a student that do not count. At least one notebook always counts.

        Args:
            shares: notebook → the share of its points that count, for those that are graded.
            notebooks: how many notebooks there are. Those that the student did not hand in are the lowest, and take
                the places of others among the dropped.

        Example:
            >>> sorted(Drop(lowest=1).dropped({"01": 0.5, "02": 0.9, "03": 0.7}, 3))
            ['01']
            >>> sorted(Drop(lowest=1).dropped({"01": 0.5, "02": 0.9}, 3))
            []
            >>> sorted(Drop(all_but_best=1).dropped({"01": 0.5, "02": 0.9, "03": 0.7}, 3))
            ['01', '03']
        """
        number = self.lowest if self.lowest is not None else notebooks - (self.all_but_best or 0)
        number = min(number, notebooks - 1) - (notebooks - len(shares))
        return frozenset(sorted(shares, key=lambda one: shares[one])[: max(number, 0)])
