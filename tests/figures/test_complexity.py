"""The drawings of costs: areas, discs and roofs have the sizes of what they stand for."""

from __future__ import annotations

import numpy as np
import pytest

from course_attention.figures.complexity import Cost, doubling, growth, layer_map, roofline


def test_areas_are_work():
    """A text of n tokens has a strip of n · width cells and a square of n · n, and says so."""
    ax = growth([2, 5], width=3)
    n_cells = 2 * 3 + 2 * 2 + 5 * 3 + 5 * 5
    assert len(ax.patches) == 2 * n_cells  # a cell's hatch and its edge are drawn apart
    texts = [text.get_text() for text in ax.texts]
    assert [text for text in texts if "+" in text] == ["2 tokens: 6 + 4", "5 tokens: 15 + 25"]


def test_scan_of_the_last_state():
    """Each box names the tokens of its sum; arrows lead to all that the last one is made of, and to nothing else."""
    ax = doubling(8)
    written = [text.get_text() for text in ax.texts]
    for terms in (1, 2, 4, 8):
        for last in range(terms - 1, 8):
            assert (str(last) if terms == 1 else f"{last - terms + 1}–{last}") in written
    arrows = [text for text in ax.texts if getattr(text, "arrow_patch", None) is not None]
    assert len(arrows) == 2 * (4 + 2 + 1)  # a sum of two for each box that is needed, in three rounds
    assert {"round 1, by A", "round 2, by A²", "round 3, by A⁴"} <= set(written)


def test_discs_are_work():
    """A disc stands at its steps and its path; its area is its work."""
    ax = layer_map({"slow": Cost(64, 63, 100), "wide": Cost(1, 2, 700)}, unit="slow")
    assert [tuple(disc.get_offsets()[0]) for disc in ax.collections] == [(64, 63), (1, 2)]
    slow, wide = (disc.get_sizes()[0] for disc in ax.collections)
    assert wide == pytest.approx(7 * slow)
    assert [text.get_text() for text in ax.texts] == ["slow\nwork 1.0", "wide\nwork 7.0"]
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")


def test_roof():
    """The roof has the slope of the bandwidth up to the ridge, and the peak's height from there on."""
    points = {"decode": (0.25, 2.0), "prefill": (100.0, 39.0)}
    roof, ridge, *marks = roofline(peak=40.0, bandwidth=10.0, points=points).lines
    x, y = np.array(roof.get_xdata()), np.array(roof.get_ydata())
    assert np.allclose(y, np.minimum(40, 10 * x)) and x[0] < 0.25 and x[-1] > 100
    assert set(ridge.get_xdata()) == {4.0}
    assert {mark.get_label(): (mark.get_xdata()[0], mark.get_ydata()[0]) for mark in marks} == points


def test_limits_are_hollow():
    """What was not measured has a hollow mark, and its name says that it is a limit."""
    *_, mark = roofline(peak=40.0, bandwidth=10.0, points={"decode": (0.25, 2.5)}, measured=False).lines
    assert (mark.get_label(), mark.get_markerfacecolor()) == ("decode, at most", "white")
