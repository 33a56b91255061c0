"""What happens to a notebook on the way does not change what is read of it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from random import Random

import pytest

from course_attention.course.cells import asking_stems, course_notebook
from course_attention.course.filling import answered, as_bytes, blank, fill
from course_attention.grading.reading.submitted_notebook import read_submission
from course_attention.grading.simulation.known_answers import known_answers
from course_attention.grading.simulation.oddities import ODDITIES


def same_code(source: str) -> str:
    return ast.dump(ast.parse(source))


@pytest.mark.parametrize("oddity", ODDITIES, ids=lambda oddity: oddity.__name__)
def test_answers_survive(oddity: Callable) -> None:
    """The answers read are those written; the file is another one."""
    changed = 0
    for number, stem in enumerate(asking_stems()):
        random = Random(number)
        sources = {name: random.choice(answers).source for name, answers in known_answers(stem).items()}
        notebook = blank(stem)
        fill(notebook, sources)
        before = as_bytes(notebook)
        oddity(notebook, random)
        changed += as_bytes(notebook) != before
        read = read_submission(as_bytes(notebook), course_notebook(stem)).answers
        assert {name: same_code(source) for name, source in read.items()} == {
            name: same_code(source) for name, source in sources.items()
        }
    assert changed >= len(asking_stems()) / 2


@pytest.mark.parametrize("oddity", ODDITIES, ids=lambda oddity: oddity.__name__)
def test_nothing_left_of_the_answers(oddity: Callable) -> None:
    """A student may have deleted every answer cell; what happens to the notebook after that breaks nothing."""
    stem = asking_stems()[0]
    notebook = blank(stem)
    notebook["cells"] = [cell for cell in notebook["cells"] if not answered(cell)]
    oddity(notebook, Random(0))
    assert read_submission(as_bytes(notebook), course_notebook(stem)).answers == {}
