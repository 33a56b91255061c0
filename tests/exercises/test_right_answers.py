"""Right answers written by others pass at 100 seeds, in whatever style."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from course_attention.exercises import CATALOGUE
from tests.answers import ODD, RIGHT

pytestmark = pytest.mark.slow

SEEDS = range(100)
CALLED = [name for name, exercise in CATALOGUE.items() if exercise.kind != "value"]


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [pytest.param(exercise, answer, id=answer.__name__) for exercise in CALLED for answer in RIGHT[exercise]],
)
def test_right_passes(exercise: str, answer: Callable) -> None:
    """A right answer passes at every seed, in whatever style it is written."""
    for seed in SEEDS:
        verdict = CATALOGUE[exercise].judge(answer, seed=seed)
        assert (verdict.status, verdict.score) == ("passed", 1.0), (seed, verdict.message)


@pytest.mark.parametrize("exercise", CALLED)
def test_five_styles(exercise: str) -> None:
    """Each exercise has right answers in at least five styles to be tried with."""
    assert len(RIGHT[exercise]) >= 5


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [pytest.param(exercise, answer, id=note) for exercise in CALLED for answer, note in ODD[exercise]],
)
def test_odd_passes(exercise: str, answer: Callable) -> None:
    """A right answer that is odd in form passes all the same."""
    verdict = CATALOGUE[exercise].judge(answer)
    assert verdict.status == "passed", verdict.message
