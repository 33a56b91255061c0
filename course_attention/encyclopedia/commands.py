"""The command `course-attention explain`. What it needs loads as it runs."""

from __future__ import annotations

import argparse


def add_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to a parser's."""
    explain = commands.add_parser(
        "explain",
        help="say what is known of a misconception, such as mask-after-softmax",
        description="Prints what the course knows of a misconception: code that has it, the smallest case in which it "
        "matters, what one sees of it, and a test that finds it. A card shows the name of the one that it found.",
    )
    explain.add_argument("id", metavar="NAME")
    explain.set_defaults(run=_explain)


def _explain(options: argparse.Namespace) -> int:
    from course_attention.encyclopedia.page_text import page_text

    print(page_text(options.id))
    return 0
