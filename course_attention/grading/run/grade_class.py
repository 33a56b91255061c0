"""Grades a class, for programs and the command line."""

from collections import Counter
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Literal

from course_attention.exercises import CATALOGUE
from course_attention.grading.arguments import AMOUNT, COUNT, SEED
from course_attention.grading.errors import CannotGrade
from course_attention.grading.intake.export import opened
from course_attention.grading.intake.listing import TABLE, require_notebooks, take_in
from course_attention.grading.marking import kept_rules
from course_attention.grading.marking.due_dates import due_dates
from course_attention.grading.marking.late_rules import LateRules
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.roster.class_list import read_class_list
from course_attention.grading.roster.enrolment import keep_roster
from course_attention.grading.roster.origins import keep_origins
from course_attention.grading.run.graded_class import GradedClass
from course_attention.grading.run.results import result_files, withdrawn
from course_attention.grading.run.results.submission_record import is_incomplete
from course_attention.grading.run.results_folder import alone_in, explained, kept_seed, note_course
from course_attention.grading.run.scheduling.cluster import cluster
from course_attention.grading.run.scheduling.cohort import Cohort
from course_attention.grading.run.scheduling.executors import Workers, local
from course_attention.grading.run.scheduling.tasks import GradingSettings
from course_attention.grading.sandbox import bubblewrap
from course_attention.grading.sandbox.cgroups import prepare
from course_attention.grading.sandbox.limits import Device, Isolation, Limits
from course_attention.grading.sandbox.worker import seccomp
from course_attention.grading.views import gradebook as nbgrader_gradebook
from course_attention.grading.views import write_all
from course_attention.grading.views.results import outdone

NOT_ISOLATED = (
    "--isolation process limits time and memory, and isolates nothing: a submission can read and change your files, "
    "other submissions and their results, reach the network, leave processes behind, and learn what the judge expects"
)


