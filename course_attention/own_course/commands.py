"""The author's commands: `new-course`, `new-exercise`, `verify`. What they need loads as they run."""

from __future__ import annotations

import argparse
from pathlib import Path

from course_attention.active_course import choose

NOT_GOOD = 1  # exit code where something needs work


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the author's commands to a parser's."""
    course = commands.add_parser(
        "new-course",
        help="write the beginning of a course of your own",
        description="Writes a small course that is complete: course.toml, an exercise, and a notebook that asks it.",
    )
    course.add_argument("folder", type=Path, metavar="DIR")
    course.set_defaults(run=_new_course)
    exercise = commands.add_parser(
        "new-exercise",
        help="write the beginning of an exercise of your own",
        description="Writes the file of an exercise, and its text and cells at the end of a notebook of yours. Where "
        "there is none of that name, it is made.",
    )
    exercise.add_argument("folder", type=Path, metavar="DIR", help="of your course")
    exercise.add_argument("name", metavar="NAME", help="of the function that answers it")
    exercise.add_argument("notebook", metavar="NOTEBOOK", help="without .ipynb, such as 02_convolution")
    exercise.set_defaults(run=_new_exercise)
    verify = commands.add_parser(
        "verify",
        help="say what is not yet right about a course of your own",
        description="Tries the exercises and notebooks of a course: the reference solution against the oracle, whether "
        "each misconception is named and told from the others, small changes of the solution, the notebooks blank and "
        "solved, and their metadata.",
    )
    verify.add_argument("folder", type=Path, metavar="DIR")
    verify.set_defaults(run=_verify)


def _new_course(options: argparse.Namespace) -> int:
    from course_attention.own_course.new_course import new_course

    print(*new_course(options.folder), sep="\n")
    print(f"Next: course-attention verify {options.folder}")
    return 0


def _new_exercise(options: argparse.Namespace) -> int:
    from course_attention.own_course.new_course import new_exercise

    print(*new_exercise(options.folder, options.name, options.notebook.removesuffix(".ipynb")), sep="\n")
    print("Where course.toml lists the notebooks, the notebook must be among them.")
    return 0


def _verify(options: argparse.Namespace) -> int:
    choose(options.folder)
    from course_attention.own_course.finding import Finding, summary, table
    from course_attention.own_course.verify import verify

    findings: list[Finding] = []
    for found in verify():
        print(*table(found, after=findings[-1] if findings else None), sep="\n", flush=True)
        findings.append(found)
    print("", summary(findings), sep="\n")
    return NOT_GOOD if any(one.state == "bad" for one in findings) else 0
