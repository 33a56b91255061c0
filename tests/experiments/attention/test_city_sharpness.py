"""The kept figures on how sharply parts of a matrix choose say what notebook 02 says of them."""

from __future__ import annotations

import pytest

from course_attention.experiments.common.long_runs import long_run
from tools.long_runs import city_sharpness

ROWS = long_run("attention", "city_sharpness")


def of(key: str, part: str, factor: int) -> list[float]:
    """Return one number of each of the fifteen matrices, in the same order for every part."""
    rows = [row for row in ROWS if (row["part"], row["factor"]) == (part, factor)]
    return [row[key] for row in sorted(rows, key=lambda row: (row["split"], row["seed"]))]


def test_every_setting_has_been_run() -> None:
    """There is a row for each setting and no other, so the script would find nothing to do."""
    names = ("part", "split", "factor", "seed")
    expected = [tuple(setting[name] for name in names) for setting in city_sharpness.settings()]
    assert sorted(expected) == sorted(tuple(row[name] for name in names) for row in ROWS)


@pytest.mark.parametrize(("part", "kept_as"), [("whole", None), ("accent", "accent")])
def test_as_they_are_they_agree_with_the_other_run(part: str, kept_as: str | None) -> None:
    """Times one, the figures are those of the run that took the matrices apart."""
    rows = [
        row for row in long_run("attention", "city_splits") if (row["score"], row["part"]) == ("dot product", kept_as)
    ]
    rows.sort(key=lambda row: (row["split"], row["seed"]))
    for key in ("km_known", "km_new"):
        assert of(key, part, 1) == pytest.approx([row[key] for row in rows], abs=0.2)


def test_what_the_small_entries_gain_for_known_cities_is_sharpness() -> None:
    """As they are, the accent's entries are farther off in all fifteen; times ten, in about half, by at most 20 km."""
    as_they_are, times_ten = (
        [alone - whole for alone, whole in zip(of("km_known", "accent", n), of("km_known", "whole", n), strict=True)]
        for n in (1, 10)
    )
    assert min(as_they_are) > 15
    assert max(map(abs, times_ten)) < 20 and 4 < sum(far > 0 for far in times_ten) < 11
    for factor in city_sharpness.FACTORS:  # for new cities no factor makes up for the rest
        alone, whole = (of("km_new", part, factor) for part in ("accent", "whole"))
        assert all(near < far - 90 for near, far in zip(alone, whole, strict=True))


def test_by_the_root_mean_square_neither_part_is_ahead() -> None:
    """At every factor the accent's entries alone are nearer in some trainings and farther off in others."""
    for factor in city_sharpness.FACTORS:
        alone, whole = (of("root_mean_square_km", part, factor) for part in ("accent", "whole"))
        differences = [far - near for far, near in zip(alone, whole, strict=True)]
        assert min(differences) < -10 < 10 < max(differences) and max(map(abs, differences)) < 60
    times_ten = [a < w for a, w in zip(*(of("root_mean_square_km", p, 10) for p in ("accent", "whole")), strict=True)]
    assert sum(times_ten) == 7
