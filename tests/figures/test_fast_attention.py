"""The drawings of notebook 09 show what their words say."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from course_attention.figures.drawing import KEY, QUERY, RESULT, VALUE, WEIGHT
from course_attention.figures.fast_attention import growing_cache, masks, shared_heads, tiles


def _filled(ax, role) -> int:
    """How many cells have a role's full colour."""
    return sum(
        bool(p.get_fill()) and np.allclose(p.get_facecolor()[:3], to_rgb(role.fill)) for p in ax.patches
    )


@pytest.mark.parametrize("n", [1, 3, 5])
def test_one_new_pair_in_each_step(n):
    """Each step has one query and one new pair of 2 cells each; all pairs before it are kept."""
    ax = growing_cache([f"word {i}" for i in range(n)])
    words = [text.get_text() for text in ax.texts]
    assert _filled(ax, QUERY) == _filled(ax, KEY) == _filled(ax, VALUE) == 2 * n
    assert words.count("new") == n and words.count("kept") == n * (n - 1) // 2


def test_heads_of_a_group_meet():
    """Lines of heads that share end at the same place, below their middle, and those of another group at another."""
    starts, ends = zip(*(line.get_xdata() for line in shared_heads({"two": [0, 0, 1, 1]}).lines), strict=True)
    assert ends[0] == ends[1] < ends[2] == ends[3]
    assert ends[0] == pytest.approx((starts[0] + starts[1]) / 2) and ends[2] == pytest.approx(
        (starts[2] + starts[3]) / 2
    )


def test_a_key_and_a_value_for_each_group():
    """As many keys and values as groups, and as many queries as heads, whichever way they share."""
    for group in ([0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]):
        ax = shared_heads({"": group})
        assert _filled(ax, QUERY) == 4 and _filled(ax, KEY) == _filled(ax, VALUE) == max(group) + 1


def test_one_tile_at_work():
    """Of each of Q, K and V one block is at work, in the large memory and in the fast one; its numbers are named."""
    ax = tiles(n_blocks=3, row=2, column=0)
    assert _filled(ax, QUERY) == _filled(ax, KEY) == _filled(ax, VALUE) == 2
    assert {"$Q_3$", "$K_1$", "$V_1$", "large memory", "fast memory"} <= {
        text.get_text() for text in ax.texts
    }


def test_sinks_have_a_colour_of_their_own():
    """What is seen because it is a sink is marked, and what the window shows is not."""
    window = np.tri(6, dtype=int) - np.tri(6, k=-2, dtype=int)
    sinks = window.copy()
    sinks[2:, 0] = 2
    for kinds, marked in ((window, 0), (sinks, 4)):
        ax = masks({"mask": kinds})
        assert _filled(ax, RESULT) == marked and _filled(ax, WEIGHT) == 11 + marked
