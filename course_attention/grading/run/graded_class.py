"""What grading a class returns: how many submissions ended in which status, and where everything was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from course_attention.grading.run.submission_record import STATUSES


@dataclass(frozen=True)
class Views:
    """What was written for people to read.

    Attributes:
        folder: the folder of results, which holds all of it.
        lines: one line for each thing written, as the command prints it.
    """

    folder: Path
    lines: tuple[str, ...]

    @property
    def grades(self) -> Path:
        """The table with a row for each student."""
        return self.folder / "grades.csv"

    @property
    def feedback(self) -> Path:
        """The folder with a page for each submission, for the student."""
        return self.folder / "feedback"

    @property
    def report(self) -> Path:
        """The page about the class, for the instructor."""
        return self.folder / "report.html"


@dataclass(frozen=True)
class GradedClass:
    """What `grade` did.

    Attributes:
        submissions: how many submissions were found.
        statuses: status → how many submissions ended in it.
        graded_now: how many were graded in this run; the others had a current result.
        results: the folder of the result files, `{student}/{notebook}.json`.
        views: what was written from them.
    """

    submissions: int
    statuses: Mapping[str, int]
    graded_now: int
    results: Path
    views: Views

    @property
    def complete(self) -> bool:
        """Whether every submission ended in one of the statuses that a submission can have."""
        return sum(self.statuses.get(status, 0) for status in STATUSES) == self.submissions
