"""Axes move to where other code has them, and back, whatever leading axes a case has."""

from __future__ import annotations

import pytest
import torch

import course_attention
from course_attention.testing.axes import OURS, Axes, argument_axes

QUERY, OUTPUT = ("...", "n_queries", "d_key"), ("...", "n_queries", "d_value")
WEIGHTS, MASK = ("...", "n_queries", "n_keys"), ("...", "#n_queries", "#n_keys")
IN_HEADS = ("...", "n_heads", "n_queries", "d_key")

# What a query of 5 tokens and 7 features looks like there, by its leading axes here.
THERE = {
    ("batch n d", ()): (1, 5, 7),
    ("batch n d", (2,)): (2, 5, 7),
    ("batch n d", (2, 3)): (6, 5, 7),
    ("n batch d", (2,)): (5, 2, 7),
    ("n batch d", (2, 3)): (5, 6, 7),
    ("batch heads n d", (2,)): (2, 1, 5, 7),
    ("batch n heads d", ()): (1, 5, 1, 7),
    ("batch n heads d", (2, 3)): (2, 5, 3, 7),
    ("batch n heads d", (4, 2, 3)): (8, 5, 3, 7),
    ("batch heads d n", (2, 3)): (2, 3, 7, 5),
    (OURS, (2, 3)): (2, 3, 5, 7),
}


@pytest.mark.parametrize(("layout", "several"), THERE)
def test_there_and_back(layout, several):
    """A query has its axes where the layout says, and an output comes back as it would have been here."""
    axes, ours = Axes(layout), torch.randn(*several, 5, 7)
    theirs = axes.there(ours, QUERY, several)
    assert theirs.shape == THERE[layout, several]
    assert theirs.is_contiguous()
    assert torch.equal(axes.back(theirs, OUTPUT, several), ours)


def test_each_number_moves_with_its_axes():
    """Heads last: the numbers of head 1 are those of head 1."""
    ours = torch.randn(2, 3, 5, 7)
    theirs = Axes("batch n heads d").there(ours, QUERY, (2, 3))
    assert torch.equal(theirs[:, :, 1], ours[:, 1])


@pytest.mark.parametrize("layout", ["n batch d", "batch n heads d"])
def test_masks_and_weights_have_their_leading_axes_first(layout):
    """A mask broadcasts against weights of (batch, n_queries, n_keys), or with an axis for the heads."""
    lone, each = torch.ones(5, 6) > 0, torch.ones(2, 1, 6) > 0
    heads = (1,) if "heads" in layout else ()
    assert Axes(layout).there(lone, MASK, (2,)).shape == (1, *heads, 5, 6)
    assert Axes(layout).there(each, MASK, (2,)).shape == (2, *heads, 1, 6)
    weights = torch.randn(2, 5, 6)
    assert torch.equal(Axes(layout).back(weights.reshape(2, *heads, 5, 6), WEIGHTS, (2,)), weights)


def test_axes_that_are_joined():
    """Where the code has one leading axis for our two, a mask for all of them becomes a mask for each."""
    allowed = torch.rand(3, 1, 5, 6) > 0.5
    there = Axes("batch n d").there(allowed, MASK, (3, 2))
    assert torch.equal(there, allowed.expand(3, 2, 5, 6).reshape(6, 5, 6))


def test_heads_that_have_a_name():
    """Grouped queries have an axis of heads in any case: it is not made a second time, and a missing batch is."""
    ours = torch.randn(4, 5, 7)
    theirs = Axes("batch n heads d").there(ours, IN_HEADS, ())
    assert theirs.shape == (1, 5, 4, 7)
    assert torch.equal(Axes("batch n heads d").back(theirs, IN_HEADS, ()), ours)


def test_a_number_for_each_token():
    """A share such as beta, (..., n_tokens), has the axes of the tokens without d."""
    beta = torch.randn(2, 3, 5)
    assert torch.equal(Axes("batch n heads d").there(beta, ("...", "n_tokens"), (2, 3)), beta.mT)
    assert Axes("n batch d").there(beta[0], ("...", "n_tokens"), (3,)).shape == (5, 3)


def test_weights_of_a_layer_stay():
    """What has no leading axes at all has the same axes everywhere."""
    matrix = torch.randn(3, 4)
    assert Axes("batch n heads d").there(matrix, ("d_model", "d_key"), (2,)) is matrix


def test_a_result_of_another_shape_comes_back_as_it_is():
    """A wrong shape is for the verdict to speak of."""
    flat = torch.randn(5)
    assert Axes("batch n heads d").back(flat, OUTPUT, (2,)) is flat


def test_what_is_not_contiguous_stays_so():
    """The judge's tensors that are not contiguous are still not where the code gets them."""
    ours = torch.randn(7, 5, 2).permute(2, 1, 0)
    assert not Axes("batch heads n d").there(ours, QUERY, (2,)).is_contiguous()


@pytest.mark.parametrize("layout", ["", "n d", "batch n", "batch n n d", "batch tokens d", "... d n"])
def test_unknown_layout(layout):
    """A layout that names no order of axes is refused, with an example of one that does."""
    with pytest.raises(ValueError, match=r"such as 'batch n heads d'; got"):
        Axes(layout)


def test_axes_of_every_helper():
    """The axes of every tensor that an exercise hands over are known: no annotation is read as having none."""
    assert argument_axes(course_attention.attention)["query"] == [QUERY]
    assert argument_axes(course_attention.attention)["allowed"] == [MASK]
    assert argument_axes(course_attention.cached_attention)["cache"] == [
        ("...", "n_past", "d_key"),
        ("...", "n_past", "d_value"),
    ]
    assert argument_axes(course_attention.rotary)["base"] == []
