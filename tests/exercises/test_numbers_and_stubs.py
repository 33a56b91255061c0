"""Numbers as answers, and answers not written yet."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F

from course_attention.answer_corpus.answer_value import value_of
from course_attention.execution.local import LocalRunner
from course_attention.exercises import CATALOGUE
from course_attention.judging.drawn_cases import drawn_cases
from tests.answer_objects import of_kind
from tests.corpus import stubs

CALLED = [name for name, exercise in CATALOGUE.items() if exercise.kind != "value"]
VALUES = [name for name, exercise in CATALOGUE.items() if exercise.kind == "value"]


@pytest.mark.parametrize(
    ("exercise", "stub"),
    [
        pytest.param(name, stub, id=f"{name}-{getattr(stub, '__name__', stub)!s}")
        for name in CALLED
        for stub in (stubs.MODULES if CATALOGUE[name].kind == "module" else stubs.FUNCTIONS)
    ],
)
def test_stub_is_not_attempted(exercise: str, stub: object) -> None:
    """A stub is not attempted, rather than wrong."""
    assert CATALOGUE[exercise].judge(stub).status == "not_attempted"


REPAIRED = [name for name in CALLED if CATALOGUE[name].exercise.given]


def _defined(name: str, source: str) -> object:
    names: dict[str, object] = {"torch": torch, "F": F}
    exec(source, names)  # as a notebook's cell does
    return names[name]


@pytest.mark.parametrize("exercise", REPAIRED)
def test_given_code_is_not_attempted(exercise: str) -> None:
    """Code that is to be repaired and was left as it stands is no attempt, whatever its comments say."""
    entry, head = CATALOGUE[exercise], CATALOGUE[exercise].exercise.given.strip().splitlines()[0]
    described = entry.exercise.given.replace(head, f'{head}  # to be repaired\n    """What it does."""\n\n')
    for source in (entry.exercise.given, described):
        assert entry.judge(_defined(exercise, source)).status == "not_attempted"


@pytest.mark.parametrize("exercise", REPAIRED)
def test_given_code_runs_and_is_wrong(exercise: str) -> None:
    """As soon as it is worked on it is judged: it then runs on the first case, and fails."""
    entry, head = CATALOGUE[exercise], CATALOGUE[exercise].exercise.given.strip().splitlines()[0]
    touched = _defined(exercise, entry.exercise.given.replace(head, f"{head}\n    touched = True"))
    verdict = entry.judge(touched)
    assert verdict.status == "failed" and verdict.misconception
    first = drawn_cases(entry.exercise, 0)[0]
    assert LocalRunner(touched).observe(first.case.call("cpu")).error is None


@pytest.mark.parametrize("exercise", VALUES)
def test_numbers(exercise: str) -> None:
    """The right number passes in any type, wrong ones fail with their idea or with none, a stub is not attempted."""
    judge = CATALOGUE[exercise].judge
    assert {judge(value_of(answer)).status for answer in of_kind(exercise, "right")} == {"passed"}
    wrong = of_kind(exercise, "wrong")
    assert [judge(value_of(answer)).misconception for answer in wrong] == [answer.idea for answer in wrong]
    extra = [judge(value_of(answer)) for answer in of_kind(exercise, "extra")]
    assert {(verdict.status, verdict.misconception) for verdict in extra} == {("failed", None)}
    assert {judge(stub).status for stub in stubs.VALUES} == {"not_attempted"}
    assert judge("256").status == "failed" and judge(True).status == "failed"


@pytest.mark.parametrize("exercise", VALUES)
def test_wrong_numbers_are_named(exercise: str) -> None:
    """Each likely wrong number is named, and no number stands for two ideas."""
    numbers = [n for idea in CATALOGUE[exercise].exercise.ideas.values() for n in idea.variants]
    assert len(set(numbers)) == len(numbers) and CATALOGUE[exercise].exercise.value not in numbers
    for name, idea in CATALOGUE[exercise].exercise.ideas.items():
        assert {CATALOGUE[exercise].judge(number).misconception for number in idea.variants} == {name}
