"""The judge against answers written by others: right ones pass, wrong ones are named, at 100 seeds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from course_attention.exercises import CATALOGUE
from tests.answers import (
    EXTRA,
    ODD,
    RIGHT,
    RIGHT_VALUES,
    STUBS,
    VALUE_STUBS,
    WRONG,
    WRONG_NATURAL,
    WRONG_VALUES,
)

SEEDS = range(100)
CALLED = [name for name, exercise in CATALOGUE.items() if exercise.kind != "value"]
VALUES = [name for name, exercise in CATALOGUE.items() if exercise.kind == "value"]
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


@pytest.mark.parametrize(("exercise", "idea", "answer"), _params(WRONG))
def test_wrong_is_named(exercise: str, idea: str, answer: Callable) -> None:
    """A wrong answer fails under the name of its idea, at every seed."""
    for seed in SEEDS:
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


@pytest.mark.parametrize("exercise", CALLED)
@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: getattr(stub, "__name__", repr(stub)))
def test_stub_is_not_attempted(exercise: str, stub: object) -> None:
    """A stub is not attempted, rather than wrong."""
    assert CATALOGUE[exercise].judge(stub).status == "not_attempted"


@pytest.mark.parametrize("exercise", VALUES)
def test_numbers(exercise: str) -> None:
    """The right number passes in any type, the wrong ones fail, and a stub is not attempted."""
    judge = CATALOGUE[exercise].judge
    assert [judge(number).status for number in RIGHT_VALUES[exercise]] == ["passed"] * len(
        RIGHT_VALUES[exercise]
    )
    assert {judge(number).status for number, _ in WRONG_VALUES[exercise]} == {"failed"}
    assert {judge(stub).status for stub in VALUE_STUBS} == {"not_attempted"}
    assert judge("256").status == "failed" and judge(True).status == "failed"


@pytest.mark.parametrize("exercise", VALUES)
def test_wrong_numbers_are_named(exercise: str) -> None:
    """Each likely wrong number is named, and no number stands for two ideas."""
    numbers = [n for wrong in CATALOGUE[exercise].wrong_values.values() for n in wrong]
    assert len(set(numbers)) == len(numbers) and CATALOGUE[exercise].value not in numbers
    for name, wrong in CATALOGUE[exercise].wrong_values.items():
        assert {CATALOGUE[exercise].judge(number).misconception for number in wrong} == {name}
