"""The notebooks half wrong: whatever stands in the answer cells, they run to their end and say what is wrong."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

import pytest

from course_attention.exercises import CATALOGUE
from tests.answers import EXTRA, WRONG
from tests.notebooks.running import (
    NOTEBOOKS,
    answered,
    grade_id,
    named,
    points,
    read,
    run,
    verdicts,
    without_demos,
)

pytestmark = pytest.mark.slow


def wrong_answers(name: str) -> list[tuple[str, str]]:
    """(idea, source) for each misconception of an exercise."""
    exercise = CATALOGUE[name]
    if exercise.kind == "value":
        return [(idea, f"{name} = {numbers[0]!r}") for idea, numbers in exercise.wrong_values.items()]
    own = {idea: [answer] for idea, _, answer in EXTRA[name] if exercise.judge(answer).misconception == idea}
    answers = {**own, **WRONG[name]}
    return [(idea, named(answers[idea][0], name)) for idea in exercise.misconceptions if idea in answers]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_misconception(path: Path, tmp_path: Path) -> None:
    """Each misconception in its answer cell, in as many rounds as it takes: all cells that are not mere
    demonstrations run, and each check names the idea."""
    notebook = without_demos(read(path))
    names = [exercise.name for exercise in CATALOGUE.values() if exercise.notebook == path.stem]
    for answers in zip_longest(*(wrong_answers(name) for name in names)):
        given = {name: answer for name, answer in zip(names, answers, strict=True) if answer is not None}
        done = run(answered(notebook, {name: source for name, (_, source) in given.items()}), tmp_path)
        shown, earned = verdicts(done), points(done)
        for name, (idea, _) in given.items():
            assert f"[{idea}]" in shown[name]
            assert 0 <= earned[name] < CATALOGUE[name].points


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_other_answer_wrong(path: Path, tmp_path: Path) -> None:
    """Every second answer wrong, the others still stubs, and the demonstrations that need nothing else."""
    notebook = without_demos(read(path))
    names = [exercise.name for exercise in CATALOGUE.values() if exercise.notebook == path.stem]
    wrong = {name: wrong_answers(name)[0][1] for name in names[::2]}
    done = run(answered(notebook, wrong), tmp_path)
    assert set(points(done)) == set(names)
    assert all(("not attempted" in text) is (name not in wrong) for name, text in verdicts(done).items())
    assert [cell for cell in notebook["cells"] if grade_id(cell)]
