"""What is asked of the judge for every exercise: right answers pass, wrong ones are told their idea.

The answers were written by others, from the contract alone. A test's id begins with its exercise: `tests/conftest.py`
gives the tests of one exercise to one worker, so that workers share this file and prepare an exercise's cases once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import pytest

from course_attention.answer_corpus.answer_value import value_of
from course_attention.answer_corpus.corpus_answer import Answer
from course_attention.exercises import CATALOGUE
from course_attention.judging.verdict import Verdict
from tests.answer_objects import by_idea, of_kind
from tests.exercises.headline import contradiction

STYLES = 5  # so many right answers, and one wrong one of each idea, are judged at all seeds, the others at some
FEW = 4  # of the other mistakes, each so manyth every day: `make mutants` tries thousands of their kind
# The exercises that are answered by a function or a class.
CALLED = [name for name, entry in CATALOGUE.items() if entry.kind != "value"]

pytestmark = pytest.mark.slow


def _right(name: str) -> Iterator[Any]:
    for number, answer in enumerate(of_kind(name, "right")):
        yield pytest.param(name, answer, number < STYLES, id=f"{name}-{answer.label}")


def _wrong(name: str) -> Iterator[Any]:
    """Every day one answer of each idea; the others say the same idea in other words."""
    for idea, answers in by_idea(name, "wrong").items():
        for number, answer in enumerate(answers):
            marks = [pytest.mark.exhaustive] if number else []
            yield pytest.param(name, idea, answer, not number, id=f"{name}-{answer.label}", marks=marks)


def _odd(name: str) -> Iterator[Any]:
    for answer in of_kind(name, "odd"):
        yield pytest.param(name, answer, id=f"{name}: {answer.note or answer.idea}")


def _extra(name: str) -> Iterator[Any]:
    for number, answer in enumerate(of_kind(name, "extra")):
        marks = [pytest.mark.exhaustive] if number % FEW else []
        yield pytest.param(name, number, id=f"{name}-{answer.label}", marks=marks)


ASKED = {
    "test_right_passes": ("name, answer, often", _right),
    "test_five_styles": ("name", lambda name: [name]),
    "test_odd_passes": ("name, answer", _odd),
    "test_wrong_is_named": ("name, idea, answer, often", _wrong),
    "test_every_idea_is_tried": ("name", lambda name: [name]),
    "test_other_mistakes_fail": ("name, number", _extra),
}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Ask each test once for every answer that it is about."""
    if metafunc.function.__name__ in ASKED:
        arguments, params = ASKED[metafunc.function.__name__]
        metafunc.parametrize(arguments, [p for name in CALLED for p in params(name)])


def test_right_passes(
    name: str, answer: Answer, often: bool, seeds: int, some_seeds: Callable[[str], Sequence[int]], device: str
) -> None:
    """A right answer passes at every seed, in whatever style it is written."""
    for seed in range(seeds) if often else some_seeds(answer.name):
        verdict = CATALOGUE[name].judge(value_of(answer), seed=seed, device=device)
        assert (verdict.status, verdict.score) == ("passed", 1.0), (seed, verdict.message)


def test_five_styles(name: str) -> None:
    """Each exercise has right answers in at least five styles to be tried with."""
    assert len(of_kind(name, "right")) >= STYLES


def test_odd_passes(name: str, answer: Answer, device: str) -> None:
    """A right answer that is odd in form passes all the same."""
    verdict = CATALOGUE[name].judge(value_of(answer), device=device)
    assert verdict.status == "passed", verdict.message


def test_wrong_is_named(
    name: str,
    idea: str,
    answer: Answer,
    often: bool,
    seeds: int,
    some_seeds: Callable[[str], Sequence[int]],
    device: str,
) -> None:
    """A wrong answer fails under the name of its idea and of no other, at every seed."""
    for seed in range(seeds) if often else some_seeds(answer.name):
        verdict = CATALOGUE[name].judge(value_of(answer), seed=seed, device=device)
        assert (verdict.status, verdict.misconception, seed) == ("failed", idea, seed)
        assert 0.0 <= verdict.score < 1.0
        assert contradiction(CATALOGUE[name], verdict, seed) == ""


@cache
def _verdict_on_extra(name: str, number: int) -> Verdict:
    """Judged once, for the two tests that ask."""
    return CATALOGUE[name].judge(value_of(of_kind(name, "extra")[number]))


@pytest.mark.exhaustive  # every day each variant is named as itself, in test_misconceptions.py
def test_every_idea_is_tried(name: str) -> None:
    """No idea of the catalogue is without an answer that holds it and is named by it."""
    missing = set(CATALOGUE[name].exercise.misconception_ids) - set(by_idea(name, "wrong"))
    for number in range(len(of_kind(name, "extra"))):
        if not missing:
            break
        missing.discard(_verdict_on_extra(name, number).misconception)
    assert not missing


def test_other_mistakes_fail(name: str, number: int) -> None:
    """Whatever else a beginner may write fails, with something said about it and a case to look at."""
    verdict = _verdict_on_extra(name, number)
    assert verdict.status in ("failed", "errored")
    assert verdict.idea and verdict.explanation and verdict.example is not None
    assert contradiction(CATALOGUE[name], verdict, 0) == ""
