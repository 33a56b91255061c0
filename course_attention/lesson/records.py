"""The records of the exercises: in memory for the session, and on disk for all notebooks of a workspace."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from filelock import FileLock

from course_attention.course.workspace import MARKER, WorkspaceError, course_notebooks, write_whole
from course_attention.judging.verdict import Verdict

SECONDS_TO_WAIT = 5  # for another notebook's write, which takes milliseconds


@dataclass(frozen=True)
class Record:
    """What is remembered of the checks of one exercise.

    Attributes:
        passed: whether any check passed.
        best: the highest score, 0 to 1.
        last: the last check's status.
        checks: how many there were.
    """

    passed: bool
    best: float
    last: str
    checks: int


class Records:
    """The records of a session, shared with the other notebooks where there is a workspace.

    Outside a workspace nothing is written. A file that cannot be read as records is set aside, never
    overwritten. Where the file cannot be used at all, the session's own memory stands in. `remarks` says so.
    """

    def __init__(self) -> None:
        self.remarks: list[str] = []
        self._memory: dict[str, Record] = {}

    def add(self, verdict: Verdict) -> None:
        """Keeps a verdict. An exercise not attempted was not checked: nothing changes."""
        if verdict.status == "not_attempted":
            return
        _count(self._memory, verdict)
        self._on_disk(verdict)

    def all(self) -> dict[str, Record]:
        """The records by exercise: of this session and, in a workspace, of every other."""
        return {**self._memory, **self._on_disk(None)}

    def _on_disk(self, verdict: Verdict | None) -> dict[str, Record]:
        folder = workspace()
        if folder is None:
            return {}
        path = folder / "progress.json"
        try:
            with FileLock(folder / "progress.lock", timeout=SECONDS_TO_WAIT):
                kept = self._read(path)
                if verdict is not None:
                    _count(kept, verdict)
                    entries = {name: asdict(record) for name, record in kept.items()}
                    write_whole(path, json.dumps(entries, indent=1).encode())
                return kept
        except OSError as error:  # a folder that may not be written, a full disk, a lock not given back
            self._remark(f"Progress is kept for this session only, as {path} cannot be used: {error}")
            return {}

    def _read(self, path: Path) -> dict[str, Record]:
        try:
            entries = json.loads(path.read_text(encoding="utf-8"))
            return {name: _record(entry) for name, entry in entries.items()}
        except FileNotFoundError:
            return {}
        except (ValueError, TypeError, AttributeError):
            aside = path.with_suffix(".damaged.json")
            os.replace(path, aside)
            self._remark(f"{path} could not be read and now lies in {aside.name}; progress starts anew")
            return {}

    def _remark(self, remark: str) -> None:
        if remark not in self.remarks:
            self.remarks.append(remark)


def workspace() -> Path | None:
    """The marker folder of the workspace that the current folder lies in, if it lies in one."""
    here = Path.cwd()
    return next((folder / MARKER for folder in (here, *here.parents) if (folder / MARKER).is_dir()), None)


def in_course_folder() -> bool:
    """Whether the current folder is the one in which the course keeps its own notebooks."""
    try:
        return Path.cwd().resolve() == course_notebooks()[0].parent.resolve()
    except (WorkspaceError, OSError):  # no notebooks, or a current folder that is gone
        return False


def _count(records: dict[str, Record], verdict: Verdict) -> None:
    old = records.get(verdict.exercise, Record(False, 0.0, "", 0))
    records[verdict.exercise] = Record(
        passed=old.passed or verdict.status == "passed",
        best=max(old.best, verdict.score),
        last=verdict.status,
        checks=old.checks + 1,
    )


def _record(entry: object) -> Record:
    """A record from its plain data, or TypeError: a file edited by hand may hold anything."""
    if not isinstance(entry, dict):
        raise TypeError(f"not a record: {entry}")
    record = Record(**entry)
    types: dict[str, type | tuple[type, ...]]
    types = {"passed": bool, "best": (int, float), "last": str, "checks": int}
    wrong = [f.name for f in fields(record) if not isinstance(getattr(record, f.name), types[f.name])]
    if wrong or not 0 <= record.best <= 1:
        raise TypeError(f"not a record: {entry}")
    return record
