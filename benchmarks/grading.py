"""Times `course-attention grade` against `nbgrader autograde`, and against running the submissions' cells alone.

Throughput: both grade the course's own answers, notebook by notebook; the figure is the median of the notebooks'
ratios. nbgrader runs in this process, one submission after the other. `grade` is measured by its cohort on two workers
that are already warm. Added time: the time to grade one submission in a warm sandbox, less the time to run its cells
without the judge's calls, in IPython in a forked process that has imported everything.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import logging
import os
import shutil
import statistics
import sys
import sysconfig
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from course_attention.course.answer_key import write_answer_key
from course_attention.course.cells import course_notebook
from course_attention.grading.reading.submissions import Submission, find_submissions, read_bytes
from course_attention.grading.reading.submitted_notebook import read_submission
from course_attention.grading.run.scheduling import executors
from course_attention.grading.run.scheduling.cohort import Cohort
from course_attention.grading.run.scheduling.tasks import GradingSettings
from course_attention.grading.run.submission.execution_plan import execution_plan
from course_attention.grading.run.submission.grader import Grader
from course_attention.grading.sandbox.sandbox import Sandbox

# The first notebook, the one with the most cells, the one with the most exercises, and the one with the heaviest ones.
STEMS = ("00_start_here", "02_queries_keys_values", "07_complexity", "11_long_context")
SEED, WORKERS = 0, 2
WARM_UP = 16  # submissions of a notebook, until each worker's sandbox has imported what it needs
READY = 8  # submissions that may be graded already when the clock starts
MEASURED = 60  # submissions of a notebook
MEASURED_NBGRADER = 3
REPEATS = 9


def seconds(step: Callable[[], object]) -> float:
    """How long a step takes."""
    start = time.perf_counter()
    step()
    return time.perf_counter() - start


def hand_in(course: Path, students: int, stems: Sequence[str]) -> None:
    """Return an nbgrader course with an assignment for each notebook; all students submit the course's own answers."""
    keys = {path.stem: path for path in write_answer_key(course / "key")}
    for stem in stems:
        for number in range(students):
            folder = course / "submitted" / student(number) / stem
            folder.mkdir(parents=True)
            shutil.copy(keys[stem], folder / f"{stem}.ipynb")
        source = course / "source" / stem
        source.mkdir(parents=True)
        shutil.copy(keys[stem], source / f"{stem}.ipynb")


def nbgrader(course: Path, stems: Sequence[str]) -> Any:
    """nbgrader, with the assignments generated."""
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import Config

    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    config = Config()
    config.CourseDirectory.root = str(course)
    api = NbGraderAPI(config=config)
    api.log.setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", module="nbgrader")
    for stem in stems:
        succeed(api.generate_assignment(stem))
    return api


def autograde(api: Any, stem: str, number: int) -> None:
    """Have nbgrader grade a student's notebook."""
    succeed(api.autograde(stem, student(number)))


def student(number: int) -> str:
    """Return the name of a student's folder."""
    return f"student{number:04}"


def succeed(done: dict[str, Any]) -> None:
    """Raise an error where nbgrader has only reported one."""
    if not done["success"]:
        sys.exit(f"nbgrader: {done.get('error') or done.get('log')}")


def throughput(course: Path, stems: Sequence[str]) -> None:
    """Print seconds per submission, ours and nbgrader's, and their ratio."""
    api, ratios = nbgrader(course, stems), []
    submissions = sorted(find_submissions(course / "submitted"), key=lambda one: one.notebook)
    print(f" nbgrader   {WORKERS} workers    times")
    with executors.local(WORKERS) as workers:
        cohort = Cohort(course / "results", GradingSettings(SEED), workers.executor, workers.in_flight)
        graded = cohort.grade(submissions)
        for stem in stems:
            take(graded, WARM_UP)
            theirs = statistics.median(
                seconds(lambda s=stem, n=number: autograde(api, s, n)) for number in range(MEASURED_NBGRADER)
            )
            take(graded, READY)
            ours = seconds(lambda: take(graded, MEASURED)) / MEASURED
            ratios.append(theirs / ours)
            print(f"{theirs:7.3f} s {ours:9.3f} s {theirs / ours:8.0f}  {stem}")
        graded.close()
    print(f"{statistics.median(ratios):29.0f}  median")


def take(graded: Iterator[tuple[Submission, dict[str, Any], bool]], number: int) -> None:
    """Take so many results, and check that they are right."""
    for _, result, now in itertools.islice(graded, number):
        if not now or result["score"] != result["max_score"]:
            sys.exit(f"the course's own answers have {result['score']} of {result['max_score']}: {result['notes']}")


def added_time(course: Path, stems: Sequence[str]) -> None:
    """Print the time that grading takes beyond running the submission's cells."""
    print("\n  graded   its cells    added")
    with Sandbox() as sandbox:
        grader = Grader(sandbox, SEED)
        for stem in stems:
            submission = next(one for one in find_submissions(course / "submitted") if one.notebook == stem)
            content = read_bytes(submission)
            notebook = course_notebook(stem)
            steps = [step.source for step in execution_plan(notebook, read_submission(content, notebook))]
            run_cells(steps)  # imports what they import
            grader.grade(submission, content)
            pairs = [
                (
                    seconds(lambda s=submission, c=content: grader.grade(s, c)),
                    seconds(lambda s=steps: forked(s)),
                )
                for _ in range(REPEATS)
            ]
            graded, cells = (statistics.median(times) for times in zip(*pairs, strict=True))
            added = statistics.median(one - other for one, other in pairs)
            print(f"{graded:7.3f} s {cells:9.3f} s {added:7.3f} s  {stem}")


def run_cells(sources: list[str]) -> None:
    """Run cells in IPython."""
    from course_attention.grading.sandbox.worker.shell import Shell

    cells = Shell()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for source in sources:
            if error := cells.run(source):
                raise error


def forked(sources: list[str]) -> None:
    """Run cells in IPython in a forked process."""
    process = os.fork()
    if process == 0:
        try:
            run_cells(sources)
        finally:
            os._exit(0)
    os.waitpid(process, 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notebooks", nargs="*", default=STEMS, help=f"which ones (default: {' '.join(STEMS)})")
    stems = parser.parse_args().notebooks
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder)
        hand_in(course, WARM_UP + READY + MEASURED, stems)
        throughput(course, stems)
        added_time(course, stems)


if __name__ == "__main__":
    main()
