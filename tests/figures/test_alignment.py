"""The heat map shows the weights it was given, under the tokens it was given."""

from __future__ import annotations

import numpy as np

from course_attention.figures.alignment import alignment


def test_weights_and_tokens():
    """Row t, column i of the picture is the weight of source token i for target token t."""
    weights = np.array([[0.1, 0.2, 0.7], [0.0, 1.0, 0.0]])
    ax = alignment(weights, ["one", "two"], "a c", title="see", row_label="written", column_label="read")
    assert np.array_equal(ax.images[0].get_array(), weights)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["a", "␣", "c"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["one", "two"]
    assert (ax.get_title(), ax.get_xlabel(), ax.get_ylabel()) == ("see", "read", "written")


def test_same_scale():
    """Colours mean the same weight in every figure."""
    ax = alignment(np.full((1, 2), 0.5), "c", "ab")
    assert ax.images[0].get_clim() == (0, 1)


def test_bar():
    """The scale of colours is named, and spans the limits asked for."""
    ax = alignment(np.eye(2), "ab", "ab", limits=(-1.0, 1.0), bar=True)
    scale = ax.figure.axes[1]
    assert scale.get_ylabel() == "weight"
    assert scale.get_ylim() == (-1.0, 1.0)


def test_greyscale():
    """A larger weight is always darker, so that the picture survives a grey printer."""
    ax = alignment(np.linspace(0, 1, 11)[None], "x", "abcdefghijk")
    red, green, blue, _ = ax.images[0].cmap(np.linspace(0, 1, 11)).T
    assert (np.diff(0.2126 * red + 0.7152 * green + 0.0722 * blue) < 0).all()
