"""Writes the answer key: the notebooks with the course's own helpers in their answer cells."""

from pathlib import Path

from course_attention.course.cells import asking_stems
from course_attention.course.filling import Notebook, answered, as_bytes, blank, fill
from course_attention.course.helper_source import own_source


def write_answer_key(folder: Path) -> list[Path]:
    """Write every notebook of the course, solved.

    Args:
        folder: where they go; made when it is not there.

    Returns:
        The files, in the course's order.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{stem}.ipynb" for stem in asking_stems()]
    for path in paths:
        path.write_bytes(as_bytes(solved(path.stem)))
    return paths


def solved(stem: str) -> Notebook:
    """Make a course notebook with a helper's source in each answer cell, and no outputs."""
    notebook = blank(stem)
    fill(notebook, {name: own_source(name) for cell in notebook["cells"] if (name := answered(cell))})
    return notebook
