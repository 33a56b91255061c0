"""The explorer of attention computes what it is asked for, and follows its sliders."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_attention.lesson.explore_attention import QueryExplorer, move_query


@pytest.fixture(scope="module")
def explorer():
    return move_query()


def test_sliders_redraw():
    """Each of the three sliders changes the picture shown."""
    explorer = move_query()
    sliders, image = explorer.widget.children
    seen = [bytes(image.value)]
    for slider in sliders.children:
        slider.value = slider.value / 2
        seen.append(bytes(image.value))
    assert len(sliders.children) == 3
    assert len(set(seen)) == 4


def test_look_up(explorer):
    """Weights are the softmax of the scores, and the output is their average of the values."""
    scores, weights, output = explorer.look_up(1.0, -0.5, 2.0)
    assert np.allclose(scores, explorer.key @ [1.0, -0.5] / np.sqrt(2) / 2)
    assert np.allclose(weights, np.exp(scores) / np.exp(scores).sum())
    assert np.allclose(output, weights @ explorer.value)


def test_temperature(explorer):
    """Hot is near uniform, cold near a single key."""
    hot, cold = (explorer.look_up(2.0, 0.5, temperature)[1] for temperature in (10.0, 0.1))
    assert hot.max() < 0.3
    assert cold.max() > 0.99


def test_passed_function_is_used():
    """The weights shown are those of the function handed in."""

    def first_only(query, key, value):
        weights = torch.zeros(len(query), len(key), dtype=query.dtype)
        weights[:, 0] = 1
        return weights @ value, weights

    explorer = QueryExplorer(first_only)
    assert np.allclose(explorer.look_up(0.3, 0.3, 1.0)[2], explorer.value[0])
