"""Tests of course/cells.py."""

from __future__ import annotations

import subprocess
import sys

import pytest

from course_attention.course.cells import course_notebook, course_stems
from course_attention.exercises import CATALOGUE
from course_attention.topics import TOPICS, Topic


@pytest.mark.parametrize("stem", course_stems())
def test_exercises(stem: str) -> None:
    """A notebook's exercises are the catalogue's, each worth the same, each with one answer and one check."""
    notebook = course_notebook(stem)
    asked = {name: exercise.points for name, exercise in CATALOGUE.items() if exercise.notebook == stem}
    for role in ("answer", "check"):
        assert {cell.name: cell.points for cell in notebook.cells if cell.role == role} == asked
    assert len(notebook.exercises) == len(asked)
    assert all(
        not cell.name and not cell.points for cell in notebook.cells if cell.role not in ("answer", "check", "practice")
    )


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.notebook)
def test_practice(topic: Topic) -> None:
    """A notebook's practice is the registry's, in its order, each with one cell to write in and one check below it."""
    cells = course_notebook(topic.notebook).cells
    names = [name for task in topic.practice for name in (task, f"check-{task}")]
    assert [cell.name for cell in cells if cell.role == "practice"] == names
    assert not any(cell.points for cell in cells if cell.role == "practice")


def test_roles() -> None:
    """Set-up is provided, what is tagged so is a demonstration, prose is text."""
    cells = course_notebook("02_queries_keys_values").cells
    assert [cell.role for cell in cells[:2]] == ["text", "provided"]
    assert next(cell for cell in cells if "show(" in cell.source).role == "demo"
    assert len({cell.id for cell in cells}) == len(cells)


def test_exercises_belong_to_one_notebook() -> None:
    """No two notebooks ask an exercise of one name, so that a file can be known by its exercises."""
    names = [name for stem in course_stems() for name in course_notebook(stem).exercises]
    assert len(names) == len(set(names))


def test_unknown() -> None:
    """A notebook that is none of the course's has no cells to go by."""
    assert course_notebook("homework") is None
    assert course_notebook("../02_queries_keys_values") is None


def test_light() -> None:
    """Reading submissions loads neither torch nor IPython nor nbformat: the grader starts at once."""
    code = (
        "import sys; from course_attention.grading.policy import copied\n"
        "from course_attention.grading.run.submission import execution_plan\n"
        "from course_attention.grading.reading import submissions\n"
        "assert {'torch', 'IPython', 'nbformat', 'numpy'}.isdisjoint(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
