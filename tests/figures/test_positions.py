"""Figures of positions: numbers stand where they belong, on one scale, with named axes."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

from course_attention.figures import style
from course_attention.figures.positions import against_positions, clocks, encoding, position_view
from course_attention.figures.signed_heat_map import SIGNED_MAP


def test_encoding() -> None:
    """A row for each position, a column for each channel, white for 0, colours from −1 to 1, in the axes given."""
    values = np.linspace(-0.5, 0.5, 12).reshape(3, 4)
    _, ax = plt.subplots()
    assert encoding(values, ax, "t") is ax
    assert np.array_equal(ax.images[0].get_array(), values) and ax.images[0].get_clim() == (-1, 1)
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("channel", "position", "t")
    assert ax.images[0].get_cmap().name == SIGNED_MAP
    assert encoding(values, limit=0.5).images[0].get_clim() == (-0.5, 0.5)


def test_one_scale() -> None:
    """Matrices side by side share their scale of colours, and where there are negative numbers 0 is in its middle."""
    matrices = {"a": np.eye(2), "b": -3 * np.eye(2)}
    axes = against_positions(matrices, "score")
    assert {ax.images[0].get_clim() for ax in axes} == {(-3.0, 3.0)}
    assert {ax.images[0].get_cmap().name for ax in axes} == {SIGNED_MAP}
    axes = against_positions(matrices, "score", limits=(0, 2))
    assert {ax.images[0].get_clim() for ax in axes} == {(0, 2)}
    assert {ax.images[0].get_cmap().name for ax in axes} == {style.WEIGHTS_MAP}
    assert [ax.get_title() for ax in axes] == ["a", "b"]


def test_clocks() -> None:
    """Each clock has two hands from the centre, told apart by dashes and marker as well as by colour."""
    before, after = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([[1.0, 0.0], [0.0, -1.0]])
    axes = clocks(before, after, ["x", "y"], ("now", "later"))
    for ax, *hands in zip(axes, before, after, strict=True):
        assert [line.get_xydata().tolist() for line in ax.lines] == [[[0, 0], hand.tolist()] for hand in hands]
        assert len({(line.get_linestyle(), line.get_marker()) for line in ax.lines}) == 2
    assert [text.get_text() for text in axes[0].figure.legends[0].get_texts()] == ["now", "later"]


def test_view_marks_the_choice() -> None:
    """Points stand on the waves of the chosen pair at the chosen position; drawing again starts afresh."""
    rng = np.random.default_rng(0)
    values, similarity = rng.uniform(-1, 1, (6, 4)), rng.uniform(-1, 1, (2, 6))
    _, axes = plt.subplots(1, 3)
    for position, pair in ((1, 0), (4, 1)):
        position_view(values, position, pair, similarity, axes)
        points = [line.get_xydata()[0].tolist() for line in axes[1].lines if len(line.get_xdata()) == 1]
        assert points == [[position, values[position, 2 * pair]], [position, values[position, 2 * pair + 1]]]
        assert np.array_equal(axes[2].lines[1].get_ydata(), similarity[1])
    assert len(axes[0].images) == 1 and axes[0].images[0].get_cmap().name == SIGNED_MAP
