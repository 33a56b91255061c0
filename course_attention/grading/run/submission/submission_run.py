"""Runs one submission: its cells run in the sandbox, and its answers are judged here.

Where a cell or an answer never ends, or ends its process, that step is blamed and left out, and everything else runs
again in a fresh process. What has been judged is not judged again.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from course_attention.course import helper_source
from course_attention.course.cells import CourseNotebook
from course_attention.exercises import CATALOGUE
from course_attention.grading.policy import introspection
from course_attention.grading.policy.copied import same_source
from course_attention.grading.policy.forbidden import found_in
from course_attention.grading.reading.submitted_notebook import Reading
from course_attention.grading.run.results import verdict_record
from course_attention.grading.run.submission.budget import Budget
from course_attention.grading.run.submission.execution_plan import PlanStep, execution_plan, sources_of
from course_attention.grading.run.submission.former_result import FormerResult, StandingVerdicts
from course_attention.grading.sandbox.bubblewrap import NoSandbox
from course_attention.grading.sandbox.channel import ChannelClosed
from course_attention.grading.sandbox.notebook_setup import acceptance, adoption, built_on, notebook_setup
from course_attention.grading.sandbox.remote_runner import (
    Clock,
    RemoteRunner,
    Used,
    describe,
    out_of_memory,
    run_cell,
    wrong_object,
)
from course_attention.grading.sandbox.running_time import now
from course_attention.grading.sandbox.sandbox import Sandbox
from course_attention.grading.sandbox.session import End, LimitedBy, Lost, Session

_WITHOUT_VERDICT = {*verdict_record.LOST, verdict_record.NOT_JUDGED, "forbidden"}
SHORT = " (a line or two may be so by chance)"


@dataclass(frozen=True)
class _AnswerCell:
    """How an answer's cell ran: the type and text of what it raised, or None, and the seconds that it took."""

    error: tuple[str, str] | None
    seconds: float


class _GraderFailed(Exception):
    """The grader itself has failed at an exercise, which has its entry by now."""


