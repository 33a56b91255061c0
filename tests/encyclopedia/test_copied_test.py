"""The test that a page offers fails for the code with the mistake, and passes for right code."""

from __future__ import annotations

import pytest

from course_attention.encyclopedia.copied_test import copied_test
from course_attention.encyclopedia.entries import entries
from course_attention.encyclopedia.entry_verdict import value_of
from course_attention.encyclopedia.mistaken_code import mistaken_code
from course_attention.exercises import CATALOGUE


def ids_with_code() -> list[str]:
    """Return the entries of which code is shown, and no number. Choosing the code takes seconds, so no import does."""
    return [id for id in entries() if CATALOGUE[mistaken_code(id).exercise].kind != "value"]


def outcome(id: str, answer: object) -> str:
    """Run the test of an entry on a function, as somebody would who has pasted it; returns the error's type, or ""."""
    name = mistaken_code(id).exercise
    names = {f"your_{name}": answer}
    exec(copied_test(id), names)
    try:
        names[f"test_{name}"]()
    except Exception as error:  # noqa: BLE001 - wrong code may raise whatever it likes
        return type(error).__name__
    return ""


def check(id: str) -> None:
    code = mistaken_code(id)
    assert outcome(id, value_of(code.right)) == "", f"{id}: right code does not pass\n{copied_test(id)}"
    assert outcome(id, value_of(code.answer)) != "", f"{id}: the mistake passes\n{copied_test(id)}"


def test_it_tells_right_from_wrong():
    """A sample of them."""
    for id in ids_with_code()[::15]:
        check(id)


@pytest.mark.exhaustive
@pytest.mark.slow
def test_each_tells_right_from_wrong():
    """All of them."""
    for id in ids_with_code():
        check(id)


def test_it_needs_torch_alone():
    """Where the smallest case is small, the test holds it and does not ask the judge."""
    assert "course_attention" not in copied_test("no-scale")
    assert len(copied_test("no-scale").split("def ")[1].splitlines()) == 3


def test_a_number_has_none():
    """For a number that is worked out by hand there is nothing to copy."""
    assert copied_test("score-vector-forgotten") == ""
