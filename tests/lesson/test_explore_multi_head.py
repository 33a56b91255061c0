"""The explorer of heads follows what is typed."""

from __future__ import annotations

import pytest

from course_attention.experiments.multi_head.two_relations import train
from course_attention.lesson.explore_multi_head import type_a_sentence
from course_attention.mechanisms.multi_head import multi_head_attention


@pytest.fixture(scope="module")
def trained():
    return train(2, n_steps=5)


def test_follows_what_is_typed(trained):
    """Another sentence gives another picture; one that cannot be read leaves it, and says why."""
    text, note, image = type_a_sentence(trained).widget.children
    first = image.value
    text.value = "cats chase dogs"
    second = image.value
    assert second != first and note.value == ""
    for unread, reason in (("7 cats", "'7'"), ("", "got 0"), ("a " * 11, "got 11")):
        text.value = unread
        assert image.value == second and reason in note.value
    text.value = "one"
    assert image.value != second and note.value == ""


def test_passed_function_is_used(trained):
    """The weights shown are those of the function handed in."""
    calls = []

    def attend(*arguments):
        calls.append(arguments)
        return multi_head_attention(*arguments)

    type_a_sentence(trained, attend).draw("two words")
    assert [len(arguments[0]) for arguments in calls] == [6, 2]
