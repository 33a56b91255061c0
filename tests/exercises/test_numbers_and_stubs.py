"""Numbers as answers, and answers not written yet."""

from __future__ import annotations

import pytest

from course_attention.exercises import CATALOGUE
from tests.answer_objects import of_kind, value_of
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
    numbers = [n for wrong in CATALOGUE[exercise].exercise.wrong_values.values() for n in wrong]
    assert len(set(numbers)) == len(numbers) and CATALOGUE[exercise].exercise.value not in numbers
    for name, wrong in CATALOGUE[exercise].exercise.wrong_values.items():
        assert {CATALOGUE[exercise].judge(number).misconception for number in wrong} == {name}