class SubmissionRun:
    """The steps of one submission, in as many processes as it takes.

    Args:
        sandbox: where they run.
        notebook: the course's notebook that it is.
        reading: what counts of what was handed in.
        seed: draws the cases.
        former: what stays of its former result; nothing unless given.

    Attributes:
        entries: exercise → its entry in the result, as far as the run has come.
        notes: what was odd, for the student and the instructor.
        instructor_notes: what only the instructor should read.
        timed_out: whether any step took more time than there is, which a busy machine may have caused.
        ended_from_outside: whether its process was ended by the system, see `Lost`.
        limited_by: what limits the submission's memory; "" before anything has run.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        notebook: CourseNotebook,
        reading: Reading,
        seed: int,
        former: FormerResult | None = None,
    ) -> None:
        self.entries: dict[str, dict[str, Any]] = {}
        self.notes: list[str] = []
        self.instructor_notes: list[str] = []
        self.timed_out = self.ended_from_outside = False
        self.limited_by: LimitedBy | Literal[""] = ""
        self._sandbox, self._notebook, self._seed = sandbox, notebook, seed
        self._standing = StandingVerdicts(former, notebook.exercises)
        self._steps = execution_plan(notebook, reading)
        self._left_out: set[str] = set()
        self._at: PlanStep | None = None
        self._answers: dict[str, _AnswerCell] = {}
        self._budget = Budget(sandbox.limits, len(notebook.exercises))
        for step in self._steps:
            if step.kind != "provided" and (named := introspection.named_in(step.source)):
                self._tell_instructor(f"{step.name} names {named}, which no answer needs: worth a look")
        for name in notebook.exercises:
            if name not in reading.answers:
                self.entries[name] = verdict_record.judged(CATALOGUE[name], CATALOGUE[name].judge(None))

    def to_the_end(self) -> None:
        """Run and judge everything, as far as the submission's time reaches."""
        last: Lost | None = None
        while self._budget.left > 0 and (last is None or self._blame(last)):
            self._at = None
            try:
                with self._sandbox.open(notebook_setup(self._notebook)) as session:
                    self.limited_by = session.limited_by if self._sandbox.limits.memory else "nothing"
                    self._budget.begin()
                    self._through(session)
                return
            except _GraderFailed:  # it may have left the process waiting: a fresh one goes on with the rest
                last = None
            except Lost as lost:
                last = lost
                self.timed_out |= lost.end == "timeout"
                self.ended_from_outside |= lost.from_outside
        end: End = "timeout" if self._budget.left <= 0 or last is None else last.end
        if self._budget.left <= 0:
            self._note("the time for the whole submission was up before its end")
        for name in self._notebook.exercises:  # what is lost comes back at every turn
            self.entries.setdefault(name, self._standing.of(name) or verdict_record.lost(CATALOGUE[name], end))

    def _through(self, session: Session) -> None:
        self._answers.clear()
        for step in self._steps:
            self._at = step
            if step.kind == "check":
                self._check(session, step.name)
            elif step.name in self._left_out:
                continue
            elif step.kind == "answer":
                self._answer(session, step)
            else:
                self._cell(session, step)

    def _cell(self, session: Session, step: PlanStep) -> None:
        if step.kind == "provided":
            run_cell(session, step.source, self._budget.clock().left)
            return
        if why := self._budget.added_cells:
            self._note(f"cells of the student's own were left out: {why}")
            return
        with self._budget.added_cell() as seconds:
            error = run_cell(session, step.source, seconds)
        if error:
            self._note(f"{step.name} was left out: it raised {error[0]}")

    def _answer(self, session: Session, step: PlanStep) -> None:
        began = now()
        error = run_cell(session, step.source, self._budget.clock().left) if step.source else None
        self._answers[step.name] = _AnswerCell(error, now() - began)

    def _check(self, session: Session, name: str) -> None:
        """Judge an answer where the notebook checks it; the course's helper takes its place unless it passed."""
        if name not in self.entries:
            self._judge(session, name, self._answers[name])
        if self.entries[name]["status"] != "passed" or name in self._left_out:
            judged_so_far = tuple(self.entries)
            session.ask(adoption(name, judged_so_far), self._budget.clock().left)
        elif name in built_on(self._notebook):
            session.ask(acceptance(name), self._budget.clock().left)

    def _judge(self, session: Session, name: str, cell: _AnswerCell) -> None:
        """Judge an answer, once, unless its verdict stays.

        Where the grader itself fails at it, that is neither the answer's fault nor a zero.
        """
        try:
            entry = self._standing.of(name) or self._judged(session, name, cell)
            self._look_for_copy(name, entry)
            json.dumps(entry, allow_nan=False)  # what cannot be written would stop the class
        except (Lost, ChannelClosed, NoSandbox):
            raise
        except Exception as fault:
            self._enter(name, verdict_record.not_judged(CATALOGUE[name]))
            kind = type(fault).__name__
            self._note(f"{name} was not judged: the grader itself failed with {kind}; please report it")
            raise _GraderFailed from fault
        self._enter(name, entry)

    def _enter(self, name: str, entry: dict[str, Any]) -> None:
        self.entries[name] = entry
        self._standing.compare(name, entry)

    def _look_for_copy(self, name: str, entry: Mapping[str, Any]) -> None:
        """Tell the instructor where an answer with a verdict is the course's own source."""
        own, _ = sources_of(name, self._steps)
        if entry["status"] not in _WITHOUT_VERDICT and any(
            same_source(source, helper_source.own_source(name)) for source in own
        ):
            self._tell_instructor(f"{name}: the answer is the course's own source, up to names and layout{SHORT}")

    def _judged(self, session: Session, name: str, cell: _AnswerCell) -> dict[str, Any]:
        exercise, error = CATALOGUE[name], cell.error
        clock = self._budget.clock(spent=cell.seconds)
        own, added = sources_of(name, self._steps)
        if used := next(filter(None, (found_in(name, source, added) for source in own)), ""):
            return verdict_record.forbidden(exercise, used)
        if error and out_of_memory(*error):
            return verdict_record.lost(exercise, "out_of_memory")
        try:
            found = describe(session, name, clock)
            if found["kind"] == "missing" and error:
                return verdict_record.raised(exercise, *error)
            verdict = exercise.judge(self._handed_in(session, exercise, found, clock), self._seed, self._sandbox.device)
        except Used as used_name:
            return verdict_record.forbidden(exercise, str(used_name))
        return verdict_record.judged(exercise, verdict)

    def _handed_in(self, session: Session, exercise: Any, found: Mapping[str, Any], clock: Clock) -> Any:
        """Return what the judge is given as the answer: nothing, a number, or a runner that calls it in the sandbox."""
        kind = found["kind"]
        if kind in ("missing", "nothing"):
            return None
        if kind == "number" and isinstance(found.get("number"), (int, float)):
            return found["number"]
        called = kind in ("class", "function") and exercise.kind != "value"
        if not called or (kind == "function" and exercise.kind == "module"):
            return wrong_object(found)
        return RemoteRunner(session, exercise.name, exercise.exercise.library, clock, exercise.exercise.given)

    def _blame(self, lost: Lost) -> bool:
        """Leave out the step at which the process was lost. Returns False where no step is left to blame."""
        step = self._at
        if step is None or step.name in self._left_out:
            return False
        self._left_out.add(step.name)
        if step.kind == "added":
            self._budget.lose_added_cell()
        if step.kind in ("answer", "check") and step.name not in self.entries:
            self._enter(step.name, verdict_record.lost(CATALOGUE[step.name], lost.end))
        how = verdict_record.LOST[lost.end].removeprefix("It ").rstrip(".")
        whose = {"answer": "the answer to ", "check": "the answer to ", "provided": "the course's cell "}.get(
            step.kind, ""
        )
        self._note(f"{whose}{step.name} was left out: {how if lost.end != 'crashed' else 'its process ended'}")
        return True

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def _tell_instructor(self, text: str) -> None:
        if text not in self.instructor_notes:
            self.instructor_notes.append(text)
