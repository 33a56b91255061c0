"""Grades a class, for programs and the command line: `grade` grades a folder, `report` writes the views again."""

from __future__ import annotations

import contextlib
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Literal

from filelock import FileLock, Timeout

from course_attention.course.workspace import write_whole
from course_attention.grading.arguments import AMOUNT, COUNT, SEED
from course_attention.grading.errors import CannotGrade
from course_attention.grading.intake.export import opened
from course_attention.grading.intake.listing import TABLE, require_notebooks, take_in
from course_attention.grading.marking import kept_rules
from course_attention.grading.marking.late_rules import LateRules
from course_attention.grading.reading.submissions import Submission
from course_attention.grading.run import result_files
from course_attention.grading.run.cluster import cluster
from course_attention.grading.run.cohort import Cohort
from course_attention.grading.run.executors import CannotRun, Workers, local
from course_attention.grading.run.graded_class import GradedClass, Views
from course_attention.grading.run.submission_record import is_incomplete
from course_attention.grading.run.tasks import Settings
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
    layout: str | None = None,
    keep: Literal["newest", "best"] | None = None,
    late_rules: LateRules | None = None,
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
        force: grade what has a current result as well.
        layout: one of `grading.arguments.LAYOUTS`; recognised unless given.
        keep: which of several versions of a notebook counts: the newest, or the best of all that a student handed in.
            Unless given the newest; but in a plain folder the one that has the notebook's exact name.
        late_rules: due dates and what is taken off after them, see `marking`; those of the results in `out` unless
            given.
        gradebook: nbgrader's gradebook, a file or an SQLAlchemy URL, to be filled as well.
        on_progress: called with how many submissions are done and how many there are: at the start, then after each.
        on_notice: called with each line that an instructor should read while the class is graded.

    Returns:
        How many submissions ended in which status, and where the results are.

    Raises:
        CannotGrade: there is nothing to grade, or no way to grade it here.
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
    notice = on_notice or _ignore
    limits = Limits(
        memory=int(memory * 2**30) if device == "cpu" else 0,
        seconds=timeout,
        whole_seconds=submission_timeout,
    )
    with opened(submitted) as export, _explained(scheduler):
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
        with _alone_in(out):
            handed_in = take_in(export, out, layout, keep)
            handed_in.write(out)
            kept_rules.keep(out, late_rules)
            submissions = handed_in.submissions
            if not submissions:
                raise CannotGrade(
                    f"{submitted} holds no notebooks that can be told apart by student; expected an LMS's export, or "
                    f"{{student}}/{{notebook}}.ipynb in it. {out / TABLE} says what became of each file"
                )
            settings = Settings(_kept_seed(out, seed), device, isolation, limits)
            prepare()
            with _workers(workers, scheduler) as pool:
                if pool.note:
                    notice(pool.note)
                cohort = Cohort(out, settings, pool.executor, pool.in_flight, pool.at_once, force)
                counts = _run(cohort, submissions, on_progress or _ignore)
            result_files.remove_superseded(out, submissions)
            if keep == "best":
                handed_in.write(out, outdone(out, kept_rules.kept(out)))
            written = Views(out, tuple(write_all(out, gradebook)))
    limited_by = frozenset(cohort.limited_by)
    found = len(submissions), handed_in.layout, handed_in.files, handed_in.passed_over
    return GradedClass(*found, *counts, limited_by, out / result_files.FOLDER, written)


def report(results: Path, *, late_rules: LateRules | None = None, gradebook: str | None = None) -> Views:
    """Write every view again, from the result files alone.

    Args:
        results: the folder that `grade` has written to.
        late_rules: take the place of those that were given before.
        gradebook: nbgrader's gradebook, a file or an SQLAlchemy URL, to be filled as well.

    Returns:
        What was written.

    Raises:
        CannotGrade: the folder holds no results, or the gradebook cannot be filled.
        OSError: a file cannot be read or written.
    """
    if not (results / result_files.FOLDER).is_dir():
        raise CannotGrade(f"{results} holds no results; `course-attention grade` writes them")
    with _explained(), _alone_in(results):
        kept_rules.keep(results, late_rules)
        return Views(results, tuple(write_all(results, gradebook)))


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
    """Take what nobody has asked to be told."""


@contextlib.contextmanager
def _explained(scheduler: str | None = None) -> Iterator[None]:
    """Raise the errors of the sandbox, the workers and the gradebook as the one that the caller knows."""
    try:
        yield
    except bubblewrap.NoSandbox as error:
        there = "on a worker of the cluster: " if scheduler else ""
        raise CannotGrade(f"{there}{error}") from error
    except (CannotRun, nbgrader_gradebook.NoGradebook) as error:
        raise CannotGrade(str(error)) from error


@contextlib.contextmanager
def _alone_in(results: Path) -> Iterator[None]:
    """Let one run at a time write to a folder of results, and remove what a killed one left half-written."""
    try:
        with FileLock(results / ".lock", timeout=0):
            result_files.keep_private(results)
            result_files.remove_half_written(results)
            yield
    except Timeout:
        raise CannotGrade(
            f"another command is writing to {results}; wait for it, or name another folder"
        ) from None


def _kept_seed(out: Path, seed: int | None) -> int:
    """Return, and keep, the seed that was given; else the one of the results that are there; else a new secret."""
    path = out / result_files.SEED_FILE
    if seed is None:
        try:
            return int(path.read_text())
        except FileNotFoundError:
            seed = secrets.randbelow(2**53)
        except ValueError:
            raise CannotGrade(
                f"{path} should hold the seed of these results, and does not: give it as --seed"
            ) from None
    write_whole(path, f"{seed}\n".encode(), result_files.PRIVATE_FILE)
    return seed
