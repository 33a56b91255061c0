"""`course-attention attempts FOLDER`: what the attempts of a class say about its exercises, in a terminal."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from course_attention.grading.attempts.figures import AfterMistake, OfExercise

HEAD = f"{'exercise':<30}{'tried':>7}{'passed':>8}{'attempts':>10}{'tells apart':>13}"
LEGEND = (
    "attempts: the mean number of checks until it passed, over those who passed.",
    "tells apart: the rank correlation, from -1 to 1, between how few attempts a student needed here and in the other",
    "exercises. Near 0, the exercise says nothing about who is quick elsewhere. – where fewer than 8 students tried.",
)
LIMITS = (
    "Only what students handed in of their own will is counted. The figures describe these students and these checks.",
    "Named mistakes may be easier to mend than unnamed ones, so the difference does not say what naming them does.",
)


def add_attempts_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `attempts` to a parser's commands."""
    command = commands.add_parser(
        "attempts",
        help="what the attempts of a class say about its exercises",
        description="Reads the files attempts.csv that students handed in of their own will, and prints, by exercise, "
        "how many attempts it took and how well it tells students apart, and what followed a mistake that was named.",
    )
    command.add_argument("folder", type=Path, metavar="FOLDER", help="with a CSV file for each student")
    command.set_defaults(run=_attempts)


def _attempts(options: argparse.Namespace) -> int:
    from course_attention.grading.attempts.counts import counts
    from course_attention.grading.attempts.figures import after_mistakes, of_exercises
    from course_attention.grading.attempts.reading import read_class

    found = counts(read_class(options.folder))
    count = len(found.students)
    print(f"{count} student{'' if count == 1 else 's'}\n")
    print(
        "\n".join([HEAD, *map(line, of_exercises(found)), "", *LEGEND, "", *told(after_mistakes(found)), "", *LIMITS])
    )
    return 0


def line(one: OfExercise) -> str:
    """Return the line of an exercise."""
    attempts = "–" if one.attempts is None else f"{one.attempts:.2f}"
    apart = "–" if one.tells_apart is None else f"{one.tells_apart:+.2f}"
    return f"{one.name:<30}{one.tried:>7}{one.passed:>8}{attempts:>10}{apart:>13}"


def told(after: AfterMistake) -> Iterator[str]:
    """Yield what followed a mistake, in lines."""
    for kind, checks, share in zip(("named", "did not name"), after.checks, after.share, strict=True):
        said = f"the next check passed in {share:.0%}" if checks else "there was no next check"
        yield f"After a card that {kind} the mistake, {said} ({checks} checks)."
    if after.difference is None or after.interval is None:
        yield "No exercise has both, so they cannot be compared."
        return
    low, high = (f"{100 * end:+.0f}" for end in after.interval)
    yield (
        f"Within the same exercise the difference is {100 * after.difference:+.0f} percentage points. In 95 % of "
        f"classes that are drawn from these students it lies from {low} to {high}."
    )
