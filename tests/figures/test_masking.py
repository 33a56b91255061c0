"""The drawings of masking show the words one place apart, and each mask as it was given."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_hex

from course_attention.figures.masking import PADDING, Masked, Step, masks, shifted, softmax_steps

LOWER = np.tril(np.ones((3, 3), dtype=bool))


def test_target_is_one_place_further():
    """Above each word of the input stands the word after it: the last word is no input, the start mark no target."""
    texts = [text for text in shifted(["^", "a", "b", "c"]).texts if len(text.get_text()) == 1]
    below, above = (
        {text.get_position()[0]: text.get_text() for text in texts if (text.get_weight() == "bold") is bold}
        for bold in (False, True)
    )
    assert [(below[x], above[x]) for x in sorted(below)] == [("^", "a"), ("a", "b"), ("b", "c")]
    assert len(above) == 3


def test_dark_cells_are_the_allowed_ones():
    """A mask has as many dark cells as it allows pairs, in their places."""
    ax = masks([Masked("causal", "abc", LOWER, [0, 0, 0])])
    fills = [to_hex(patch.get_facecolor()) for patch in ax.patches if patch.get_linewidth() == 0][:9]
    dark = min(fills)
    assert np.array_equal(np.reshape([fill == dark for fill in fills], (3, 3)), LOWER)


def test_padding_is_crossed_out():
    """A token of padding is crossed out, once as a key and once as a query."""
    ax = masks([Masked("padded", ["a", "b", "pad"], LOWER, [0, 0, -1])])
    assert [patch.get_hatch() for patch in ax.patches].count(PADDING.hatch) == 2
    assert [text.get_text() for text in ax.texts].count("pad") == 2


def test_wrong_sizes():
    """A mask or groups that do not fit the words are refused with what was expected and what came."""
    with pytest.raises(ValueError, match=r"'m': .*\(2, 2\).*got \(3, 3\) and 2"):
        masks([Masked("m", "ab", LOWER, [0, 0])])


def test_softmax_in_steps():
    """Each case has its title and its sums, a blocked score is −∞, and the names of blocked keys are struck out."""
    steps = [Step("score", [2.0, 1.25, -np.inf]), Step("weight", [0.731, 0.269, 0.0], 1.0, shades=True)]
    ax = softmax_steps({"one": steps, "two": steps}, ["a", "b", "c"], ["c"])
    texts = [text.get_text() for text in ax.texts]
    assert [texts.count(text) for text in ("one", "two", "score", "−∞", "2", "1.25", "0.73", "Σ = 1")] == [1] * 3 + [
        2
    ] * 5
    assert len(ax.lines) == 2


def test_weights_are_shaded():
    """A large weight is darker than a small one, and scores are all pale."""
    ax = softmax_steps({"": [Step("score", [9.0, 1.0]), Step("weight", [0.9, 0.1], shades=True)]}, ["a", "b"], [])
    score_a, score_b, weight_a, weight_b = (sum(patch.get_facecolor()[:3]) for patch in ax.patches)
    assert score_a == score_b > weight_b > weight_a
