"""The drawings of a memory, beside a cache and with two keys, show what their words say."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from course_attention.figures.drawing import KEY, RESULT, VALUE
from course_attention.figures.fixed_memory import cache_and_memory, one_write, two_writes
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


def _read(ax, role) -> list[list[float]]:
    """Return the numbers in each row of cells of a role, from the left to the right, the upper rows first."""
    cells = [p for p in ax.patches if p.get_fill() and np.allclose(p.get_facecolor()[:3], to_rgb(role.fill))]
    texts = {_at(*text.get_position()): text.get_text() for text in ax.texts}
    rows: dict[tuple[float, float], list[float]] = {}
    for x, y in sorted((_at(*cell.get_xy()) for cell in cells), key=lambda at: (at[0], -at[1])):
        number = float(texts[_at(x + 0.5, y + 0.5)].replace("−", "-"))
        rows.setdefault(_at(x - 1, y) if _at(x - 1, y) in rows else (x, y), []).append(number)
    return list(rows.values())


def _at(x: float, y: float) -> tuple[float, float]:
    return round(x, 6), round(y, 6)


def test_one_write() -> None:
    """What is written is the key times the difference, and what is read comes from the memory that is drawn."""
    ax = one_write()
    first, second, *added = np.array(_read(ax, RESULT))
    before, change, after = np.array([first, second]), np.array(added[:2]), np.array(added[2:])
    key = np.ravel(_read(ax, KEY))[:2]
    read, value, held, difference, above, again, of_other = np.array(_read(ax, VALUE))
    assert np.allclose([read, held], key @ before) and np.allclose([difference, above], value - read)
    assert np.allclose(change, np.outer(key, difference)) and np.allclose(after, before + change)
    assert np.allclose(again, key @ after) and np.allclose(again, value)
    assert np.allclose(of_other, after[0]) and np.linalg.norm(key) == pytest.approx(1)  # the other key is (1, 0)
    bottom, top = ax.get_ylim()
    assert all(bottom < text.get_position()[1] < top for text in ax.texts)


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
