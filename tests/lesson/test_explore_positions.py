"""The explorer of positions is one display of widgets, a picture and fixed text, and follows its sliders."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import torch

from course_attention.lesson.explore_positions import STILL, PositionExplorer, turn_positions

VIEW = "application/vnd.jupyter.widget-view+json"


@pytest.fixture(scope="module")
def explorer() -> PositionExplorer:
    return turn_positions()


def test_one_bundle(explorer: PositionExplorer) -> None:
    """Widgets, PNG and text come in one bundle."""
    bundle = explorer._repr_mimebundle_()
    assert set(bundle) == {VIEW, "image/png", "text/plain"} and bundle["text/plain"] == STILL


def test_without_widgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where ipywidgets is missing the picture and the text remain."""
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    assert set(turn_positions()._repr_mimebundle_()) == {"image/png", "text/plain"}


def test_sliders_redraw(explorer: PositionExplorer) -> None:
    """Each of the three sliders changes the picture shown."""
    sliders, image = explorer.widget.children
    seen = [bytes(image.value)]
    for slider, value in zip(sliders.children, (7, 9, 10.0), strict=True):
        slider.value = value
        seen.append(bytes(image.value))
    assert len(set(seen)) == 4


def test_look(explorer: PositionExplorer) -> None:
    """The similarity of a pair is the cosine of the angle between positions, that of all pairs their mean."""
    _, similarity = explorer.look(position=10, pair=2)
    frequency = 1e4 ** -(np.arange(16) / 16)
    cosines = np.cos((np.arange(64)[:, None] - 10) * frequency)
    np.testing.assert_allclose(similarity, [cosines[:, 2], cosines.mean(1)], atol=1e-5)


def test_passed_function_is_used() -> None:
    """What is shown is the encoding handed in."""
    values, _ = turn_positions(lambda n, d, base: torch.full((n, d), 0.5)).look(0, 0)
    assert (values == 0.5).all()
