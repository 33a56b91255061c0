"""Queues the submissions of a class, writes each result as it comes, and goes on where it was stopped."""

import hashlib
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from course_attention.grading.reading.notebook_files import Unreadable
from course_attention.grading.reading.submissions import Submission, read_bytes
from course_attention.grading.run.results import result_files
from course_attention.grading.run.results.submission_record import not_judged, unread
from course_attention.grading.run.scheduling.executors import ATTEMPTS, CannotRun, is_death, is_over
from course_attention.grading.run.scheduling.regrading import Regrading, key_of
from course_attention.grading.run.scheduling.tasks import GradingSettings, Task, run
from course_attention.grading.run.submission.former_result import FormerResult
from course_attention.grading.run.submission.grader import GradingOutcome
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
        only: judge these exercises again, and no others of a submission that has a result.
        on_start: called whenever new workers have to start.
        limited_by: what has limited the submissions' memory, see `GradingOutcome`.
        regrading: decides what is judged again.
    """

    results: Path
    settings: GradingSettings
    executors: Callable[[], Executor]
    in_flight: int = 8
    at_once: int = 8
    force: bool = False
    only: Collection[str] = ()
    on_start: Callable[[], None] = lambda: None
    limited_by: set[str] = field(default_factory=set)
    regrading: Regrading = field(init=False)

    def __post_init__(self) -> None:
        self.regrading = Regrading(self.results, self.settings, self.force, self.only)

    def grade(self, submissions: list[Submission]) -> Iterator[tuple[Submission, dict[str, Any], bool]]:
        """Yield each submission with its result, as they come, and whether it was graded now rather than before.

        A result is on the disk when it is yielded. A submission is graded once more when all others are done, with
        nothing beside it, where it took too much time beside others, which may have been why, or where the system ended
        its process, as it does where memory runs out. Only that result counts.

        Raises:
            NoSandbox, CannotRun: no submission can be graded with these workers.
        """
        waiting = deque(submissions)
        suspects: deque[Submission] = deque()  # were with a worker when it died: from then on each goes alone
        deaths: Counter[str] = Counter()
        again: deque[Submission] = deque()  # are graded once more
        graded_again: set[str] = set()
        running: dict[Future[GradingOutcome], Submission] = {}
        accompanied: set[Future[GradingOutcome]] = set()  # others were graded beside them
        executor: Executor | None = None
        self.regrading.begin()
        while waiting or suspects or again or running:
            alone = bool(suspects) or any(deaths[key_of(one)] for one in running.values())
            queue = suspects or waiting or again
            while queue and len(running) < (1 if alone or queue is again else self.in_flight):
                submission = queue.popleft()
                task = self._task(submission)
                if not isinstance(task, Task):
                    yield submission, *task
                    continue
                if executor is None:
                    self.on_start()
                    executor = self.executors()
                running[executor.submit(run, task)] = submission
            if self.at_once > 1 and len(running) > 1:
                accompanied.update(running)
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in [one for one in running if one in done]:  # in their own order, not a set's
                submission, error = running.pop(future), future.exception()
                if error is None:
                    outcome = future.result()
                    self.limited_by.add(outcome.limited_by)
                    disturbed = outcome.timed_out and future in accompanied
                    disturbed |= outcome.ended_from_outside
                    if disturbed and key_of(submission) not in graded_again:
                        graded_again.add(key_of(submission))
                        again.append(submission)
                    else:
                        yield submission, self._kept(submission, outcome.record), True
                elif not is_death(error):
                    raise error if isinstance(error, NoSandbox) else _unable(error)
                elif (deaths := deaths + Counter([key_of(submission)]))[key_of(submission)] < ATTEMPTS:
                    suspects.append(submission)
                else:
                    record = not_judged(submission, self.settings.seed, WORKERS_DIED)
                    yield submission, self._kept(submission, record), True
                accompanied.discard(future)
                if error is not None and executor is not None and is_over(error):
                    executor = None
        self.regrading.end()

    def _task(self, submission: Submission) -> Task | tuple[dict[str, Any], bool]:
        """Return what is to be graded; or the result, where it is there already or nothing can be read."""
        path = result_files.path_of(self.results, submission)
        before = None if self.regrading.whole(submission) else result_files.read(path)
        try:
            content = read_bytes(submission)
        except Unreadable as error:
            record = unread(submission, self.settings.seed, str(error))
            return self._kept(submission, record, before), record != before
        former = self.regrading.former(submission, before, hashlib.sha256(content).hexdigest())
        if former is not None or before is None:
            return Task(submission, content, self.settings, former or FormerResult())
        # Where it was handed in, and when, may have changed although the notebook has not.
        told = {"assignment": submission.assignment, "submitted": submission.submitted}
        return self._kept(submission, {**before, **told}, before), False

    def _kept(
        self, submission: Submission, record: dict[str, Any], before: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        if record != before:
            result_files.write(result_files.path_of(self.results, submission), record)
        self.regrading.keep(submission)
        return record


def _unable(error: BaseException) -> CannotRun:
    """Make the error for a worker that could not begin: a task that has begun raises nothing of its own."""
    return CannotRun(f"a worker cannot run the grader: {type(error).__name__}: {error}")
