"""The notebooks as the active course teaches them: along its route, without what it leaves out, and with its points.

Points stand with the exercise or in `course.toml`. The number in a check cell's metadata, which nbgrader reads, and the
one in the text are written from there.
"""

import ast
import json
import re
from pathlib import Path
from typing import Any

from course_attention.active_course import active, in_core

# The line below a notebook's title, which tools/study_time.py writes.
_TIME = re.compile(r"(\*\*Time:\*\* ).*The core, without the sections headed “Deeper”, takes (about [^.]*\.)")
# What only a check cell calls. What else it imports may be used further down.
_CHECKING = {"check", "hint", "points"}


def as_taught(path: Path) -> bytes:
    """Return the content of a course notebook as it is taught.

    Args:
        path: its file, of the package's own or of the author's.
    """
    content = path.read_bytes()
    course = active()
    if course.folder is None and course.settings.route == "full":
        return content
    from course_attention.exercises import CATALOGUE  # of which a course needs only the points

    notebook = json.loads(content)
    if course.settings.route == "core":
        notebook["cells"] = in_core(notebook["cells"])
    points = {name: entry.points for name, entry in CATALOGUE.items()}
    asked = next((t.exercises for t in course.topics if t.notebook == path.stem), ()) or tuple(points)
    cells = [_cell(cell, points, asked[0]) for cell in notebook["cells"]]
    notebook["cells"] = [cell for cell in cells if cell["source"]]
    return (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode()


def _cell(cell: dict[str, Any], points: dict[str, float], example: str) -> dict[str, Any]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return {**cell, "source": _text(source, points, example).splitlines(keepends=True)}
    about = cell["metadata"].get("nbgrader", {})
    name = str(about.get("grade_id", "")).removeprefix("check-")
    if name in active().left_out:
        source = f"from course_attention import {name}" if about.get("solution") else _other_imports(source)
        return {**cell, "metadata": {}, "source": source.splitlines(keepends=True), "outputs": []}
    if about.get("grade") and name in points:
        about = {**about, "points": points[name]}
        cell = {**cell, "metadata": {**cell["metadata"], "nbgrader": about}}
    return {**cell, "source": source.splitlines(keepends=True)}  # an author's file may hold it as one text


def _text(text: str, points: dict[str, float], example: str) -> str:
    if active().settings.route == "core":
        text = _TIME.sub(r"\1\2 The sections that the text calls “Deeper” are left out of this copy.", text)
    for name in active().left_out:
        given = f"**`{name}`** is given: the next code cell imports it"
        text = re.sub(rf"\*\*Exercise `{name}`\*\*[^\n]*? points?\b", given, text)
        text = text.replace(f'hint("{name}")', f'hint("{example}")')
    return re.sub(
        r"(\*\*Exercise `(\w+)`\*\*[^\n]*?) [\d.]+ points?\b",
        lambda found: f"{found[1]} {_in_words(points[found[2]])}" if found[2] in points else found[0],
        text,
    )


def _in_words(points: float) -> str:
    return "1 point" if points == 1 else f"{points:g} points"


def _other_imports(source: str) -> str:
    """Return the imports of a check cell without what only checks need."""
    kept = []
    for node in ast.parse(source).body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            node.names = [alias for alias in node.names if alias.name not in _CHECKING]
            kept += [ast.unparse(node)] if node.names else []
    return "\n".join(kept)
