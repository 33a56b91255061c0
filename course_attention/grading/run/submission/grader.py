"""Grades one submission: reads it, runs and judges its answers, and makes its result."""

import hashlib
import time
from dataclasses import dataclass
from typing import Any, Literal

from course_attention.course.cells import course_notebook
from course_attention.grading.reading.limited import read_limited
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run.results import verdict_record
from course_attention.grading.run.results.submission_record import graded, unread
from course_attention.grading.run.submission.former_result import FormerResult
from course_attention.grading.run.submission.submission_run import SubmissionRun
from course_attention.grading.sandbox.sandbox import Sandbox
from course_attention.grading.sandbox.session import LimitedBy


@dataclass(frozen=True)
class GradingOutcome:
    """What came of a submission.

    Attributes:
        record: its result, as it stands in the result file.
        timed_out: whether any step took more time than there is, which a busy machine may have caused.
        ended_from_outside: whether its process was ended by the system, as where the machine's memory runs out.
        limited_by: what limited its memory, see `LimitedBy`; "" where nothing of it has run.
    """

    record: dict[str, Any]
    timed_out: bool = False
    ended_from_outside: bool = False
    limited_by: LimitedBy | Literal[""] = ""


@dataclass(frozen=True)
class Grader:
    """Grades submissions one after another, in forks of one sandbox.

    Attributes:
        sandbox: where answers run.
        seed: draws the cases.
    """

    sandbox: Sandbox
    seed: int

    def grade(self, submission: Submission, content: bytes) -> dict[str, Any]:
        """Grade a submission, and return its result as it stands in the result file; see `run`."""
        return self.run(submission, content).record

    def run(self, submission: Submission, content: bytes, former: FormerResult | None = None) -> GradingOutcome:
        """Grade a submission, and return its result with what is known of how it ran.

        Args:
            submission: what is known of the file.
            content: its bytes.
            former: what stays of its former result; nothing unless given.

        Raises:
            NoSandbox: this machine cannot isolate it.
        """
        began = time.monotonic()
        notebook = course_notebook(submission.notebook)
        sha256 = hashlib.sha256(content).hexdigest()
        if notebook is None:
            return GradingOutcome(unread(submission, self.seed, "the course has no notebook of this name", sha256))
        reading = read_limited(content, notebook.stem)
        notes = [*filter(None, [submission.note]), *reading.notes]
        if reading.malformed:
            return GradingOutcome(unread(submission, self.seed, reading.malformed, sha256, notes))
        if not notebook.exercises:  # nothing of it has to run
            notes.append("nothing in this notebook is judged")
            seconds = round(time.monotonic() - began, 3)
            return GradingOutcome(graded(submission, self.seed, sha256, [], notes, seconds))
        run = SubmissionRun(self.sandbox, notebook, reading, self.seed, former)
        run.to_the_end()
        exercises = [
            verdict_record.with_code(run.entries[name], reading.answers.get(name, "")) for name in notebook.exercises
        ]
        seconds = round(time.monotonic() - began, 3)
        record = graded(submission, self.seed, sha256, exercises, [*notes, *run.notes], seconds, run.instructor_notes)
        if reading.defended:
            record["defended"] = list(reading.defended)
        return GradingOutcome(record, run.timed_out, run.ended_from_outside, run.limited_by)
