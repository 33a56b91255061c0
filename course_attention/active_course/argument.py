"""The option `--course DIR` of the commands that work on a course."""

import argparse
from pathlib import Path


def of_course() -> argparse.ArgumentParser:
    """Return a parser of this option alone, for the `parents` of a command's own."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument(
        "--course",
        type=Path,
        metavar="DIR",
        help="the folder of a course of your own; COURSE_ATTENTION_COURSE, else the package's course, unless given",
    )
    return parser
