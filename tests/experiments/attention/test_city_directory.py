"""The directory of cities and its caller."""

from __future__ import annotations

import torch

from course_attention.experiments.attention.city_directory import CITIES, places, typed

EXCHANGED = {letter: other for pair in ("bp", "dt", "gk", "sz", "vf") for letter, other in (pair, pair[::-1])}


def test_places_keep_distances() -> None:
    """On the map, Paris and London are 340 km apart, and so are Berlin and Prague 280 km, to a twentieth."""
    for one, other, km in (("paris", "london", 344), ("berlin", "prague", 281), ("rome", "oslo", 2008)):
        distance = 100 * (places([one]) - places([other])).norm().item()
        assert abs(distance / km - 1) < 0.05


def test_accent_and_one_slip() -> None:
    """A call differs from the name with its letters exchanged in one letter at most, and most calls do differ."""
    differing = 0
    for name, words in zip(CITIES, typed(tuple(CITIES)), strict=True):
        heard = [EXCHANGED.get(letter, letter) for letter in name]
        slips = [sum(a != b for a, b in zip(heard, word, strict=True)) for word in words]
        assert max(slips) <= 1
        differing += sum(slips)
    assert differing > 0.9 * 20 * len(CITIES)


def test_names_differ_in_their_letters() -> None:
    """No two cities have the same letters, since the directory compares counts of letters alone."""
    assert len({"".join(sorted(name)) for name in CITIES}) == len(CITIES)
    assert all(name.isascii() and name.islower() for name in CITIES)


def test_seeds() -> None:
    """The same seed gives the same calls, another one others; no call is for a place that is missing."""
    names = ["rome", "oslo"]
    assert typed(names, seed=1) == typed(names, seed=1) != typed(names, seed=2)
    assert places(names).shape == torch.Size([2, 2])
