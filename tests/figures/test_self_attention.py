"""The drawings of self-attention show the numbers that they were given, and count the steps that they draw."""

from __future__ import annotations

import numpy as np
import pytest

from course_attention.figures.one_page import one_page
from course_attention.figures.self_attention import Context, moved_by_context, path_lengths
from course_attention.figures.word_map import word_map


def texts(ax) -> list[str]:
    return [text.get_text() for text in ax.texts]


def test_the_new_vector_is_the_weighted_sum():
    """Above the words stands the sum of their vectors with the given weights."""
    context = Context(["bank", "river"], np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0.2, 0.8]), moves=0)
    shown = texts(moved_by_context([context]))
    assert shown.count("0.8") == shown.count("0.2") == 2  # in the new vector, and on the arrows
    assert shown.count("bank") == 2 and shown.count("river") == 1


@pytest.mark.parametrize(("n", "kernel_size", "steps"), [(7, 5, [6, 3, 1]), (8, 3, [7, 7, 1]), (6, 5, [5, 3, 1])])
def test_steps_on_the_way(n, kernel_size, steps):
    """An RNN takes a step for each place, a convolution one for each half kernel, attention one."""
    shown = [text for text in texts(path_lengths("abcdefgh"[:n], kernel_size)) if "step" in text]
    assert [int(text.split()[0]) for text in shown] == steps


def test_the_way_has_as_many_arrows_as_steps():
    """The arrows on the way, which are coloured, are as many as the steps that are written above."""
    ax = path_lengths("abcdefg", 5)
    assert sum(text.arrow_patch is not None for text in ax.texts if hasattr(text, "arrow_patch")) == 6 + 3 + 1


def test_one_page_has_all_matrices():
    """Each matrix is there with its numbers, the scores and the three W as well, and each token has its word."""
    full = np.full
    matrices = full((3, 1), 5.0), full((3, 1), 6.0), full((3, 2), 8.0)
    projected = full((2, 1), 2.0), full((2, 1), 3.0), full((2, 2), 4.0)
    ax = one_page(
        full((2, 3), 1.0), matrices, projected, full((2, 2), 2.828), full((2, 2), 0.5), full((2, 2), 7.0), "ab"
    )
    counts = {"1": 6, "5": 3, "6": 3, "8": 6, "2": 2, "3": 2, "4": 4, "2.83": 4, ".5": 4, "7": 4, "a": 1, "b": 1}
    assert {text: texts(ax).count(text) for text in counts} == counts


def test_an_arrow_to_the_middle_of_each_group():
    """On the map, the word that moves has an arrow to the mean of its new places in each group of sentences."""
    groups = {name: ([name], np.array([[x, 1.0]])) for name, x in (("a", -1.0), ("b", 1.0))}
    ends = {"a": np.array([[-1.0, 0.0], [-1.0, 2.0]]), "b": np.array([[1.0, 1.0]])}
    ax = word_map(groups, np.zeros((1, 2)), "bank", np.zeros(2), ends)
    to = [text.xy for text in ax.texts if not text.get_text()]  # an arrow is an annotation without words
    assert np.allclose(to, [[-1, 1], [1, 1]]) and texts(ax).count("bank") == 1


def test_names_on_the_outer_sides():
    """On the map, the names of a group to the left of the word end left of it, and those to the right begin right."""
    groups = {name: ([name], np.array([[x, 1.0]])) for name, x in (("a", -1.0), ("b", 1.0))}
    ax = word_map(groups, np.zeros((1, 2)), "bank", np.zeros(2), {})
    at = {text.get_text(): (text.get_position()[0], text.get_ha()) for text in ax.texts}
    assert at["a"][0] < -1 and at["a"][1] == "right" and at["b"][0] > 1 and at["b"][1] == "left"
