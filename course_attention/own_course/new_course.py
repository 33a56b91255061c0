"""Writes the beginning of a course of one's own, and of an exercise in it: small, complete, and right as it is.

The author goes on from there with `verify` at hand, which is green before the first change.
"""

import ast
import json
from pathlib import Path
from typing import Any

from course_attention.active_course import CourseError
from course_attention.active_course.settings import FILE
from course_attention.course.whole_files import write_whole

_TEMPLATE = Path(__file__).parent / "template"
NAME, STEM = "moving_average", "01_moving_average"  # of the template's exercise and its notebook
_IMPORTS = "import numpy as np\n\nfrom course_attention.lesson import check, hint, points, progress"


def new_course(folder: Path) -> list[Path]:
    """Write a course of one exercise; returns the files.

    Raises:
        CourseError: the folder is there and is not empty.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CourseError(f"a new course needs a folder that is not there yet, or empty; got {folder}")
    settings = folder / FILE
    write_whole(settings, (_TEMPLATE / FILE).read_bytes())
    return [settings, *new_exercise(folder, NAME, STEM)]


def new_exercise(folder: Path, name: str, stem: str) -> list[Path]:
    """Write an exercise, its text and its cells, at the end of a notebook of the author's or in a new one.

    Args:
        folder: of the course.
        name: of the exercise. What it asks is what the template asks, until the author changes it; a file of that name
            that is there already stays as it is.
        stem: of the notebook.

    Returns:
        The two files.

    Raises:
        CourseError: the name is no name of a function, or the notebook asks the exercise already.
    """
    if not name.isidentifier() or name.startswith("_") or "__" in name:
        raise CourseError(f"an exercise has the name of a function, without double underscores; got {name!r}")
    exercise, path = folder / "exercises" / f"{name}.py", folder / "notebooks" / f"{stem}.ipynb"
    template = (_TEMPLATE / "exercise.py").read_text(encoding="utf-8").replace(NAME, name)
    source = exercise.read_text(encoding="utf-8") if exercise.exists() else template
    notebook = json.loads(path.read_bytes()) if path.exists() else _new_notebook(name)
    if any(cell["metadata"].get("nbgrader", {}).get("grade_id") == name for cell in notebook["cells"]):
        raise CourseError(f"an exercise is asked once; {path} asks {name!r} already")
    notebook["cells"] += exercise_cells(name, _stub(source, name), points=2)
    write_whole(exercise, source.encode())
    write_whole(path, (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode())
    return [exercise, path]


def exercise_cells(name: str, stub: str, points: float) -> list[dict[str, Any]]:
    """Return the text, the answer cell and the check cell of an exercise, with the metadata that nbgrader reads."""
    about = {"schema_version": 3, "task": False}
    answer = {**about, "grade_id": name, "solution": True, "grade": False, "locked": False}
    check = {**about, "grade_id": f"check-{name}", "solution": False, "grade": True, "locked": True}
    worth = "1 point" if points == 1 else f"{points:g} points"
    facts = f"**Exercise `{name}`** · difficulty ●○○ · about 10 minutes · {worth}"
    text = f"## Build: {name}\n\n{facts}\n\nSay what is asked."
    judged = f'from course_attention.lesson import check, points\n\n{name} = check("{name}")\npoints("{name}")'
    return [
        {
            "cell_type": "markdown",
            "id": f"about-{name}",
            "metadata": {},
            "source": text.splitlines(keepends=True),
        },
        _code(name, stub, {"nbgrader": answer, "tags": ["raises-exception"]}),
        _code(f"check-{name}", judged, {"nbgrader": {**check, "points": points}}),
    ]


def _stub(source: str, name: str) -> str:
    """Return the head of the reference solution, with its docstring and nothing under it; of a number, nothing yet."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            end = node.body[0].end_lineno if ast.get_docstring(node) else node.body[0].lineno - 1
            head = source.splitlines()[node.lineno - 1 : end]
            return "\n".join([*head, "    raise NotImplementedError"])
    return f"{name} = None  # your answer"


def _new_notebook(name: str) -> dict[str, Any]:
    title = {
        "cell_type": "markdown",
        "id": "title",
        "metadata": {},
        "source": [f"# {name.replace('_', ' ').capitalize()}"],
    }
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    cells = [title, _code("imports", _IMPORTS, {})]
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def _code(id: str, source: str, metadata: dict[str, Any]) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": id,
        "metadata": metadata,
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }
