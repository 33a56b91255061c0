"""Numbers as answers, and answers not written yet."""

from __future__ import annotations

import pytest

from course_attention.exercises import CATALOGUE
from tests.answers import MODULE_STUBS, RIGHT_VALUES, STUBS, VALUE_STUBS, WRONG_VALUES

CALLED = [name for name, exercise in CATALOGUE.items() if exercise.kind != "value"]
VALUES = [name for name, exercise in CATALOGUE.items() if exercise.kind == "value"]


@pytest.mark.parametrize(
    ("exercise", "stub"),
    [
        pytest.param(name, stub, id=f"{name}-{getattr(stub, '__name__', stub)!s}")
        for name in CALLED
        for stub in (MODULE_STUBS if CATALOGUE[name].kind == "module" else STUBS)
    ],
)
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
    numbers = [n for wrong in CATALOGUE[exercise].exercise.wrong_values.values() for n in wrong]
    assert len(set(numbers)) == len(numbers) and CATALOGUE[exercise].exercise.value not in numbers
    for name, wrong in CATALOGUE[exercise].exercise.wrong_values.items():
        assert {CATALOGUE[exercise].judge(number).misconception for number in wrong} == {name}
