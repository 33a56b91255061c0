"""The answers of the made-up students are what they are said to be, where the students hand them in."""

from __future__ import annotations

import pytest

from course_attention.course.cells import asking_stems
from course_attention.exercises import CATALOGUE
from course_attention.grading.policy.forbidden import found_in
from course_attention.grading.simulation.known_answers import FORBIDDEN, RIGHT, known_answers
from course_attention.grading.simulation.slips import misspelt, returns_once
from tests.grading.simulation.namespace import defined

EVERY = 4  # so manyth exercise is looked at every day
EXERCISES = [pytest.param(stem, name, id=name) for stem in asking_stems() for name in known_answers(stem)]


def test_every_exercise() -> None:
    """Each exercise has two right answers or more, and two ways of being wrong or more, which its judge knows."""
    assert {name for stem in asking_stems() for name in known_answers(stem)} == set(CATALOGUE)
    for stem in asking_stems():
        for name, answers in known_answers(stem).items():
            wrong = {answer.kind for answer in answers if answer.is_wrong}
            assert sum(answer.kind == RIGHT for answer in answers) >= 2, name
            assert len(wrong) >= 2 and wrong <= set(CATALOGUE[name].exercise.misconception_ids), name


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        pytest.param(*one.values, id=one.id, marks=pytest.mark.exhaustive if number % EVERY else [])
        for number, one in enumerate(EXERCISES)
    ],
)
def test_right_and_misspelt(stem: str, name: str) -> None:
    """In its notebook, a right answer passes, and a misspelt one raises."""
    exercise, slipped_once = CATALOGUE[name], False
    for answer in known_answers(stem)[name]:
        if answer.kind != RIGHT:
            continue
        assert exercise.judge(defined(stem, name, answer.source), seed=0).status == "passed", answer.source
        if exercise.kind != "value" and returns_once(answer.source):
            slipped_once = True
            slipped = exercise.judge(defined(stem, name, misspelt(answer.source)), seed=0)
            assert slipped.status == "errored", answer.source
    assert slipped_once or exercise.kind in ("value", "test")  # a test returns at the first thing that is wrong


# Every day, tests/exercises judges these answers outside of their notebooks, and test_class_folder.py grades some.
@pytest.mark.exhaustive
@pytest.mark.parametrize(("stem", "name"), EXERCISES)
def test_wrong(stem: str, name: str) -> None:
    """In its notebook, a wrong answer is told its misconception, one answer of each."""
    first = {answer.kind: answer.source for answer in reversed(known_answers(stem)[name]) if answer.is_wrong}
    for kind, source in first.items():
        assert CATALOGUE[name].judge(defined(stem, name, source), seed=0).misconception == kind, source


@pytest.mark.parametrize(("stem", "name"), EXERCISES)
def test_forbidden(stem: str, name: str) -> None:
    """Those that are forbidden are found so, and no others."""
    for answer in known_answers(stem)[name]:
        assert bool(found_in(name, answer.source)) is (answer.kind == FORBIDDEN), answer.source
