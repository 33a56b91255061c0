"""The notebooks half wrong: whatever stands in the answer cells, they run to their end and say what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from course_attention.answer_corpus.answer_value import value_of
from course_attention.exercises import CATALOGUE
from tests.answer_objects import by_idea, of_kind
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
        return [(id, f"{name} = {idea.variants[0]!r}") for id, idea in exercise.exercise.ideas.items()]
    own = {exercise.judge(value_of(answer)).misconception: [answer] for answer in of_kind(name, "extra")}
    answers = {**own, **by_idea(name, "wrong")}
    return [(idea, answers[idea][0].cell) for idea in exercise.exercise.misconception_ids if idea in answers]


def again(notebook: dict, name: str, sources: list[str]) -> list[dict]:
    """Return an exercise's answer cell and its check, once more for each of these answers."""
    pair = {"cells": [cell for cell in notebook["cells"] if grade_id(cell) in (name, f"check-{name}")]}
    rounds = [(i, cell) for i, source in enumerate(sources) for cell in answered(pair, {name: source})["cells"]]
    return [{**cell, "id": f"{cell['id']}-{i}"} for i, cell in rounds]


def idea_shown(cell: dict) -> str:
    """Return the id of the idea that a check cell named."""
    text = verdict_text(cell)
    return text.split("[", 1)[1].split("]", 1)[0]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_half_wrong(path: Path, tmp_path: Path) -> None:
    """Every second answer wrong and the others still stubs, the notebook runs to its end and says so.

    Then each misconception stands in its answer cell once, and its check names it.
    """
    notebook = without_demos(read(path))
    names = [exercise.name for exercise in CATALOGUE.values() if exercise.notebook == path.stem]
    ideas = {name: [idea for idea, _ in wrong_answers(name)] for name in names}
    sources = {name: [source for _, source in wrong_answers(name)] for name in names}
    wrong = {name: sources[name].pop(0) for name in names[::2]}
    filled = answered(notebook, wrong)
    more = [cell for name in names for cell in again(notebook, name, sources[name])]
    done = run({**filled, "cells": filled["cells"] + more}, tmp_path)
    first, rest = done["cells"][: len(notebook["cells"])], done["cells"][len(notebook["cells"]) :]

    said, earned = verdicts({"cells": first}), points({"cells": first})
    assert set(earned) == set(names)
    assert all(("not attempted" in text) is (name not in wrong) for name, text in said.items())
    assert all(0 <= earned[name] < CATALOGUE[name].points for name in names)
    for name in names:
        tried = [cell for cell in (*first, *rest) if grade_id(cell) == f"check-{name}"]
        assert [idea_shown(cell) for cell in tried[name not in wrong :]] == ideas[name]
