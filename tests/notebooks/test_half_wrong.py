"""The notebooks half wrong: whatever stands in the answer cells, they run to their end and say what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from course_attention.exercises import CATALOGUE
from tests.answer_objects import by_idea, of_kind, value_of
from tests.notebooks.running import (
    NOTEBOOKS,
    answered,
    grade_id,
    points,
    read,
    run,
    verdict_text,
    verdicts,
    without_demos,
)

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]


def wrong_answers(name: str) -> list[tuple[str, str]]:
    """(idea, source) for each misconception of an exercise."""
    exercise = CATALOGUE[name]
    if exercise.kind == "value":
        return [
            (idea, f"{name} = {numbers[0]!r}") for idea, numbers in exercise.exercise.wrong_values.items()
        ]
    own = {exercise.judge(value_of(answer)).misconception: [answer] for answer in of_kind(name, "extra")}
    answers = {**own, **by_idea(name, "wrong")}
    return [(idea, answers[idea][0].cell) for idea in exercise.misconceptions if idea in answers]


def again(notebook: dict, name: str, sources: list[str]) -> list[dict]:
    """An exercise's answer cell and its check, once more for each of these answers."""
    pair = {"cells": [cell for cell in notebook["cells"] if grade_id(cell) in (name, f"check-{name}")]}
    rounds = [
        (i, cell) for i, source in enumerate(sources) for cell in answered(pair, {name: source})["cells"]
    ]
    return [{**cell, "id": f"{cell['id']}-{i}"} for i, cell in rounds]


def idea_shown(cell: dict) -> str:
    """The id of the idea that a check cell named."""
    text = verdict_text(cell)
    return text.split("[", 1)[1].split("]", 1)[0]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_misconception(path: Path, tmp_path: Path) -> None:
    """Wrong in every answer cell, the notebook runs to its end; each check names each idea that is put before it."""
    notebook = without_demos(read(path))
    names = [exercise.name for exercise in CATALOGUE.values() if exercise.notebook == path.stem]
    answers = {name: wrong_answers(name) for name in names}
    filled = answered(notebook, {name: answers[name][0][1] for name in names})
    more = [
        cell for name in names for cell in again(notebook, name, [source for _, source in answers[name][1:]])
    ]
    done = run({**filled, "cells": filled["cells"] + more}, tmp_path)
    first, rest = done["cells"][: len(notebook["cells"])], done["cells"][len(notebook["cells"]) :]
    for name in names:
        ideas = [idea for idea, _ in answers[name]]
        assert [idea_shown(cell) for cell in (*first, *rest) if grade_id(cell) == f"check-{name}"] == ideas
    assert all(0 <= earned < CATALOGUE[name].points for name, earned in points({"cells": first}).items())


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
