"""What trainings with and without the division find of fresh calls, as the claims page of notebook 02 says it."""

from __future__ import annotations

import pytest

from course_attention.experiments.common.long_runs import long_run

ROWS = [row for row in long_run("attention", "city_scale") if row["d_key"] == 512]


def found(cities: str, kind: str, rates: tuple[float, ...]) -> list[float]:
    return [row[f"found_{cities}"] for row in ROWS if row["kind"] == kind and row["rate"] in rates]


@pytest.mark.parametrize(
    ("cities", "divided", "small_start", "best_without"),
    [
        ("known", (0.955, 0.975), (0.955, 0.97), 0.945),
        ("new", (0.895, 0.935), (0.845, 0.925), 0.885),
    ],
)
def test_an_even_start_helps_fresh_calls(
    cities: str, divided: tuple[float, float], small_start: tuple[float, float], best_without: float
) -> None:
    """With the division, or from small matrices, slow rates find more than any run with neither, at any rate."""
    for kind, (low, high) in (("divided", divided), ("not divided, small start", small_start)):
        shares = found(cities, kind, (0.0003, 0.001))
        assert len(shares) == 6 and low < min(shares) and max(shares) < high
    without = found(cities, "not divided", tuple({row["rate"] for row in ROWS}))
    assert len(without) == 15 and max(without) < best_without < divided[0]
