"""`grade` and `report` from their arguments to their closing line; what goes wrong on the way is told in a line."""

from __future__ import annotations

import argparse
import contextlib
import secrets
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout
from tqdm import tqdm

from course_attention.course.workspace import write_whole
from course_attention.grading import views
from course_attention.grading.commands import CannotGrade
from course_attention.grading.reading.submissions import Submission, find_submissions
from course_attention.grading.run import records
from course_attention.grading.run.cluster import cluster
from course_attention.grading.run.cohort import Cohort
from course_attention.grading.run.executors import CannotRun, local
from course_attention.grading.run.tasks import Terms
from course_attention.grading.sandbox import bubblewrap
from course_attention.grading.sandbox.sandbox import Limits
from course_attention.grading.views import gradebook

SEED_FILE = "seed.txt"
_UNPROTECTED = (
    "--isolation process limits time and memory, and isolates nothing: a submission can read and change your files, "
    "other submissions and their results, reach the network, leave processes behind, and learn what the judge expects"
)


def grade(options: argparse.Namespace) -> None:
    """Grade every submission in `options.submitted`, then write the views."""
    if not options.submitted.is_dir():
        raise CannotGrade(f"{options.submitted} is not a folder of submissions")
    with _told():
        submissions = find_submissions(options.submitted)
        if not submissions:
            raise CannotGrade(
                f"{options.submitted} holds no notebooks; expected {{student}}/{{notebook}}.ipynb in it"
            )
        if options.isolation == "process":
            print(f"course-attention grade: {_UNPROTECTED}", file=sys.stderr)
        if options.gradebook is not None:
            gradebook.check()
        try:
            if options.isolation == "bubblewrap" and options.scheduler is None:
                bubblewrap.check()
            options.out.mkdir(parents=True, exist_ok=True)
            with _alone_in(options.out):
                _grade_all(options, submissions)
        except (bubblewrap.NoSandbox, CannotRun) as error:
            there = (
                "on a worker of the cluster: "
                if options.scheduler and not isinstance(error, CannotRun)
                else ""
            )
            raise CannotGrade(f"{there}{error}") from error


def report(options: argparse.Namespace) -> None:
    """Write every view again, from the result files alone."""
    if not (options.results / records.FOLDER).is_dir():
        raise CannotGrade(f"{options.results} holds no results; `course-attention grade` writes them")
    with _told(), _alone_in(options.results):
        for line in views.write_all(options.results, options.gradebook):
            print(line)


def _grade_all(options: argparse.Namespace, submissions: list[Submission]) -> None:
    memory = int(options.memory * 2**30) if options.device == "cpu" else 0
    limits = Limits(memory=memory, seconds=options.timeout)
    statuses, graded_now = Counter(), 0
    with cluster(options.scheduler) if options.scheduler else local(options.workers) as workers:
        if workers.note:
            print(f"course-attention grade: {workers.note}", file=sys.stderr)
        terms = Terms(_kept_seed(options), options.device, options.isolation, limits)
        cohort = Cohort(options.out, terms, workers.executor, workers.in_flight, options.force)
        with tqdm(total=len(submissions), unit="notebook", file=sys.stderr) as bar:
            for _, record, now in cohort.grade(submissions):
                statuses[record["status"]] += 1
                graded_now += now
                bar.update()
    records.remove_superseded(options.out, submissions)
    for line in views.write_all(options.out, options.gradebook):
        print(line)
    counts = ", ".join(f"{count} {status}" for status, count in sorted(statuses.items()))
    print(f"{len(submissions)} submissions, {graded_now} of them graded now: {counts}")


@contextlib.contextmanager
def _alone_in(results: Path) -> Iterator[None]:
    """One command at a time writes to a folder of results; what a killed one left half-written goes."""

    try:
        with FileLock(results / ".lock", timeout=0):
            records.remove_half_written(results)
            yield
    except Timeout:
        raise CannotGrade(
            f"another command is writing to {results}; wait for it, or name another folder"
        ) from None


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """A folder that cannot be read or a full disk is told in a line; Ctrl-C is an end like any other."""
    try:
        yield
    except gradebook.NoGradebook as error:
        raise CannotGrade(str(error)) from error
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise CannotGrade(f"{where}{error.strerror or error}") from error
    except KeyboardInterrupt:
        raise CannotGrade("stopped; the same command goes on from here") from None


def _kept_seed(options: argparse.Namespace) -> int:
    """The seed that was given; else the one of the results that are there; else a new secret."""
    path = options.out / SEED_FILE
    if options.seed is None:
        try:
            return int(path.read_text())
        except FileNotFoundError:
            options.seed = secrets.randbelow(2**53)
        except ValueError:
            raise CannotGrade(
                f"{path} should hold the seed of these results, and does not: give it as --seed"
            ) from None
    write_whole(path, f"{options.seed}\n".encode())
    return options.seed
