"""A JSON file in a student's workspace that all notebooks share: entries by name, and no damage ever overwritten."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from filelock import FileLock

from course_attention.active_course import workspace
from course_attention.course.whole_files import write_whole

SECONDS_TO_WAIT = 5  # for another notebook's write, which takes milliseconds
Entry = TypeVar("Entry")


class WorkspaceFile(Generic[Entry]):
    """Entries by name, in `<stem>.json` of the workspace that the current folder lies in.

    Outside a workspace nothing is written. A file that cannot be read is set aside, never overwritten. Where the file
    cannot be used at all, nothing is kept. `remarks` says so.

    Args:
        stem: of the file.
        kept: what the file keeps, for the remarks.
        from_plain: an entry from its JSON data; raises TypeError where that is no entry.
        to_plain: the JSON data of an entry.
    """

    def __init__(
        self,
        stem: str,
        kept: str,
        from_plain: Callable[[object], Entry],
        to_plain: Callable[[Entry], object],
    ) -> None:
        self.remarks: list[str] = []
        self._stem, self._kept = stem, kept
        self._from_plain, self._to_plain = from_plain, to_plain

    def entries(self, change: Callable[[dict[str, Entry]], object] | None = None) -> dict[str, Entry]:
        """Return what the file holds, after `change` has been made to it; {} where there is no file."""
        folder = workspace()
        if folder is None:
            return {}
        path = folder / f"{self._stem}.json"
        try:
            with FileLock(folder / f"{self._stem}.lock", timeout=SECONDS_TO_WAIT):
                entries = self._read(path)
                if change is not None:
                    change(entries)
                    plain = {name: self._to_plain(entry) for name, entry in entries.items()}
                    write_whole(path, json.dumps(plain, indent=1, ensure_ascii=False).encode())
                return entries
        except OSError as error:  # a folder that may not be written, a full disk, a lock not given back
            self._remark(f"{self._kept.capitalize()} is kept for this session only, as {path} cannot be used: {error}")
            return {}

    def _read(self, path: Path) -> dict[str, Entry]:
        try:
            entries = json.loads(path.read_text(encoding="utf-8"))
            return {name: self._from_plain(entry) for name, entry in entries.items()}
        except FileNotFoundError:
            return {}
        except (ValueError, TypeError, AttributeError):
            aside = path.with_suffix(".damaged.json")
            os.replace(path, aside)
            self._remark(f"{path} could not be read and now lies in {aside.name}; {self._kept} starts anew")
            return {}

    def _remark(self, remark: str) -> None:
        if remark not in self.remarks:
            self.remarks.append(remark)
