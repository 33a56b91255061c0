"""Bars in groups."""

from __future__ import annotations

import numpy as np

from course_attention.figures.grouped_bars import grouped_bars


def test_bars_stand_in_their_groups() -> None:
    """Each bar has its height, stands nearest to its group's name, and meets none of its neighbours."""
    values = {"a": [0.1, 0.2, 0.3], "b": [0.4, 0.5, 0.6]}
    ax = grouped_bars(values, ["short", "long", "both"], title="what to see", y_label="accuracy", chance=0.5)
    assert [bar.get_height() for bar in ax.patches] == [*values["a"], *values["b"]]
    middles = np.array([bar.get_x() + bar.get_width() / 2 for bar in ax.patches]).reshape(2, 3)
    assert (middles.round() == [0, 1, 2]).all() and (middles[0] < middles[1]).all()
    assert (np.diff(np.sort(middles.ravel())) >= ax.patches[0].get_width() - 1e-9).all()
    assert ax.lines[0].get_ydata()[0] == 0.5 and ax.texts[0].get_text().strip() == "guessing"
    assert (ax.get_title(), ax.get_ylabel()) == ("what to see", "accuracy")


def test_names_are_told_apart_without_colour() -> None:
    """Neighbours differ in hatching; without `chance` there is no line."""
    ax = grouped_bars({"a": [1.0], "b": [1.0], "c": [1.0]}, ["one"])
    assert len({bar.get_hatch() for bar in ax.patches}) == 3
    assert not ax.lines and not ax.texts
