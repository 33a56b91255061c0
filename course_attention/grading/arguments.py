"""Which numbers `grade` takes, for the command line and for programs alike."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

N = TypeVar("N", int, float)


@dataclass(frozen=True)
class Numbers:
    """The numbers that an argument may be.

    Attributes:
        described: what they are, as in "a whole number of 1 or more".
        lowest, highest: the limits.
        whole: only whole numbers.
        lowest_excluded: the number must be above `lowest`.
    """

    described: str
    lowest: float
    highest: float
    whole: bool = False
    lowest_excluded: bool = False

    def __contains__(self, number: object) -> bool:
        if isinstance(number, bool) or not isinstance(number, int if self.whole else (int, float)):
            return False
        above = number > self.lowest if self.lowest_excluded else number >= self.lowest
        return above and number <= self.highest

    def require(self, name: str, number: float) -> None:
        """See that a number is one of them.

        Raises:
            ValueError: it is not.

        Example:
            >>> COUNT.require("workers", 0)
            Traceback (most recent call last):
            ValueError: workers must be a whole number of 1 or more; got 0
        """
        if number not in self:
            raise ValueError(f"{name} must be {self.described}; got {number!r}")

    def reader(self, convert: Callable[[str], N]) -> Callable[[str], N]:
        """Return what reads one of them from the command line.

        Example:
            >>> COUNT.reader(int)("3")
            3
        """

        def read(text: str) -> N:
            try:
                number = convert(text)
            except ValueError:
                number = None
            if number is None or number not in self:
                raise argparse.ArgumentTypeError(f"expected {self.described}; got {text!r}")
            return number

        return read


HIGHEST_SEED = 2**53  # beyond it, JSON readers that have only floating-point numbers would change the seed
SEED = Numbers(f"a whole number from 0 to {HIGHEST_SEED}", 0, HIGHEST_SEED, whole=True)
COUNT = Numbers("a whole number of 1 or more", 1, 10**9, whole=True)
AMOUNT = Numbers("a number above 0", 0.0, 1e15, lowest_excluded=True)
# How what was handed in may be laid out, see `intake.layouts`.
LAYOUTS = ("canvas", "moodle", "gradescope", "github", "folder")
# Which of several versions of a notebook counts.
KEEP = ("newest", "best")
