"""The drawing of rotary positions turns as `rotary` does, and shows products that depend on the offset alone."""

from __future__ import annotations

import numpy as np
import torch

from course_attention import rotary
from course_attention.figures.rotary import turned


def test_products() -> None:
    """The product in a title is that of the turned vectors, and equal offsets have equal products."""
    query, key = np.array([0.6, 0.8]), np.array([0.0, 0.9])
    places = [(0, 0), (2, 1), (5, 4), (5, 1)]
    shown = [float(ax.get_title().split("= ")[1]) for ax in turned(query, key, places, angle=1.0)]
    expected = []
    for place in places:
        # a single pair turns by one radian a position
        vectors = torch.from_numpy(np.stack([query, key]))
        q, k = rotary(vectors, torch.tensor(place)).numpy()
        expected.append(round(float(q @ k), 2))
    assert shown == expected
    assert shown[1] == shown[2] != shown[3]


def test_names_follow_the_arrows() -> None:
    """The letters stand outside the circle, in the direction of the turned vectors."""
    (ax,) = turned(np.array([1.0, 0.0]), np.array([1.0, 0.0]), [(1, 2)], angle=np.pi / 2)
    at = {text.get_text(): text.get_position() for text in ax.texts}
    np.testing.assert_allclose(at["$q$"], (0, 1.17), atol=1e-9)
    np.testing.assert_allclose(at["$k$"], (-1.17, 0), atol=1e-9)
