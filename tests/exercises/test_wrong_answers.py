"""Wrong answers written by others are named by their idea."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from course_attention.exercises import CATALOGUE
from tests.answers import EXTRA, WRONG, WRONG_NATURAL

pytestmark = pytest.mark.slow

CALLED = [name for name, exercise in CATALOGUE.items() if exercise.kind != "value"]
# Three mistakes at once; it is told which property does not hold.
NOT_NAMED = {"natural__attention__softmax_over_everything__1"}


def _params(table: dict[str, dict[str, list[Callable]]]) -> list:
    return [
        pytest.param(exercise, idea, answer, id=answer.__name__)
        for exercise, ideas in table.items()
        for idea, answers in ideas.items()
        for answer in answers
        if answer.__name__ not in NOT_NAMED
    ]


@pytest.mark.parametrize(("exercise", "idea", "answer"), _params(WRONG))
def test_wrong_is_named(exercise: str, idea: str, answer: Callable) -> None:
    """A wrong answer fails under the name of its idea, at every seed; other ways to write it, at some."""
    first = answer is WRONG[exercise][idea][0]
    for seed in range(100 if first else 10):
        verdict = CATALOGUE[exercise].judge(answer, seed=seed)
        assert (verdict.status, verdict.misconception, seed) == ("failed", idea, seed)
        assert 0.0 <= verdict.score < 1.0


@pytest.mark.parametrize("exercise", CALLED)
def test_every_idea_is_tried(exercise: str) -> None:
    """No idea of the catalogue is without an answer that holds it and is named by it."""
    ideas = set(CATALOGUE[exercise].misconceptions) - set(WRONG[exercise])
    named = {CATALOGUE[exercise].judge(answer).misconception for _, _, answer in EXTRA[exercise]}
    assert ideas <= named


@pytest.mark.parametrize(("exercise", "idea", "answer"), _params(WRONG_NATURAL))
def test_two_mistakes(exercise: str, idea: str, answer: Callable) -> None:
    """An answer that also goes wrong where nothing is allowed is still told its idea."""
    for seed in range(10):
        verdict = CATALOGUE[exercise].judge(answer, seed=seed)
        assert (verdict.status, verdict.misconception) == ("failed", idea)


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        pytest.param(exercise, answer, id=answer.__name__)
        for exercise in CALLED
        for _, _, answer in EXTRA[exercise]
    ],
)
def test_other_mistakes_fail(exercise: str, answer: Callable) -> None:
    """Whatever else a beginner may write fails, with something said about it and a case to look at."""
    verdict = CATALOGUE[exercise].judge(answer)
    assert verdict.status in ("failed", "errored")
    assert verdict.idea and verdict.explanation and verdict.example is not None
