"""Grades one submission: its cells run in the sandbox, its answers are judged here.

Where a cell or an answer never ends, or takes its process with it, that step is blamed and left out, and everything
else runs again in a fresh process. What was judged stays judged.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from course_attention.course import helper_source
from course_attention.course.cells import CourseNotebook, course_notebook
from course_attention.exercises import CATALOGUE
from course_attention.grading.policy import forbidden, introspection
from course_attention.grading.policy.copied import same_source
from course_attention.grading.reading.notebook import Reading, read_submission
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run import judged
from course_attention.grading.run.execution_plan import Step, recipe
from course_attention.grading.run.result import graded, unread
from course_attention.grading.sandbox.remote import (
    Clock,
    RemoteRunner,
    Used,
    described,
    out_of_memory,
    run_cell,
    stranger,
)
from course_attention.grading.sandbox.sandbox import Lost, Sandbox, Session
from course_attention.grading.sandbox.setup import adoption, setup
from course_attention.grading.sandbox.warm_up import rehearsal

ADDED_CELLS = 10  # as many times an exercise's time is there for all added cells together, in all processes
SHORT = " (a line or two may be so by chance)"


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
        """The result of a submission, as it stands in its file.

        Args:
            submission: what is known of the file.
            content: its bytes.

        Raises:
            NoSandbox: this machine cannot isolate it.
        """
        began = time.monotonic()
        notebook = course_notebook(submission.notebook)
        sha256 = hashlib.sha256(content).hexdigest()
        if notebook is None:
            return unread(submission, self.seed, "the course has no notebook of this name", sha256)
        reading = read_submission(content, notebook)
        notes = [*filter(None, [submission.note]), *reading.notes]
        if reading.malformed:
            return unread(submission, self.seed, reading.malformed, sha256, notes)
        run = _Run(self.sandbox, notebook, reading, self.seed)
        run.to_the_end()
        exercises = [run.entries[name] for name in notebook.exercises]
        seconds = round(time.monotonic() - began, 3)
        return graded(submission, self.seed, sha256, exercises, [*notes, *run.notes], seconds)


class _Run:
    """The steps of one submission, in as many processes as it takes."""

    def __init__(self, sandbox: Sandbox, notebook: CourseNotebook, reading: Reading, seed: int) -> None:
        self.entries: dict[str, dict[str, Any]] = {}
        self.notes: list[str] = []
        self._sandbox, self._notebook, self._seed = sandbox, notebook, seed
        self._steps = _with_missing(notebook, recipe(notebook, reading))
        self._left_out: set[str] = set()
        self._at: Step | None = None
        self._added_seconds = ADDED_CELLS * sandbox.limits.seconds
        for step in self._steps:
            if step.kind != "provided" and (named := introspection.named_in(step.source)):
                self._note(f"{step.name} names {named}, which no answer needs: worth a look")
        for name in notebook.exercises:
            if name not in reading.answers:
                self.entries[name] = judged.judged(CATALOGUE[name], CATALOGUE[name].judge(None))

    def to_the_end(self) -> None:
        """Run and judge everything."""
        last: Lost | None = None
        while last is None or self._blame(last):
            self._at = None
            try:
                with self._sandbox.open(
                    setup(self._notebook), rehearsal(self._notebook, self._seed)
                ) as session:
                    self._through(session)
                return
            except Lost as lost:
                last = lost
        for name in self._notebook.exercises:  # what is lost comes back at every turn
            self.entries.setdefault(name, judged.lost(CATALOGUE[name], last.end))

    def _through(self, session: Session) -> None:
        for step in self._steps:
            self._at = step
            if step.kind == "answer":
                self._answer(session, step)
            elif step.name not in self._left_out:
                self._cell(session, step)

    def _cell(self, session: Session, step: Step) -> None:
        if step.kind == "provided":
            run_cell(session, step.source, self._sandbox.limits.seconds)
            return
        if self._added_seconds <= 0:
            self._note("cells of the student's own were left out: they take more time in all than there is")
            return
        began = time.monotonic()
        try:
            error = run_cell(session, step.source, min(self._sandbox.limits.seconds, self._added_seconds))
        finally:
            self._added_seconds -= time.monotonic() - began
        if error:
            self._note(f"{step.name} was left out: it raised {error[0]}")

    def _answer(self, session: Session, step: Step) -> None:
        name, clock = step.name, Clock(self._sandbox.limits.seconds)
        error = None
        if name not in self._left_out and step.source:
            error = run_cell(session, step.source, clock.left)
        if name not in self.entries:
            self.entries[name] = self._judged(session, step, error, clock)
        if self.entries[name]["status"] != "passed" or name in self._left_out:
            judged_so_far = tuple(self.entries)
            session.ask(adoption(name, judged_so_far), self._sandbox.limits.seconds)

    def _judged(self, session: Session, step: Step, error: Any, clock: Clock) -> dict[str, Any]:
        exercise = CATALOGUE[step.name]
        added = [other.source for other in self._steps if other.kind == "added"]
        if used := forbidden.found_in(exercise.name, step.source, added):
            return judged.forbidden(exercise, used)
        if error and out_of_memory(*error):
            return judged.lost(exercise, "out_of_memory")
        found = described(session, exercise.name, clock)
        if found["kind"] == "missing" and error:
            return judged.stopped(exercise, *error)
        try:
            verdict = exercise.judge(
                self._handed_in(session, exercise, found, clock), self._seed, self._sandbox.device
            )
        except Used as used_name:
            return judged.forbidden(exercise, str(used_name))
        if same_source(step.source, helper_source.own_source(exercise.name)):
            self._note(
                f"{exercise.name}: the answer is the course's own source, up to names and layout{SHORT}"
            )
        return judged.judged(exercise, verdict)

    def _handed_in(self, session: Session, exercise: Any, found: Mapping[str, Any], clock: Clock) -> Any:
        """What the judge is given."""
        kind = found["kind"]
        if kind in ("missing", "nothing"):
            return None
        if kind == "number" and isinstance(found.get("number"), (int, float)):
            return found["number"]
        called = kind in ("class", "function") and exercise.kind != "value"
        if not called or (kind == "function" and exercise.kind == "module"):
            return stranger(found)
        return RemoteRunner(session, exercise, forbidden.ready_made(exercise.name), clock)

    def _blame(self, lost: Lost) -> bool:
        """Leave out the step at which the process was lost; False where there is no step to blame any more."""
        step = self._at
        if step is None or step.name in self._left_out:
            return False
        self._left_out.add(step.name)
        if step.kind == "answer" and step.name not in self.entries:
            self.entries[step.name] = judged.lost(CATALOGUE[step.name], lost.end)
        how = judged.LOST[lost.end].removeprefix("It ").rstrip(".")
        whose = {"answer": "the answer to ", "provided": "the course's cell "}.get(step.kind, "")
        self._note(
            f"{whose}{step.name} was left out: {how if lost.end != 'crashed' else 'its process ended'}"
        )
        return True

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


def _with_missing(notebook: CourseNotebook, given: Sequence[Step]) -> list[Step]:
    """The steps, with an empty one for each answer that was not handed in: its helper is still to be taken over."""
    steps = list(given)
    answered = {step.name for step in steps if step.kind == "answer"}
    for name in notebook.exercises:
        if name not in answered:
            steps.insert(_place(notebook, steps, name), Step("answer", name, ""))
    return steps


def _place(notebook: CourseNotebook, steps: Sequence[Step], name: str) -> int:
    """Where a missing answer would stand among the steps: before the first provided cell or answer that follows it."""
    order = [cell.name if cell.role == "answer" else cell.id for cell in notebook.cells]
    after = set(order[order.index(name) + 1 :])
    return next((i for i, step in enumerate(steps) if step.name in after), len(steps))
