"""What all figures promise: they draw where they are told, and refuse arrays that do not fit, with the sizes."""

from __future__ import annotations

import re
from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes

from course_attention.figures.alignment import alignment
from course_attention.figures.complexity import Cost, layer_map, roofline
from course_attention.figures.curves import curves
from course_attention.figures.dot_plot import dot_plot
from course_attention.figures.heads import channels_by_head
from course_attention.figures.influence import compare, influence_map
from course_attention.figures.log_log import memory_limit, power_laws
from course_attention.figures.lookup_map import largest_weights, lookup_map
from course_attention.figures.mask_graph import mask_graph
from course_attention.figures.matrices import Box, equation
from course_attention.figures.positions import encoding
from course_attention.figures.regression import error_against_width
from course_attention.figures.seq2seq import decoder_steps
from course_attention.figures.signed_heat_map import signed_heat_map
from course_attention.figures.stacked_bars import stacked_bars

ONE, TWO = np.array([1.0]), np.array([1.0, 2.0])
SQUARE = np.eye(2, dtype=bool)
SINGLE: list[Callable[[Axes], Axes]] = [
    lambda ax: alignment(SQUARE, "ab", "ab", ax),
    lambda ax: curves(TWO, {"a": TWO}, ax),
    lambda ax: layer_map({"a": Cost(1, 1, 1)}, "a", ax),
    lambda ax: roofline(2.0, 1.0, {"a": (1.0, 1.0)}, ax),
    lambda ax: dot_plot({"a": TWO}, ax),
    lambda ax: channels_by_head(np.zeros((1, 1, 1)), np.full((1, 1, 1), "a"), ax),
    lambda ax: influence_map(SQUARE, "ab", ax),
    lambda ax: power_laws(TWO, {"a": TWO}, ax=ax),
    lambda ax: memory_limit(TWO, {"a": TWO}, 2.0, "memory", ax),
    lambda ax: lookup_map(np.eye(2), np.array([0]), np.eye(2)[:1], ["a"], ax),
    lambda ax: largest_weights(TWO / 3, "ab", 0, ax, n_bars=1),
    lambda ax: mask_graph(SQUARE, "ab", ax),
    lambda ax: equation([Box("A", (1, 1), "a", "b")], ax),
    lambda ax: error_against_width(TWO, {"a": TWO}, ax),
    lambda ax: signed_heat_map(SQUARE, "ab", ax=ax),
    lambda ax: stacked_bars(["a"], {"x": ONE}, ax),
]


@pytest.mark.parametrize("draw", SINGLE, ids=lambda draw: draw.__code__.co_names[0])
def test_given_axes(draw: Callable[[Axes], Axes]) -> None:
    """A figure draws into the Axes that it is given, and adds no others."""
    figure, ax = plt.subplots()
    assert draw(ax) is ax
    assert figure.axes == [ax] and plt.get_fignums() == [figure.number]


def test_encoding_adds_its_scale_alone() -> None:
    """The heat map of an encoding has a scale of colours beside it, in the same figure."""
    figure, ax = plt.subplots()
    assert encoding(SQUARE, ax) is ax and figure.axes[0] is ax and len(figure.axes) == 2


def test_given_panels() -> None:
    """A figure of several panels gives back those that it was given."""
    _, axes = plt.subplots(1, 2)
    assert compare({"one": SQUARE, "two": SQUARE}, "ab", axes) is axes


@pytest.mark.parametrize(
    ("draw", "expected", "came"),
    [
        (lambda: alignment(np.zeros((3, 2)), "ab", "abc"), "(2, 3)", "(3, 2)"),
        (lambda: influence_map(SQUARE, "abc"), "(3, 3)", "(2, 2)"),
        (lambda: mask_graph(SQUARE, "abc"), "(3, 3)", "(2, 2)"),
        (lambda: signed_heat_map(SQUARE, "abc"), "(3, 3)", "(2, 2)"),
        (lambda: curves(np.arange(3), {"a": np.zeros(2)}), "'a' must have 3 points", "2"),
        (lambda: decoder_steps("abc", "A", np.array([[0.5, 0.5]])), "(1, 3)", "(1, 2)"),
    ],
)
def test_wrong_sizes(draw: Callable[[], Axes], expected: str, came: str) -> None:
    """An array that does not fit is refused with what was expected and what came."""
    with pytest.raises(ValueError, match=f"{re.escape(expected)}.*got {re.escape(came)}"):
        draw()
