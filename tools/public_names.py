"""Writes course_attention/__init__.pyi, from which editors and type checkers know the public helpers.

    python tools/public_names.py      (make new-exercise calls it)

The package loads its helpers on first use, which nobody who only reads it can follow. The stub imports each of them
from the module that holds it, so that its signature and docstring are found there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to work on this copy, also where another is installed

from course_attention.topics import TOPICS, Topic

STUB = Path(__file__).resolve().parents[1] / "course_attention" / "__init__.pyi"
HEAD = """\
# Written by tools/public_names.py from the registry: what __init__.py loads on first use, for those who only read it.
# ruff: noqa: I001 - in the order in which the helpers are taught

__version__: str
"""
END = """\
from course_attention.testing import judge as judge
"""


def stub(topics: Iterable[Topic]) -> str:
    """Return the stub's text: each public name, imported from the module that has it."""
    text = HEAD
    for topic in topics:
        if names := (*topic.exercises, *topic.helpers):
            lines = "".join(f"    {name} as {name},\n" for name in names)
            text += f"from course_attention.mechanisms.{topic.name} import (\n{lines})\n"
    return text + END


if __name__ == "__main__":
    STUB.write_text(stub(TOPICS), encoding="utf-8", newline="\n")
