"""The commands for Gradescope: one builds the autograder, the other is what it runs for each submission."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from course_attention.active_course.argument import of_course
from course_attention.grading.arguments import AMOUNT
from course_attention.grading.terminal import errors_in_a_line

_ISOLATION = (
    "process: for containers that do not let bubblewrap make namespaces. Then nothing but the container itself "
    "isolates a submission, which could read what the judge expects and change its own result"
)


def add_gradescope_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add both to a parser's commands."""
    build = commands.add_parser(
        "gradescope-autograder",
        parents=[of_course()],
        help="write the zip that Gradescope takes as an autograder",
        description="Writes FILE, which is uploaded to a programming assignment in Gradescope under Configure "
        "Autograder. It holds the course, and a secret seed.",
    )
    build.add_argument("file", type=Path, metavar="FILE")
    build.add_argument("--isolation", choices=("bubblewrap", "process"), default="bubblewrap", help=_ISOLATION)
    build.add_argument(
        "--timeout",
        type=AMOUNT.reader(float),
        default=30.0,
        metavar="SECONDS",
        help="for each exercise; 30 unless given",
    )
    build.set_defaults(run=_build)
    run = commands.add_parser(
        "gradescope-grade",
        help="grade one submission in Gradescope's container; its run_autograder calls this",
        description="Grades the notebooks in SUBMISSION and writes what Gradescope reads.",
    )
    run.add_argument("submission", type=Path, metavar="SUBMISSION")
    run.add_argument("--out", type=Path, required=True, metavar="RESULTS.JSON")
    run.add_argument("--settings", type=Path, required=True, metavar="SETTINGS.JSON")
    run.set_defaults(run=_run)


def _build(options: argparse.Namespace) -> int:
    from course_attention.grading.autograder.archive import write_archive

    with errors_in_a_line():
        print(write_archive(options.file, isolation=options.isolation, timeout=options.timeout))
    return 0


def _run(options: argparse.Namespace) -> int:
    from course_attention.grading.autograder.in_container import grade_submission

    with errors_in_a_line():
        grade_submission(options.submission, options.out, options.settings, _tell)
    return 0


def _tell(line: str) -> None:
    print(f"course-attention: {line}", file=sys.stderr)
