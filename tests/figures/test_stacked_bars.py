"""Bars cut into shares."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from course_attention.figures.stacked_bars import stacked_bars


def test_shares():
    """Each bar has a height of 1, cut in proportion; parts differ in colour and hatch, and are named."""
    _, given = plt.subplots()
    ax = stacked_bars(["x", "y"], {"a": np.array([1, 3]), "b": np.array([3, 1])}, given, "title", "names")
    heights = np.array([bar.get_height() for bar in ax.patches]).reshape(2, 2)
    bottoms = np.array([bar.get_y() for bar in ax.patches]).reshape(2, 2)
    looks = {(bar.get_facecolor(), bar.get_hatch()) for bar in ax.patches}
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert ax is given
    assert np.allclose(heights, [[0.25, 0.75], [0.75, 0.25]])
    assert np.allclose(bottoms, [[0, 0], [0.25, 0.75]])
    assert len(looks) == 2 and names == ["a", "b"]
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == ("title", "names", "share")


def test_given_colours():
    """The parts have the colours that are given, in order."""
    ax = stacked_bars(["x"], {"a": np.array([1]), "b": np.array([3])}, colours=("#ff0000", "#0000ff"))
    assert [bar.get_facecolor() for bar in ax.patches] == [(1, 0, 0, 1), (0, 0, 1, 1)]
