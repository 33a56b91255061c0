"""The drawings of self-attention show the numbers that they were given, and count the steps that they draw."""

from __future__ import annotations

import numpy as np
import pytest

from course_attention.figures.self_attention import Context, moved_by_context, one_page, path_lengths


def texts(ax) -> list[str]:
    return [text.get_text() for text in ax.texts]


def test_the_new_vector_is_the_weighted_sum():
    """Above the words stands the sum of their vectors with the given weights."""
    context = Context(["bank", "river"], np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([0.2, 0.8]), moves=0)
    shown = texts(moved_by_context([context]))
    assert shown.count("0.8") == shown.count("0.2") == 1
    assert shown.count("bank") == 2 and shown.count("river") == 1


@pytest.mark.parametrize(("n", "kernel_size", "steps"), [(7, 5, [6, 3, 1]), (8, 3, [7, 7, 1]), (6, 5, [5, 3, 1])])
def test_steps_on_the_way(n, kernel_size, steps):
    """An RNN takes a step for each place, a convolution one for each half kernel, attention one."""
    shown = [text for text in texts(path_lengths("abcdefgh"[:n], kernel_size)) if "step" in text]
    assert [int(text.split()[0]) for text in shown] == steps


def test_one_page_has_all_matrices():
    """Each matrix stands there with its numbers, each token with its word."""
    x, query, key, value = (
        np.full((2, 3), 1.0),
        np.full((2, 1), 2.0),
        np.full((2, 1), 3.0),
        np.full((2, 2), 4.0),
    )
    shown = texts(one_page(x, query, key, value, np.full((2, 2), 0.5), np.full((2, 2), 7.0), ["a", "b"]))
    counts = {"1": 6, "2": 2, "3": 2, "4": 4, ".50": 4, "7": 4, "a": 1, "b": 1}
    assert {text: shown.count(text) for text in counts} == counts
