"""Panels of measurements and of losses, one line per setting."""

from __future__ import annotations

import numpy as np

from course_attention.figures.scaling import against_d_key, losses


def test_panels():
    """One panel per quantity, named on its axis, under its title; d_key is on the other, logarithmic where asked."""
    values = {"scaled": np.ones((2, 3)), "not scaled": np.full((2, 3), 4.0)}
    axes = against_d_key(np.array([1, 2, 4]), {"variance": values, "entropy": values}, ("variance",), ("a", "b"))
    assert [ax.get_ylabel() for ax in axes] == ["variance", "entropy"]
    assert [ax.get_title() for ax in axes] == ["a", "b"]
    assert [ax.get_yscale() for ax in axes] == ["log", "linear"]
    assert {ax.get_xlabel() for ax in axes} == {"d_key"}


def test_losses_are_smoothed():
    """Five steps become one point, in the middle of its seeds."""
    loss = np.array([[1.0, 2, 3, 4, 5, 9, 9, 9, 9, 9], [3.0, 4, 5, 6, 7, 9, 9, 9, 9, 9]])
    (ax,) = losses({"d_key = 8": {"scaled": loss}})
    line = next(line for line in ax.lines if line.get_label() == "scaled")
    assert np.allclose(line.get_ydata(), [4.0, 9.0])
