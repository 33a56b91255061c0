"""What grading a class returns: how many submissions ended in which status, and where everything was written."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from course_attention.grading.run.results.submission_record import STATUSES

# How the memory of a submission is limited, by what `Outcome.limited_by` says.
LIMITED_BY = {
    "cgroup": "memory limited by cgroups",
    "counting": "memory limited by counting (no cgroup can be made here)",
    "process": "memory limited for each process alone",
    "nothing": "memory not limited",
}


@dataclass(frozen=True)
class Views:
    """What was written for people to read.

    Attributes:
        folder: the folder of results, which holds all of it.
        lines: one line for each thing written, as the command prints it.
        not_judged: how many results hold an exercise at which the grader itself failed: they are blank in all of it.
    """

    folder: Path
    lines: tuple[str, ...]
    not_judged: int = 0

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
        layout: how they were laid out, one of `grading.arguments.LAYOUTS`.
        files: how many files were handed in.
        passed_over: how many of them are no notebook, or nobody's; `handed_in.csv` in the results says why.
        statuses: status → how many submissions ended in it.
        graded_now: how many were graded in this run; the others had a current result.
        not_judged: how many hold an exercise at which the grader itself failed, or are such as a whole.
        limited_by: what limited the memory of those graded in this run, see `LIMITED_BY`.
        results: the folder of the result files, `{student}/{notebook}.json`.
        views: what was written from them.
    """

    submissions: int
    layout: str
    files: int
    passed_over: int
    statuses: Mapping[str, int]
    graded_now: int
    not_judged: int
    limited_by: frozenset[str]
    results: Path
    views: Views

    @property
    def memory(self) -> str:
        """How the memory of those graded in this run was limited, in words; "" where none has run."""
        return ", ".join(words for by, words in LIMITED_BY.items() if by in self.limited_by)

    @property
    def complete(self) -> bool:
        """Whether every submission ended in a status, and the grader itself failed at nothing."""
        ended = sum(self.statuses.get(status, 0) for status in STATUSES)
        return ended == self.submissions and not self.not_judged
