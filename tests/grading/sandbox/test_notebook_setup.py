"""What a notebook's process is told: no helper of an exercise that is still to be judged."""

from __future__ import annotations

import ast

import pytest

from course_attention.course.cells import asking_stems, course_notebook
from course_attention.grading.sandbox.notebook_setup import adoption, notebook_setup


@pytest.mark.parametrize("stem", asking_stems())
def test_only_helpers_of_judged_exercises_travel(stem: str) -> None:
    """Each helper comes with those that it uses, but with none that is still asked for; the setup has none at all."""
    notebook = course_notebook(stem)
    for free in notebook_setup(notebook)["free"]:
        assert not _defined(free["source"]).intersection(notebook.exercises)
    for place, name in enumerate(notebook.exercises):
        judged = notebook.exercises[: place + 1]
        defined = _defined(adoption(name, judged)["source"])
        assert name in defined and not defined.intersection(notebook.exercises[place + 1 :])


@pytest.mark.parametrize("stem", asking_stems())
def test_what_is_withheld(stem: str) -> None:
    """All exercises of the notebook and of the later ones are withheld, and no module of theirs is imported."""
    setup = notebook_setup(course_notebook(stem))
    withheld = {name for names in setup["withheld"].values() for name in names}
    later = asking_stems()[asking_stems().index(stem) :]
    assert withheld.issuperset(name for one in later for name in course_notebook(one).exercises)
    assert not {f"course_attention.mechanisms.{topic}" for topic in setup["withheld"]}.intersection(setup["imports"])


def _defined(source: str) -> set[str]:
    nodes = list(ast.walk(ast.parse(source)))
    names = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    return names | {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
