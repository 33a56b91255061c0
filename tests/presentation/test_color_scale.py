"""The colours of a heat map can be told apart and read: on a light page, on a dark one, in greyscale."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from course_attention.presentation.color_scale import N_SHADES, colors, limits_of, shade_of


def luminance(color: str) -> float:
    """Relative luminance, WCAG 2.2."""
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_shades() -> None:
    """They grow darker with the number, and the number is read on each with a contrast of 4.5."""
    shades = [colors(i) for i in range(N_SHADES)]
    assert all(luminance(a[0]) > luminance(b[0]) for a, b in itertools.pairwise(shades))
    for background, text in shades:
        high, low = sorted([luminance(background), luminance(text)], reverse=True)
        assert (high + 0.05) / (low + 0.05) >= 4.5


@given(st.lists(st.floats(), max_size=5))
def test_larger_is_never_lighter(numbers: list[float]) -> None:
    """Each finite number has a shade, which grows with the number; no other number has one."""
    limits = limits_of([np.array(numbers)])
    shades = {number: shade_of(number, limits) for number in numbers}
    assert all((shade is None) == (not np.isfinite(number)) for number, shade in shades.items())
    ordered = [shades[number] for number in sorted(number for number in numbers if np.isfinite(number))]
    assert ordered == sorted(ordered) and all(0 <= shade < N_SHADES for shade in ordered)


def test_ends() -> None:
    """The lowest and the highest number of all arrays have the ends of the scale."""
    limits = limits_of([np.array([[1.0, 3.0]]), np.array([[np.nan, 1.0, np.inf, 9.0]])])
    assert limits == (1.0, 9.0)
    assert [shade_of(number, limits) for number in (1.0, 9.0, -5.0, 99.0)] == [0, N_SHADES - 1] * 2


def test_nothing_to_compare() -> None:
    """Arrays without a finite number, or with one alone, are drawn all the same."""
    assert limits_of([]) == limits_of([np.array([np.nan])]) == (0.0, 0.0)
    assert shade_of(2.0, limits_of([np.array([2.0, 2.0])])) == 0
