"""The core of a notebook: all of it but the sections that are headed "Deeper: …", for those who take the core route.

A deeper section goes from its heading to the next heading of the same or a higher level. Nothing below it needs it.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from course_attention.active_course.settings import CourseError

_HEADING = re.compile(r"(#{1,6}) +(.*)")
_DEEPER = "Deeper:"


def in_core(cells: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the cells of a notebook that its core consists of.

    A cell of text in which a deeper section begins or ends keeps the part that belongs to the core.

    Args:
        cells: as JSON has them.

    Example:
        >>> text = ["# Masks", "A mask hides.\\n\\n## Deeper: windows", "### Width", "## Summary"]
        >>> [cell["source"] for cell in in_core({"cell_type": "markdown", "source": line} for line in text)]
        ['# Masks', 'A mask hides.\\n\\n', '## Summary']
    """
    kept = []
    deeper_than = 0  # the level of the heading of the deeper section that we are in, 0 in none
    for cell in cells:
        if cell["cell_type"] != "markdown":
            kept += [] if deeper_than else [cell]
            continue
        source = "".join(cell["source"])
        lines, is_code = [], False
        for line in source.splitlines(keepends=True):
            is_code ^= line.startswith("```")
            heading = None if is_code else _HEADING.match(line)
            if heading and (not deeper_than or len(heading[1]) <= deeper_than):
                deeper_than = len(heading[1]) if heading[2].startswith(_DEEPER) else 0
            lines += [] if deeper_than else [line]
        if text := "".join(lines):
            kept.append(cell if text == source else {**cell, "source": text})
    return kept


def asked_in(cells: Iterable[dict[str, Any]]) -> tuple[str, ...]:
    """Return the exercises and the practice that these cells ask, in their order."""
    asked = []
    for cell in cells:
        nbgrader, practice = cell["metadata"].get("nbgrader", {}), str(cell["metadata"].get("practice", ""))
        if nbgrader.get("solution"):
            asked.append(str(nbgrader["grade_id"]))
        elif practice and not practice.startswith("check-"):
            asked.append(practice)
    return tuple(asked)


def package_notebooks() -> Path:
    """Return the folder of the package's own notebooks: in it when it came as a wheel, and beside it in a clone.

    Raises:
        CourseError: they are in neither place.
    """
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "notebooks", package.parent / "notebooks"):
        if any(folder.glob("[0-9]*.ipynb")):
            return folder
    raise CourseError(f"no notebooks in {package} or beside it: install the course again")
