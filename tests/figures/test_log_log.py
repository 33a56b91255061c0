"""Logarithmic axes, lines of an expected slope, and limits."""

from __future__ import annotations

import numpy as np

from course_attention.figures.log_log import memory_limit, power_laws

LENGTHS = np.array([1.0, 2.0, 4.0, 8.0])


def test_powers():
    """Both axes are logarithmic; the legend has the exponents, and a thin line the expected slope."""
    ax = power_laws(LENGTHS, {"a": LENGTHS**2}, {"a": (1.9, 2.0)}, title="t", y_label="seconds")
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == ("t", "n_tokens", "seconds")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a: 1.90, by the count 2.00"]
    slope, line = ax.lines
    assert np.allclose(slope.get_ydata(), LENGTHS**2) and np.array_equal(line.get_ydata(), LENGTHS**2)


def test_band():
    """The first row is the line; the band spans all rows. What was not measured leaves a gap."""
    rows = np.array([[1.0, 2.0, 3.0, np.nan], [2.0, 5.0, 3.0, np.nan]])
    ax = power_laws(LENGTHS, {"a": rows}, {"a": (1.0, 1.0)})
    slope, line = ax.lines
    assert np.array_equal(line.get_ydata(), rows[0], equal_nan=True)
    assert len(slope.get_xdata()) == 3
    heights = {tuple(point) for path in ax.collections[0].get_paths() for point in path.vertices}
    assert heights >= {(1.0, 1.0), (1.0, 2.0), (2.0, 5.0), (4.0, 3.0)}


def test_told_apart():
    """Lines differ in colour, marker and dashes; without exponents there are no thin lines."""
    ax = power_laws(LENGTHS, dict.fromkeys("abcde", LENGTHS))
    assert len(ax.lines) == 5
    assert len({line.get_color() for line in ax.lines}) == len({line.get_marker() for line in ax.lines}) == 5


def test_ticks_are_few():
    """However many lengths there are, their numbers don't run into each other."""
    lengths = 2.0 ** np.arange(20)
    assert len(power_laws(lengths, {"a": lengths}).get_xticks()) <= 8


def test_limits():
    """A circle where a line meets the limit; a line that stays below, or is above from the start, has none."""
    lines = {"meets": LENGTHS**2, "below": 0.1 * LENGTHS, "above": 100 * LENGTHS}
    ax = memory_limit(LENGTHS, lines, 16.0, "memory")
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["meets: up to n = 4", "below", "above"]
    circles = [line for line in ax.lines if len(line.get_xdata()) == 1]
    assert [(round(float(c.get_xdata()[0]), 6), c.get_ydata()[0]) for c in circles] == [(4.0, 16.0)]
    assert [text.get_text() for text in ax.texts] == ["memory"]
