"""The command that writes the views of a class again, and the arguments that say what goes into the views."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from course_attention.active_course.argument import of_course
from course_attention.active_course.choice import COURSE_FILE, follow, noted
from course_attention.grading.terminal import INCOMPLETE, NOT_JUDGED, errors_in_a_line, telling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from course_attention.grading.marking.late_rules import LateRules
    from course_attention.grading.views.exports.changes import Change

_LATE = (
    "a TOML file with due dates, what is taken off after them, and what is dropped; kept in RESULTS. The tables "
    "`late` and `drop` of a course.toml need not be named"
)
_ROSTER = (
    "the class list: Canvas's gradebook, Moodle's grading worksheet or participants, Gradescope's roster, or a CSV "
    "with names and IDs; kept in RESULTS, so that it need not be named again"
)
_GRADEBOOK = "nbgrader's gradebook, a file or an SQLAlchemy URL, to be filled as well"
_DRY_RUN = "write nothing: show whose marks differ from those exported last, by how much and why"
_EXPORTED = "keep the marks as those exported last: say so when you have handed them on; --gradebook does it itself"


def add_report_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `report` to a parser's commands."""
    report = commands.add_parser(
        "report",
        parents=[of_course()],
        help="write every view of the results again",
        description="Writes grades, feedback and the report again, from the result files and the class list.",
    )
    report.add_argument("results", type=Path, metavar="RESULTS")
    add_view_arguments(report)
    report.add_argument("--dry-run", action="store_true", help=_DRY_RUN)
    report.add_argument("--exported", action="store_true", help=_EXPORTED)
    report.set_defaults(run=_report)


def add_view_arguments(command: argparse.ArgumentParser) -> None:
    """Add what decides about the views, whether a class is graded first or not."""
    command.add_argument("--late", type=Path, metavar="FILE", help=_LATE)
    command.add_argument("--roster", type=Path, metavar="FILE", help=_ROSTER)
    command.add_argument("--gradebook", metavar="DB", help=_GRADEBOOK)


def late_rules(path: Path | None) -> LateRules | None:
    """Read the rules in a TOML file; None where none was named."""
    from course_attention.grading.marking.kept_rules import read_toml

    return None if path is None else read_toml(path)


def _report(options: argparse.Namespace) -> int:
    follow(noted(options.results / COURSE_FILE))
    from course_attention.grading.run.report_class import report

    with errors_in_a_line():
        rules = late_rules(options.late)
        if options.dry_run:
            return _changes(options.results, rules)
        views = report(
            options.results,
            roster=options.roster,
            late_rules=rules,
            gradebook=options.gradebook,
            exporting=options.exported,
        )
    with telling():
        print(*views.lines, sep="\n")
    if views.not_judged:
        print(f"course-attention report: {views.not_judged} results {NOT_JUDGED}", file=sys.stderr)
    return INCOMPLETE if views.not_judged else 0


def _changes(results: Path, rules: LateRules | None) -> int:
    from course_attention.grading.run.report_class import changes
    from course_attention.grading.views.exports.changes import told

    def shown() -> Iterator[Change]:
        for one in changes(results, late_rules=rules):
            print(one)
            yield one

    print(f"{told(shown())} from those exported last; nothing was written")
    return 0
