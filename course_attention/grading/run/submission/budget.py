"""The time that a submission has, and how often it may lose its process: for all of it, and for its added cells."""

from collections.abc import Iterator
from contextlib import contextmanager

from course_attention.grading.sandbox.limits import ADDED_CELLS, Limits
from course_attention.grading.sandbox.remote_runner import Clock
from course_attention.grading.sandbox.running_time import now

LOSSES = 5  # so many added cells may end their process; each time, everything before it runs again


class Budget:
    """What is left for a submission.

    Args:
        limits: for each submission.
        exercises: how many its notebook has.
    """

    def __init__(self, limits: Limits, exercises: int) -> None:
        self._each, self._seconds = limits.seconds, limits.budget(exercises)
        self._whole: Clock | None = None
        self._added_seconds = ADDED_CELLS * limits.seconds
        self._losses = 0

    def begin(self) -> None:
        """Start the clock, where it does not run yet: starting the sandbox is not a submission's own time."""
        self._whole = self._whole or Clock(self._seconds)

    @property
    def left(self) -> float:
        """The seconds that are left for all of the submission."""
        return self._seconds if self._whole is None else self._whole.left

    def clock(self, spent: float = 0.0) -> Clock:
        """Start a clock for one exercise, of whose time some seconds are spent, or for one of the course's cells."""
        return Clock(min(self._each - spent, self.left))

    @property
    def added_cells(self) -> str:
        """Why no added cell may run any more; "" where one may."""
        if self._losses >= LOSSES:
            return "too many of them ended their process, or never ended"
        return "" if self._added_seconds > 0 else "they take more time in all than there is"

    @contextmanager
    def added_cell(self) -> Iterator[float]:
        """Give an added cell its seconds, and take what it used off the time for all of them."""
        began = now()
        try:
            yield min(self._each, self._added_seconds, self.left)
        finally:
            self._added_seconds -= now() - began

    def lose_added_cell(self) -> None:
        """Count an added cell at which the process was lost."""
        self._losses += 1
