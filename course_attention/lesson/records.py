"""The records of the exercises: in memory for the session, and on disk for all notebooks of a workspace."""

from dataclasses import asdict, dataclass, fields
from pathlib import Path

from course_attention.course.workspace import WorkspaceError, course_notebooks
from course_attention.judging.verdict import Verdict
from course_attention.lesson.workspace_file import WorkspaceFile


@dataclass(frozen=True)
class Record:
    """What is remembered of the checks of one exercise.

    Attributes:
        passed: whether any check passed.
        best: the highest score, 0 to 1.
        last: the last check's status.
        checks: how many there were.
        met: the ids of the misconceptions that they have named, in the order in which they came.
    """

    passed: bool
    best: float
    last: str
    checks: int
    met: tuple[str, ...] = ()


class Records:
    """The records of a session, shared with the other notebooks where there is a workspace.

    Where the workspace's file cannot be used, the session's own memory stands in, and `remarks` says so.
    """

    def __init__(self) -> None:
        self._memory: dict[str, Record] = {}
        self._file = WorkspaceFile("progress", "progress", _record, asdict)

    @property
    def remarks(self) -> list[str]:
        """What became of the file, where it could not be used as it was."""
        return self._file.remarks

    def add(self, verdict: Verdict) -> None:
        """Keep a verdict. An exercise not attempted was not checked: nothing changes."""
        if verdict.status != "not_attempted":
            _count(self._memory, verdict)
            self._file.entries(lambda records: _count(records, verdict))

    def all(self) -> dict[str, Record]:
        """Return the records by exercise: of this session and, in a workspace, of every other."""
        return {**self._memory, **self._file.entries()}


def in_course_folder() -> bool:
    """Whether the current folder is one in which the course keeps its own notebooks."""
    try:
        return Path.cwd().resolve() in {path.parent.resolve() for path in course_notebooks()}
    except (WorkspaceError, OSError):  # no notebooks, or a current folder that is gone
        return False


def _count(records: dict[str, Record], verdict: Verdict) -> None:
    old = records.get(verdict.exercise, Record(False, 0.0, "", 0))
    records[verdict.exercise] = Record(
        passed=old.passed or verdict.status == "passed",
        best=max(old.best, verdict.score),
        last=verdict.status,
        checks=old.checks + 1,
        met=tuple(dict.fromkeys((*old.met, *filter(None, [verdict.misconception])))),
    )


def _record(entry: object) -> Record:
    """Return a record from its plain data, or TypeError: a file edited by hand may hold anything."""
    if not isinstance(entry, dict):
        raise TypeError(f"not a record: {entry}")
    met = entry.get("met", [])  # a list in the file, and none in one of an older course
    if not isinstance(met, (list, tuple)) or not all(isinstance(id, str) for id in met):
        raise TypeError(f"not a record: {entry}")
    record = Record(**{**entry, "met": tuple(met)})
    types: dict[str, type | tuple[type, ...]]
    types = {"passed": bool, "best": (int, float), "last": str, "checks": int, "met": tuple}
    wrong = [f.name for f in fields(record) if not isinstance(getattr(record, f.name), types[f.name])]
    if wrong or not 0 <= record.best <= 1:
        raise TypeError(f"not a record: {entry}")
    return record
