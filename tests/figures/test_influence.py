"""The picture of influence marks the future, and nothing else."""

from __future__ import annotations

import numpy as np

from course_attention.figures.influence import compare, influence_map


def crosses(ax) -> set[tuple[int, int]]:
    return {(int(text.get_position()[1]), int(text.get_position()[0])) for text in ax.texts}


def test_future_is_crossed():
    """Each cell above the diagonal that is not exactly 0 has a cross, however small; no other has."""
    strength = np.array([[1.0, 1e-30, 0.0], [2.0, 4.0, 0.0], [0.0, 1.0, 1.0]])
    ax = influence_map(strength, ["a", "b", "c"])
    assert crosses(ax) == {(0, 1)}


def test_crosses_can_be_seen():
    """A cross is white on a dark cell and black on a bright one; dark is large."""
    ax = influence_map(np.array([[0.1, 1.0, 0.1], [0.1, 0.1, 0.0], [0.1, 0.1, 0.1]]), ["a", "b", "c"])
    assert [text.get_color() for text in ax.texts] == ["white", "black"]
    dark, bright = (sum(ax.images[0].cmap(share)[:3]) for share in (1.0, 0.1))
    assert dark < bright


def test_zero_is_not_drawn():
    """Exact zeros are left to the hatching below; the rest are shares of the largest."""
    ax = influence_map(np.array([[0.0, 0.0], [2.0, 4.0]]), ["a", "b"])
    shown = ax.images[0].get_array()
    assert shown.mask.tolist() == [[True, True], [False, False]]
    assert shown[1].tolist() == [0.5, 1.0]
    assert [patch.get_hatch() for patch in ax.patches if patch.get_hatch()] == ["////"]


def test_all_zero():
    """A sequence without any influence is drawn, hatched all over."""
    ax = influence_map(np.zeros((2, 2)), ["a", "b"])
    assert ax.images[0].get_array().mask.all() and not ax.texts


def test_labels():
    """Rows carry the outputs where they are given; the axes say which is which; the bar is named."""
    ax = influence_map(np.eye(2), ["a", "b"], title="see", bar=True, outputs=["a → b", "b → ?"])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a → b", "b → ?"]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_title()) == ("input", "output for", "see")
    assert "influence" in ax.figure.axes[1].get_ylabel()


def test_compare():
    """One picture for each name, rows labelled once, by the outputs, and one scale of colours for all."""
    axes = compare({"one": np.eye(2), "two": np.ones((2, 2))}, ["a", "b"], outputs=["a → b", "b → ?"]).ravel()
    assert [ax.get_title() for ax in axes] == ["one", "two"]
    assert [[label.get_text() for label in ax.get_yticklabels()] for ax in axes] == [["a → b", "b → ?"], []]
    assert [len(crosses(ax)) for ax in axes] == [0, 1]
    assert [ax.get_ylabel() for ax in axes[0].figure.axes[2:]] == ["influence, share of its map's largest"]
