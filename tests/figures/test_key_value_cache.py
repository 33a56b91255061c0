"""The drawings of a cache and of shared heads show what their words say."""

from __future__ import annotations

import pytest

from course_attention.figures.drawing import KEY, QUERY, VALUE
from course_attention.figures.key_value_cache import growing_cache, shared_heads
from tests.figures.counting import filled


@pytest.mark.parametrize("n", [1, 3, 5])
def test_one_new_pair_in_each_step(n):
    """Each step has one query and one new pair of 2 cells each; all pairs before it are kept."""
    ax = growing_cache([f"word {i}" for i in range(n)])
    words = [text.get_text() for text in ax.texts]
    assert filled(ax, QUERY) == filled(ax, KEY) == filled(ax, VALUE) == 2 * n
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
        assert filled(ax, QUERY) == 4 and filled(ax, KEY) == filled(ax, VALUE) == max(group) + 1
