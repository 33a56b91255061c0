"""The option `--course DIR` of the commands that work on a course."""

from __future__ import annotations

import argparse
from pathlib import Path


def of_course() -> argparse.ArgumentParser:
    """A parser of this option alone, for the `parents` of a command's own."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument(
        "--course",
        type=Path,
        metavar="DIR",
        help="the folder of a course of your own; COURSE_ATTENTION_COURSE, else the package's course, unless given",
    )
    return parser
