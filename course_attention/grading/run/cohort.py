"""Queues the submissions of a class, writes each result as it comes, and goes on where it was stopped."""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from course_attention.grading.reading.notebook_files import Unreadable
from course_attention.grading.reading.submissions import Submission, read_bytes
from course_attention.grading.run import fingerprint, result_files
from course_attention.grading.run.executors import ATTEMPTS, CannotRun, is_death, is_over
from course_attention.grading.run.grader import Outcome
from course_attention.grading.run.submission_record import is_incomplete, not_judged, unread
from course_attention.grading.run.tasks import Settings, Task, run
from course_attention.grading.sandbox.bubblewrap import NoSandbox

WORKERS_DIED = f"not graded: the grader's own process ended {ATTEMPTS} times at this submission"


@dataclass
class Cohort:
    """The submissions of a class on their way through the workers.

    Attributes:
        results: the folder that the results go to.
        settings: how each submission is graded.
        executors: makes an executor for the tasks; called again when its workers have died.
        in_flight: how many submissions are held in memory at once.
        at_once: how many submissions the workers grade beside each other.
        force: grade what has a current result as well.
        limited_by: what has limited the submissions' memory, see `Outcome`.
    """

    results: Path
    settings: Settings
    executors: Callable[[], Executor]
    in_flight: int = 8
    at_once: int = 8
    force: bool = False
    limited_by: set[str] = field(default_factory=set)

    def grade(self, submissions: list[Submission]) -> Iterator[tuple[Submission, dict[str, Any], bool]]:
        """Yield each submission with its result, as they come, and whether it was graded now rather than before.

        A result is on the disk when it is yielded. A submission that took too much time beside others, which may have
        been why, is graded once more when all others are done, with nothing beside it; only that result counts.

        Raises:
            NoSandbox, CannotRun: no submission can be graded with these workers.
        """
        waiting = deque(submissions)
        suspects: deque[Submission] = deque()  # were with a worker when it died: from then on each goes alone
        deaths: Counter[str] = Counter()
        late: deque[Submission] = deque()  # took too much time beside others
        running: dict[Future[Outcome], Submission] = {}
        accompanied: set[Future[Outcome]] = set()  # others were graded beside them
        executor: Executor | None = None
        try:
            while waiting or suspects or late or running:
                alone = bool(suspects) or any(deaths[_key(one)] for one in running.values())
                queue = suspects or waiting or late
                while queue and len(running) < (1 if alone or queue is late else self.in_flight):
                    submission = queue.popleft()
                    content = self._content(submission)
                    if not isinstance(content, bytes):
                        yield submission, *content
                        continue
                    executor = executor or self.executors()
                    running[executor.submit(run, Task(submission, content, self.settings))] = submission
                if self.at_once > 1 and len(running) > 1:
                    accompanied.update(running)
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in [one for one in running if one in done]:  # in their own order, not a set's
                    submission, error = running.pop(future), future.exception()
                    if error is None:
                        outcome = future.result()
                        self.limited_by.add(outcome.limited_by)
                        if outcome.timed_out and future in accompanied:
                            late.append(submission)
                        else:
                            yield submission, self._kept(submission, outcome.record), True
                    elif not is_death(error):
                        raise error if isinstance(error, NoSandbox) else _unable(error)
                    elif (deaths := deaths + Counter([_key(submission)]))[_key(submission)] < ATTEMPTS:
                        suspects.append(submission)
                    else:
                        record = not_judged(submission, self.settings.seed, WORKERS_DIED)
                        yield submission, self._kept(submission, record), True
                    accompanied.discard(future)
                    if error is not None and executor is not None and is_over(error):
                        executor.shutdown(wait=False)
                        executor = None
        finally:
            if executor is not None:
                executor.shutdown(wait=False)

    def _content(self, submission: Submission) -> bytes | tuple[dict[str, Any], bool]:
        """Return the bytes to grade; or the result, where it is there already or nothing can be read."""
        before = None if self.force else result_files.read(result_files.path_of(self.results, submission))
        try:
            content = read_bytes(submission)
        except Unreadable as error:
            record = unread(submission, self.settings.seed, str(error))
            return self._kept(submission, record, before), record != before
        if before is not None and is_incomplete(before):
            return content  # the grader itself failed at it: that may be mended by now
        digest = hashlib.sha256(content).hexdigest()
        now = fingerprint.of_notebook(submission.notebook)
        if before is None or not result_files.is_current(before, digest, self.settings.seed, now):
            return content
        # Where it was handed in, and when, may have changed although the notebook has not.
        told = {"assignment": submission.assignment, "submitted": submission.submitted}
        return self._kept(submission, {**before, **told}, before), False

    def _kept(
        self, submission: Submission, record: dict[str, Any], before: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        if record != before:
            result_files.write(result_files.path_of(self.results, submission), record)
        return record


def _unable(error: BaseException) -> CannotRun:
    """Make the error for a worker that could not begin: a task that has begun raises nothing of its own."""
    return CannotRun(f"a worker cannot run the grader: {type(error).__name__}: {error}")


def _key(submission: Submission) -> str:
    return f"{submission.student}/{submission.result}"
