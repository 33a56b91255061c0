"""Writes the answer key: the notebooks with the course's own helpers in the cells of answers and of practice."""

from pathlib import Path

from course_attention.course.cells import asking_stems
from course_attention.course.filling import Notebook, answered, as_bytes, blank, fill, practised
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
    """Make a course notebook with a helper's source in each cell that a student writes, and no outputs."""
    notebook = blank(stem)
    asked = (answered(cell) or practised(cell) for cell in notebook["cells"])
    fill(notebook, {name: own_source(name) for name in asked if name})
    return notebook
