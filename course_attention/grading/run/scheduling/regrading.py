"""Decides what is judged again, and what stays; a regrading that was stopped goes on where it was.

What a result says stays for as long as grading the same file would give the same again: same bytes, same seed, and same
fingerprint. Of a result that is not current, the verdicts stay whose own fingerprints still agree.
"""

import contextlib
import json
from collections.abc import Collection, Mapping
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from course_attention.course.whole_files import naming, write_whole
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run.results import fingerprint
from course_attention.grading.run.results.result_files import PRIVATE_FILE
from course_attention.grading.run.results.verdict_record import LOST, NOT_JUDGED
from course_attention.grading.run.scheduling.tasks import GradingSettings
from course_attention.grading.run.submission.former_result import FormerResult

JOURNAL = "regrading.jsonl"  # is there while an instructor's regrading has not ended


class Regrading:
    """What a run judges again although it has a verdict.

    Args:
        results: the folder of results, in which a journal is kept.
        settings: how submissions are graded. A regrading that was stopped goes on only with the same ones.
        force: everything.
        only: these exercises. All other verdicts stay, current or not, but where a submission has changed.

    Attributes:
        done_before: how many submissions the run that was stopped had graded again.
    """

    def __init__(
        self, results: Path, settings: GradingSettings, force: bool = False, only: Collection[str] = ()
    ) -> None:
        self._path, self._seed = results / JOURNAL, settings.seed
        self._force, self._only = force, frozenset(only)
        self._asked = force or bool(only)  # by the instructor, whatever the fingerprints say
        asked = json.dumps([sorted(only), asdict(settings)])
        self._head = sha256(asked.encode()).hexdigest()  # the seed in it is a secret
        self._done = _done_before(self._path, self._head) if self._asked else set()
        self.done_before = len(self._done)

    def begin(self) -> None:
        """Start the journal, with what is done already."""
        if self._asked:
            lines = [self._head, *sorted(self._done)]
            write_whole(self._path, "".join(f"{line}\n" for line in lines).encode(), PRIVATE_FILE)

    def whole(self, submission: Submission) -> bool:
        """Say whether all of a submission is to be graded again, whatever its result."""
        return self._force and key_of(submission) not in self._done

    def former(self, submission: Submission, before: Mapping[str, Any] | None, digest: str) -> FormerResult | None:
        """Return what stays of a submission's result; None where the result stays as it is.

        Args:
            submission: the submission.
            before: its result, as far as there is one.
            digest: SHA-256 of its file's content.
        """
        if before is None or (before.get("source_sha256"), before.get("seed")) != (digest, self._seed):
            return FormerResult()
        if before["status"] == NOT_JUDGED:
            return FormerResult()
        entries = {entry["name"]: entry for entry in before["exercises"]}
        again = {name for name, entry in entries.items() if entry["status"] == NOT_JUDGED}
        if self._only:
            if key_of(submission) not in self._done:
                again |= self._only.intersection(entries)
            if not again:
                return None
        elif before.get("fingerprint") == fingerprint.of_notebook(submission.notebook) and not again:
            return None
        if before.get("decided_by") != fingerprint.parts_of_notebook(submission.notebook):
            return FormerResult()  # the answers may be found elsewhere by now
        if not self._only:
            again |= {
                name for name, entry in entries.items() if entry.get("fingerprint") != fingerprint.of_exercise(name)
            }
        # What was lost has no verdict. It is tried again, and left out of the rest again.
        lost = {name for name, entry in entries.items() if entry["status"] in LOST}
        return FormerResult(entries, frozenset(entries) - again - lost)

    def keep(self, submission: Submission) -> None:
        """Note that a submission's new result is on the disk."""
        if self._asked and (key := key_of(submission)) not in self._done:
            with naming(self._path), self._path.open("a", encoding="utf-8") as journal:
                journal.write(f"{key}\n")
            self._done.add(key)

    def end(self) -> None:
        """Forget how far the regrading has come: all of it is done."""
        if self._asked:
            self._path.unlink(missing_ok=True)


def _done_before(path: Path, head: str) -> set[str]:
    """Read which submissions a run that was asked for the same has done; the last line may have been cut off."""
    with contextlib.suppress(OSError, ValueError):
        first, *keys = path.read_text(encoding="utf-8").split("\n")[:-1]
        if first == head:
            return set(keys)
    return set()


def key_of(submission: Submission) -> str:
    """Return what names a submission in a line: its student, and the name of its result."""
    return json.dumps([submission.student, submission.result])
