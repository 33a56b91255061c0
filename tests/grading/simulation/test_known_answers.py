"""The answers of the made-up students are what they are said to be."""

from __future__ import annotations

import pytest

from course_attention.course.cells import course_stems
from course_attention.exercises import CATALOGUE
from course_attention.grading.policy.forbidden import found_in
from course_attention.grading.simulation.known_answers import FORBIDDEN, RIGHT, known_answers
from course_attention.grading.simulation.slips import misspelt
from tests.grading.simulation.namespace import defined

SEEDS = (0, 20_26)
EXERCISES = [pytest.param(stem, name, id=name) for stem in course_stems() for name in known_answers(stem)]


def test_every_exercise() -> None:
    """Each exercise has two right answers or more, and two to four ways of being wrong, which its judge knows."""
    assert {name for stem in course_stems() for name in known_answers(stem)} == set(CATALOGUE)
    for stem in course_stems():
        for name, answers in known_answers(stem).items():
            wrong = {answer.kind for answer in answers if answer.is_wrong}
            assert sum(answer.kind == RIGHT for answer in answers) >= 2, name
            assert 2 <= len(wrong) <= 4 and wrong <= set(CATALOGUE[name].misconceptions), name


@pytest.mark.parametrize(("stem", "name"), EXERCISES)
def test_truth(stem: str, name: str) -> None:
    """Right answers pass, wrong ones are told their misconception, whatever the seed; a misspelt one raises."""
    exercise, answers = CATALOGUE[name], known_answers(stem)[name]
    for answer in answers:
        if answer.kind == FORBIDDEN:
            continue
        for seed in SEEDS:
            verdict = exercise.judge(defined(stem, name, answer.source), seed=seed)
            expected = ("passed", None) if answer.kind == RIGHT else ("failed", answer.kind)
            assert (verdict.status, verdict.misconception) == expected, answer.source
    if exercise.kind != "value":
        assert exercise.judge(defined(stem, name, misspelt(answers[0].source)), seed=0).status == "errored"


@pytest.mark.parametrize(("stem", "name"), EXERCISES)
def test_forbidden(stem: str, name: str) -> None:
    """Those that are forbidden are found so, and no others."""
    for answer in known_answers(stem)[name]:
        assert bool(found_in(name, answer.source)) is (answer.kind == FORBIDDEN), answer.source
