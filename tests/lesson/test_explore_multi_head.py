"""The explorer of heads follows what is typed."""

from __future__ import annotations

import html

import torch

from course_attention.lesson.explore_multi_head import type_a_sentence
from course_attention.presentation.display import status_line


def looks_alike(x):
    """Two heads without any training: one attends by all channels, one evenly."""
    weights = torch.stack([x @ x.mT, torch.zeros(len(x), len(x))]).softmax(dim=-1)
    return weights @ x, weights


def test_follows_what_is_typed():
    """Another sentence gives another picture; one that cannot be read leaves it, and says why."""
    text, note, image = type_a_sentence(looks_alike).widget.children
    first = image.value
    text.value = "cats chase dogs"
    second = image.value
    assert second != first and note.value == status_line("")
    for unread, reason in (("7 cats", "'7'"), ("", "got 0"), ("a " * 11, "got 11")):
        text.value = unread
        assert image.value == second and reason in html.unescape(note.value)
    text.value = "one"
    assert image.value != second and note.value == status_line("")


def test_passed_model_is_used():
    """The weights shown are those of the model handed in, which reads every typed word."""
    read = []

    def model(x):
        read.append(x)
        return looks_alike(x)

    explorer = type_a_sentence(model)
    assert {len(x) for x in read} == {6}  # for the still picture, and for its words
    explorer.draw("two words")
    assert len(read[-1]) == 2