def grade(
    submitted: Path,
    out: Path,
    *,
    seed: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    device: Device = "cpu",
    isolation: Isolation = "bubblewrap",
    timeout: float = 30.0,
    submission_timeout: float | None = None,
    memory: float = 4.0,
    force: bool = False,
    only: Collection[str] = (),
    layout: str | None = None,
    keep: Literal["newest", "best"] | None = None,
    late_rules: LateRules | None = None,
    roster: Path | None = None,
    gradebook: str | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    on_notice: Callable[[str], None] | None = None,
) -> GradedClass:
    """Grade every submission in a folder, then write the views.

    Stopped and called again, it goes on where it was. Nothing is printed.

    Args:
        submitted: a folder or a zip, as Canvas, Moodle, Gradescope, GitHub Classroom or nbgrader lays it out; or a
            folder with `{student}/{notebook}.ipynb`.
        out: where the results go; made when it is not there.
        seed: draws the cases. Unless given, it is the one of the results in `out`, else a new secret one.
        workers: how many processes of this machine; one for each core unless given.
        scheduler: the address of a Dask cluster, which then does the work of this machine's processes.
        device: where answers are judged.
        isolation: "bubblewrap", or "process", which limits time and memory and isolates nothing.
        timeout: seconds for each exercise.
        submission_timeout: seconds for each submission in all; unless given, as many as its exercises may take one by
            one, and ten times an exercise's for the cells that the student added.
        memory: gigabytes for each submission; not limited on "cuda".
        force: grade what has a current result as well. Stopped and called again so, it goes on where it was.
        only: judge these exercises again, and leave all other verdicts of a submission that has a result.
        layout: one of `grading.arguments.LAYOUTS`; recognised unless given.
        keep: which of several versions of a notebook counts: the newest, or the best of all that a student handed in.
            Unless given the newest; but in a plain folder the one that has the notebook's exact name.
        late_rules: due dates and what is taken off after them, see `marking`. Unless given, they are those of the
            active course, else those of the results in `out`.
        roster: the class list, as the LMS hands it out or a plain CSV; the one kept in `out` unless given.
        gradebook: nbgrader's gradebook, a file or an SQLAlchemy URL, to be filled as well.
        on_progress: called with how many submissions are done and how many there are: at the start, then after each.
        on_notice: called with each line that an instructor should read while the class is graded.

    Returns:
        How many submissions ended in which status, and where the results are.

    Raises:
        CannotGrade: there is nothing to grade, no such exercise, or no way to grade it here.
        ValueError: a number is out of its range.
        OSError: a folder cannot be read or written.
    """
    AMOUNT.require("timeout", timeout)
    AMOUNT.require("memory", memory)
    if submission_timeout is not None:
        AMOUNT.require("submission_timeout", submission_timeout)
    if workers is not None:
        COUNT.require("workers", workers)
    if seed is not None:
        SEED.require("seed", seed)
    if roster is not None:
        read_class_list(roster)  # what is wrong with it is told before anything is graded
    _require_exercises(only)
    rules = kept_rules.in_force(out, late_rules)
    notice = on_notice or _ignore
    limits = Limits(
        memory=int(memory * 2**30) if device == "cpu" else 0,
        seconds=timeout,
        whole_seconds=submission_timeout,
    )
    with opened(submitted) as export, explained(scheduler):
        require_notebooks(export)
        if isolation == "process":
            notice(NOT_ISOLATED)
        if gradebook is not None:
            nbgrader_gradebook.check()
        if isolation == "bubblewrap" and scheduler is None:
            bubblewrap.check()
            if reason := seccomp.why_not():
                notice(f"no system call is refused to a submission (seccomp), for {reason}")
        out.mkdir(parents=True, exist_ok=True)
        with alone_in(out):
            note_course(out)
            handed_in = take_in(export, out, layout, keep)
            handed_in.write(out)
            kept_rules.keep(out, rules)
            submissions = handed_in.submissions
            keep_origins(handed_in.owners, out, handed_in.layout)
            if roster is not None:
                keep_roster(roster, out)
            if not submissions:
                raise CannotGrade(
                    f"{submitted} holds no notebooks that can be told apart by student; expected an LMS's export, or "
                    f"{{student}}/{{notebook}}.ipynb in it. {out / TABLE} says what became of each file"
                )
            settings = GradingSettings(kept_seed(out, seed), device, isolation, limits)
            prepare()
            with _workers(workers, scheduler) as pool:
                if pool.note:
                    notice(pool.note)
                starting = partial(notice, pool.starting)
                cohort = Cohort(out, settings, pool.executor, pool.in_flight, pool.at_once, force, only, starting)
                if stopped_at := cohort.regrading.done_before:
                    notice(f"goes on where it was stopped: {stopped_at} submissions were graded again before")
                withdrawn.keep_only(out, submissions)
                counts = _run(cohort, submissions, on_progress or _ignore)
            if keep == "best":
                handed_in.write(out, outdone(out, due_dates(out, rules)))
            written = write_all(out, gradebook)
    limited_by = frozenset(cohort.limited_by)
    found = len(submissions), handed_in.layout, handed_in.files, handed_in.passed_over
    return GradedClass(*found, *counts, limited_by, out / result_files.FOLDER, written)


def _require_exercises(names: Collection[str]) -> None:
    for name in names:
        if name not in CATALOGUE:
            near = get_close_matches(name, CATALOGUE, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise CannotGrade(f"only exercises can be judged again, and none is called {name!r}{hint}")


def _workers(workers: int | None, scheduler: str | None) -> AbstractContextManager[Workers]:
    return local(workers) if scheduler is None else cluster(scheduler)


def _run(
    cohort: Cohort, submissions: list[Submission], on_progress: Callable[[int, int], None]
) -> tuple[dict[str, int], int, int]:
    """Grade them all; return how many ended in which status, were graded now, and are not judged in whole or part."""
    statuses: Counter[str] = Counter()
    graded_now = incomplete = 0
    on_progress(0, len(submissions))
    for done, (_, record, now) in enumerate(cohort.grade(submissions), start=1):
        statuses[record["status"]] += 1
        graded_now += now
        incomplete += is_incomplete(record)
        on_progress(done, len(submissions))
    return dict(sorted(statuses.items())), graded_now, incomplete


def _ignore(*_: object) -> None:
    """Do nothing with what is reported: the caller gave no function for it."""
