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
    seen = [image.value]
    for _, slider in (box.children for box in sliders.children):
        slider.value = slider.value / 2
        seen.append(image.value)
    assert len(sliders.children) == 3
    assert len(set(seen)) == 4


def test_numbers_and_names():
    """Each slider stands behind a field with its name, and the two hold the same number, to two digits."""
    sliders, image = move_query().widget.children
    fields = {box.children[0].description: box.children for box in sliders.children}
    assert list(fields) == ["query x", "query y", "temperature"]
    field, slider = fields["temperature"]
    slider.value = 10**0.3
    assert field.value == 2.0
    before = image.value
    field.value = 0.5
    assert slider.value == 0.5
    assert image.value != before


def test_words(explorer):
    """The picture's words say what was chosen, and the weights that it shows."""
    sliders, image = move_query().widget.children
    sliders.children[0].children[1].value = -2.5
    assert 'alt="A query among five keys' in image.value
    weights = explorer.look_up(-2.5, 0.8, 1.0)[1]
    assert f"x -2.5, y 0.8, temperature 1. Weights: a {weights[0]:.2f}," in image.value


def test_axes_stay(explorer):
    """Whatever the sliders say, every axis has the same limits, and every score is within them."""
    limits = set()
    for x, y, temperature in (
        (1.0, 0.8, 1.0),
        (2.5, 2.5, 10**-0.5),
        (-2.5, -2.5, 10**-0.5),
        (0.0, 0.0, 10.0),
    ):
        explorer.draw(x, y, temperature)
        limits.add(tuple((ax.get_xlim(), ax.get_ylim()) for ax in explorer.axes))
        assert np.abs(explorer.look_up(x, y, temperature)[0]).max() < explorer.axes[1].get_xlim()[1]
    assert len(limits) == 1


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
