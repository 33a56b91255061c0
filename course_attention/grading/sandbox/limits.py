"""What one submission may use of the machine, and how it is kept from the rest."""

from dataclasses import dataclass
from typing import Literal

Isolation = Literal["bubblewrap", "process"]
Device = Literal["cpu", "cuda"]

ADDED_CELLS = 10  # as many times an exercise's time is there for all added cells together, in all processes


@dataclass(frozen=True)
class Limits:
    """What one submission may use.

    Attributes:
        memory: bytes; 0 for as much as there is.
        seconds: for each exercise, its cell included, and for each cell that the student added.
        whole_seconds: for all of the submission; None for what `budget` derives from `seconds`.
        processor_seconds: for each process, where the judge's clock fails; None for 40 times `seconds`, at least 60.
        processes: at the same time, threads included.
        file_bytes: for each file.
        files: open at the same time.
    """

    memory: int = 4 * 2**30
    seconds: float = 30.0
    whole_seconds: float | None = None
    processor_seconds: int | None = None
    processes: int = 64
    file_bytes: int = 64 * 2**20
    files: int = 256

    def budget(self, exercises: int) -> float:
        """Return the seconds that a submission of so many exercises may take in all.

        Unless it was given, it suffices where every exercise takes all of its time, and the added cells theirs.

        Example:
            >>> Limits(seconds=30.0).budget(4), Limits(seconds=30.0, whole_seconds=100.0).budget(4)
            (420.0, 100.0)
        """
        if self.whole_seconds is not None:
            return self.whole_seconds
        return self.seconds * (exercises + ADDED_CELLS)

    def plain(self) -> dict[str, int]:
        """Return the limits as the worker sets them."""
        cpu_seconds = self.processor_seconds or max(60, int(self.seconds * 40))
        return {
            "memory": self.memory,
            "processes": self.processes,
            "file_bytes": self.file_bytes,
            "files": self.files,
            "cpu_seconds": cpu_seconds,
        }
