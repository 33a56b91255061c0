"""The instructor's commands, such as `grade`, `report` and `attempts`. What they need loads as they run."""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path

from course_attention.active_course.argument import of_course
from course_attention.grading.arguments import AMOUNT, COUNT, KEEP, LAYOUTS, SEED
from course_attention.grading.attempts.command import add_attempts_command
from course_attention.grading.autograder.commands import add_gradescope_commands
from course_attention.grading.errors import CannotGrade
from course_attention.grading.report_command import add_report_command, add_view_arguments, late_rules
from course_attention.grading.terminal import INCOMPLETE, NOT_JUDGED, ProgressBar, errors_in_a_line, telling

_seed, _count, _amount = SEED.reader(int), COUNT.reader(int), AMOUNT.reader(float)


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the instructor's commands to a parser's."""
    grade = commands.add_parser(
        "grade",
        parents=[of_course()],
        help="grade what was handed in",
        description="Grades every notebook in SUBMITTED: the zip or the folder that Canvas, Moodle, Gradescope or "
        "GitHub Classroom hands out, or a folder with {student}/{notebook}.ipynb or, as nbgrader has it, "
        "{student}/{assignment}/{notebook}.ipynb. Stopped and started again, it goes on where it was.",
    )
    grade.add_argument("submitted", type=Path, nargs="?", metavar="SUBMITTED")
    grade.add_argument("--out", type=Path, metavar="RESULTS", help="where the results go")
    grade.add_argument(
        "--check", action="store_true", help="grade nothing: try each promise of the sandbox on this machine"
    )
    grade.add_argument(
        "--seed", type=_seed, metavar="N", help="draws the cases; a secret one, kept in RESULTS, unless given"
    )
    grade.add_argument(
        "--workers",
        type=_count,
        metavar="N",
        help="processes on this machine; one for each core unless given",
    )
    grade.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster, in place of this machine's cores")
    grade.add_argument(
        "--device", choices=("cpu", "cuda"), default="cpu", help="where answers are judged; cpu unless given"
    )
    grade.add_argument("--isolation", choices=("bubblewrap", "process"), default="bubblewrap", help=_ISOLATION)
    grade.add_argument(
        "--timeout", type=_amount, default=30.0, metavar="SECONDS", help="for each exercise; 30 unless given"
    )
    grade.add_argument("--submission-timeout", type=_amount, metavar="SECONDS", help=_SUBMISSION_TIMEOUT)
    grade.add_argument("--memory", type=_amount, default=4.0, metavar="GB", help="for each submission; 4 unless given")
    again = grade.add_mutually_exclusive_group()
    again.add_argument("--force", action="store_true", help="grade what has a result already as well")
    again.add_argument("--only", nargs="+", action="extend", default=[], metavar="EXERCISE", help=_ONLY)
    grade.add_argument(
        "--layout",
        choices=LAYOUTS,
        help="how SUBMITTED is laid out; recognised unless given",
    )
    grade.add_argument("--keep", choices=KEEP, help=_KEEP)
    add_view_arguments(grade)
    grade.set_defaults(run=_grade)
    add_report_command(commands)
    add_attempts_command(commands)
    simulate = commands.add_parser(
        "simulate-class",
        parents=[of_course()],
        help="make up a class with known answers",
        description="Writes submissions of students who do not exist, right in some style or wrong in a known way, and "
        "beside them the truth.",
    )
    simulate.add_argument("folder", type=Path, metavar="DIR")
    simulate.add_argument("--students", type=_count, default=30, metavar="N", help="30 unless given")
    simulate.add_argument("--seed", type=_seed, default=0, metavar="N", help="0 unless given")
    simulate.set_defaults(run=_simulate)
    key = commands.add_parser(
        "answer-key",
        parents=[of_course()],
        help="write the notebooks, solved",
        description="Writes the notebooks with the course's own helpers in their answer cells.",
    )
    key.add_argument("folder", type=Path, metavar="DIR")
    key.set_defaults(run=_answer_key)
    add_gradescope_commands(commands)


_ISOLATION = (
    "bubblewrap (Linux): no network, nothing to read but Python, a fresh folder and process tree for each submission. "
    "process: limits on time and memory alone; a submission can read and write what you can, so grade only students "
    "whom you would give your account"
)
_SUBMISSION_TIMEOUT = (
    "for each submission in all; unless given, --timeout times the number of its exercises and ten more"
)
_KEEP = "which version of a notebook counts where a student handed in several: the newest unless given, or the best"
_ONLY = "judge these exercises again; all other verdicts stay, but for submissions that are new or have changed"


def _grade(options: argparse.Namespace) -> int:
    from course_attention.grading.run.grade_class import grade

    if options.check:
        return _check(options)
    if options.submitted is None or options.out is None:
        raise CannotGrade("name what was handed in and --out RESULTS, or ask for --check")
    with errors_in_a_line(), contextlib.closing(ProgressBar()) as bar:
        done = grade(
            options.submitted,
            options.out,
            seed=options.seed,
            workers=options.workers,
            scheduler=options.scheduler,
            device=options.device,
            isolation=options.isolation,
            timeout=options.timeout,
            submission_timeout=options.submission_timeout,
            memory=options.memory,
            force=options.force,
            only=options.only,
            layout=options.layout,
            keep=options.keep,
            late_rules=late_rules(options.late),
            roster=options.roster,
            gradebook=options.gradebook,
            on_progress=bar.show,
            on_notice=bar.say,
        )
    counts = ", ".join(f"{count} {status}" for status, count in done.statuses.items())
    limit = f"; {done.memory}" if done.memory else ""
    with telling():
        print(*done.views.lines, sep="\n")
        print(f"{done.submissions} submissions, {done.graded_now} of them graded now: {counts}{limit}")
        if done.passed_over:
            print(f"files handed in: {done.files}; no submissions: {done.passed_over}, and handed_in.csv says why")
    if done.not_judged:
        print(f"course-attention grade: {done.not_judged} submissions {NOT_JUDGED}", file=sys.stderr)
    return 0 if done.complete else INCOMPLETE


def _check(options: argparse.Namespace) -> int:
    from course_attention.grading.run.machine.self_check import self_check, table
    from course_attention.grading.sandbox.bubblewrap import NoSandbox

    try:
        all_held = table(self_check(options.isolation), lambda line: print(line, flush=True))
    except NoSandbox as reason:
        raise CannotGrade(str(reason)) from reason
    print("Every promise holds here." if all_held else "Some promises do not hold here; see SECURITY.md.")
    return 0 if all_held else INCOMPLETE


def _simulate(options: argparse.Namespace) -> int:
    from course_attention.grading.simulation import write_class

    _need_empty(options.folder)
    print(write_class(options.folder, options.students, options.seed))
    return 0


def _answer_key(options: argparse.Namespace) -> int:
    from course_attention.course.answer_key import write_answer_key

    _need_empty(options.folder)
    for path in write_answer_key(options.folder):
        print(path)
    return 0


def _need_empty(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CannotGrade(f"{folder} is not an empty folder; name another")
