"""The drawings of a memory, beside a cache and with two keys, show what their words say."""

from __future__ import annotations

import numpy as np
import pytest

from course_attention.figures.drawing import KEY, RESULT, VALUE
from course_attention.figures.fixed_memory import cache_and_memory, two_writes
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


@pytest.mark.parametrize("degrees", [30, 55, 90])
def test_two_writes(degrees: float) -> None:
    """Both steps have a shadow of 1 on the second key. On the first, one has the cosine, and the other has none."""
    ax = two_writes(degrees)
    second = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    steps, shadows = (
        [np.diff(line.get_xydata(), axis=0)[0] for line in ax.lines if line.get_gid() == kind]
        for kind in ("step", "shadow")
    )
    unit = np.linalg.norm(steps[0])  # the first step is the second key
    assert np.allclose(steps[0], unit * second)
    assert np.allclose([step @ second for step in steps], unit)
    assert np.allclose([step[0] for step in steps], [unit * second[0], 0])
    assert np.allclose(shadows, [[unit * second[0], 0], [0, 0]])
    said = [text.get_text() for text in ax.texts if "changes by" in text.get_text()]
    assert [text.rsplit(" ", 1)[1] for text in said] == ["1.00", f"{second[0]:.2f}", "1.00", "0.00"]
    bottom, top = ax.get_ylim()
    assert all(bottom < y < top for line in ax.lines for y in line.get_ydata())
