"""The instructor's commands: `grade`, `report`, `simulate-class`, `answer-key`. What they need loads as they run."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path


class CannotGrade(Exception):
    """The command cannot do what was asked; the message says why, and what to do."""


def add_commands(commands: argparse._SubParsersAction) -> None:
    """Add the instructor's commands to a parser's."""
    grade = commands.add_parser(
        "grade",
        help="grade a folder of submissions",
        description="Grades every notebook in SUBMITTED/{student}/{notebook}.ipynb or, as nbgrader has it, "
        "SUBMITTED/{student}/{assignment}/{notebook}.ipynb. Stopped and started again, it goes on where it was.",
    )
    grade.add_argument("submitted", type=Path, metavar="SUBMITTED")
    grade.add_argument("--out", type=Path, required=True, metavar="RESULTS", help="where the results go")
    grade.add_argument(
        "--seed", type=_seed, metavar="N", help="draws the cases; a secret one, kept in RESULTS, unless given"
    )
    grade.add_argument(
        "--workers",
        type=_positive,
        metavar="N",
        help="processes on this machine; one for each core unless given",
    )
    grade.add_argument(
        "--scheduler", metavar="ADDRESS", help="of a Dask cluster, in place of this machine's cores"
    )
    grade.add_argument(
        "--device", choices=("cpu", "cuda"), default="cpu", help="where answers are judged; cpu unless given"
    )
    grade.add_argument(
        "--isolation", choices=("bubblewrap", "process"), default="bubblewrap", help=_ISOLATION
    )
    grade.add_argument(
        "--timeout", type=_seconds, default=30.0, metavar="SECONDS", help="for each exercise; 30 unless given"
    )
    grade.add_argument(
        "--memory", type=_seconds, default=4.0, metavar="GB", help="for each submission; 4 unless given"
    )
    grade.add_argument("--force", action="store_true", help="grade what has a result already as well")
    grade.add_argument("--gradebook", metavar="DB", help=_GRADEBOOK)
    grade.set_defaults(run=_grade)
    report = commands.add_parser(
        "report",
        help="write every view of the results again",
        description="Writes grades, feedback and the report again, from the result files alone.",
    )
    report.add_argument("results", type=Path, metavar="RESULTS")
    report.add_argument("--gradebook", metavar="DB", help=_GRADEBOOK)
    report.set_defaults(run=_report)
    simulate = commands.add_parser(
        "simulate-class",
        help="make up a class with known answers",
        description="Writes submissions of students who do not exist, right in some style or wrong in a known way, and "
        "beside them the truth.",
    )
    simulate.add_argument("folder", type=Path, metavar="DIR")
    simulate.add_argument("--students", type=_positive, default=30, metavar="N", help="30 unless given")
    simulate.add_argument("--seed", type=_seed, default=0, metavar="N", help="0 unless given")
    simulate.set_defaults(run=_simulate)
    key = commands.add_parser(
        "answer-key",
        help="write the notebooks, solved",
        description="Writes the notebooks with the course's own helpers in their answer cells.",
    )
    key.add_argument("folder", type=Path, metavar="DIR")
    key.set_defaults(run=_answer_key)


_ISOLATION = (
    "bubblewrap (Linux): no network, nothing to read but Python, a fresh folder and process tree for each submission. "
    "process: limits on time and memory alone; a submission can read and write what you can, so grade only students "
    "whom you would give your account"
)
_GRADEBOOK = "nbgrader's gradebook, a file or an SQLAlchemy URL, to be filled as well"


def _grade(options: argparse.Namespace) -> int:
    from course_attention.grading.run.grade_class import grade

    grade(options)
    return 0


def _report(options: argparse.Namespace) -> int:
    from course_attention.grading.run.grade_class import report

    report(options)
    return 0


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


def _number(text: str, wanted: str, convert: Callable[[str], float], holds: Callable[[float], bool]) -> float:
    try:
        number = convert(text)
    except ValueError:
        number = None
    if number is None or not holds(number):
        raise argparse.ArgumentTypeError(f"expected {wanted}; got {text!r}")
    return number


def _seed(text: str) -> int:
    return _number(text, "a whole number from 0 to 2^53", int, lambda n: 0 <= n <= 2**53)


def _positive(text: str) -> int:
    return _number(text, "a whole number of 1 or more", int, lambda n: n >= 1)


def _seconds(text: str) -> float:
    return _number(text, "a number above 0", float, lambda n: 0 < n < float("inf"))
