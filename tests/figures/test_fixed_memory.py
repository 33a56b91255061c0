"""The drawing of a cache beside a memory shows what their words say."""

from __future__ import annotations

import pytest

from course_attention.figures.drawing import KEY, RESULT, VALUE
from course_attention.figures.fixed_memory import cache_and_memory
from tests.figures.counting import filled


@pytest.mark.parametrize(("n", "d"), [(1, 2), (3, 2), (4, 3)])
def test_cache_grows_and_memory_does_not(n: int, d: int) -> None:
    """After word i there are i keys and i values of d numbers, which are counted, and d × d numbers of memory."""
    ax = cache_and_memory([f"word {i}" for i in range(n)], d)
    assert filled(ax, KEY) == filled(ax, VALUE) == d * n * (n + 1) // 2
    assert filled(ax, RESULT) == n * d * d
    assert sum("word" in text.get_text() for text in ax.texts) == n
    under = [f"{2 * d * (i + 1)} numbers" for i in range(n)]
    assert [text.get_text() for text in ax.texts if text.get_text() in under] == under
