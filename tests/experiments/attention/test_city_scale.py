"""What trainings with and without the division find of fresh calls, as the claims page of notebook 02 says it."""

from __future__ import annotations

import statistics

import pytest
import torch

from course_attention.experiments.attention.city_lookups import Directory, city_loss, projections, soft, train
from course_attention.experiments.common.long_runs import long_run
from tools.long_runs import city_scale

ALL_ROWS = long_run("attention", "city_scale")
ROWS = [row for row in ALL_ROWS if row["d_key"] == 512]


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


def test_the_division_helps_the_end() -> None:
    """At the best rates for the end, the error in training is smaller with the division or from an even start."""
    of_rate = {
        kind: [
            [row["error_1500"] for row in ROWS if row["kind"] == kind and row["rate"] == rate]
            for rate in (0.0003, 0.001, 0.003, 0.01, 0.03)
        ]
        for kind in city_scale.KINDS
    }
    divided, without, small_start, zero_product = (min(runs, key=statistics.median) for runs in of_rate.values())
    assert max(divided) < 0.0045 < min(without) and max(without) < 0.0075
    assert max(small_start) < 0.0035 and max(zero_product) < 0.0035


def test_the_division_is_faster_at_64_columns() -> None:
    """At each rate every seed is faster with it; at the end the errors are alike."""
    halves = {(row["kind"], row["rate"], row["seed"]): row["half"] + 10 for row in ALL_ROWS if row["d_key"] == 64}
    assert len(halves) == 30
    for (kind, rate, seed), half in halves.items():
        assert kind == "not divided" or half < halves["not divided", rate, seed]
    ends = [
        [row["error_1500"] for row in ALL_ROWS if (row["d_key"], row["kind"], row["rate"]) == (64, kind, rate)]
        for kind, rate in (("divided", 0.01), ("not divided", 0.003))
    ]
    assert all(min(errors) > 0.0025 and max(errors) < 0.0045 for errors in ends)


def test_a_small_start_is_as_fast_as_the_division() -> None:
    """With Adam it is the division at another rate: halved as early at its fastest rate, and never at the highest."""
    halves = {
        (kind, rate): [row["half"] for row in ROWS if row["kind"] == kind and row["rate"] == rate]
        for kind, rate in (("divided", 0.03), ("not divided, small start", 0.003), ("not divided, small start", 0.03))
    }
    divided, small_start, never = halves.values()
    assert abs(statistics.median(divided) - statistics.median(small_start)) < 3
    assert never == [None] * 3


def test_even_weights_suffice() -> None:
    """Full-size matrices whose product is zero are as fast as the division, where those of the same norm are slow."""
    for rate in (0.0003, 0.001, 0.003):
        zero_product, large = (
            [row["half"] + 10 for row in ROWS if row["kind"] == kind and row["rate"] == rate]
            for kind in ("not divided, zero product", "not divided")
        )
        assert len(zero_product) == 3 and min(zero_product) >= 10 and max(zero_product) <= 15 < min(large) / 5


@pytest.mark.parametrize("d_key", [8, 512])
def test_a_start_whose_product_is_zero(d_key: int) -> None:
    """All scores begin with 0, and both matrices keep about the norm that they have without the division."""
    small, large = (city_scale.begun(d_key, kind, seed=0) for kind in ("not divided, zero product", "not divided"))
    assert (small[0] @ small[1].mT).abs().max() == 0
    for one, other in zip(small, large, strict=True):
        assert one.requires_grad and 0.8 < one.norm() / other.norm() < 1.25


def test_even_weights_suffice_without_a_zero_entry() -> None:
    """Where the second half of one matrix repeats the first, and that of the other is its negative, it is as fast."""
    directory = Directory()
    w_query, w_key = projections(512, seed=0)
    with torch.no_grad():
        w_query[:, 256:] = w_query[:, :256]
        w_key[:, 256:] = -w_key[:, :256]
    look_up = soft(lambda query, key: (query @ w_query) @ (key @ w_key).mT)
    losses = train([w_query, w_key], lambda: city_loss(look_up, *directory.draw_calls()), 20, 0.001)
    assert statistics.mean(losses[3:13]) < directory.nothing_known() / 2


def test_512_columns_find_more_new_cities_at_the_same_rate() -> None:
    """They cannot express more than 64 columns do, so they shift which solution the training prefers."""
    rows = [row for row in long_run("attention", "city_scores") if row["steps"] == 500 and row["rate"] == 0.01]
    narrow, wide = (
        [row["found_new"] for row in rows if row["score"] == score]
        for score in ("dot product", "dot product, d_key 512")
    )
    assert len(wide) == 3 and min(wide) > 0.87 and max(wide) < 0.945 and max(narrow) < min(wide)
