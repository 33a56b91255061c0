"""Figures of a language model from inside: what stands in a cell can be read on it."""

from __future__ import annotations

import numpy as np

from course_attention.figures.drawing import luminance
from course_attention.figures.language_model import head_scores


def test_numbers_can_be_read():
    """Each number has the contrast with its cell that WCAG 2.2 asks for, 4.5, whatever the cell's shade."""
    grid = np.linspace(0, 1, 24).reshape(6, 4)
    (ax,) = head_scores({"share": grid}, "weight")
    image = ax.images[0]
    for text, number in zip(ax.texts, grid.flat, strict=True):
        cell, ink = luminance(image.cmap(image.norm(number))[:3]), {"white": 1.0, "black": 0.0}[text.get_color()]
        assert (max(cell, ink) + 0.05) / (min(cell, ink) + 0.05) > 4.5
