"""The explorer of positions computes what it is asked for, and follows its sliders."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_attention.lesson.explore_positions import PositionExplorer, turn_positions


@pytest.fixture(scope="module")
def explorer() -> PositionExplorer:
    return turn_positions()


def test_sliders_redraw(explorer: PositionExplorer) -> None:
    """Each of the three sliders changes the picture shown."""
    sliders, image = explorer.widget.children
    seen = [image.value]
    for box, value in zip(sliders.children, (7, 9, 10.0), strict=True):
        box.children[-1].value = value
        seen.append(image.value)
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
