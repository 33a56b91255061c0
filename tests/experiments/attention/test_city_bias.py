"""The kept figures on columns, optimizers and QK-norm say what notebook 02 and its claims page say of them."""

from __future__ import annotations

from statistics import mean

import pytest
import torch

from course_attention.experiments.common.long_runs import long_run
from tools.long_runs import city_bias

ROWS = long_run("attention", "city_bias")


def runs(score: str, columns: int, optimizer: str, steps: int = 500, **wanted: float) -> list[dict]:
    wanted = {"score": score, "columns": columns, "optimizer": optimizer, "steps": steps, **wanted}
    return [row for row in ROWS if all(row[key] == value for key, value in wanted.items())]


def best_rate(score: str, columns: int, optimizer: str) -> float:
    """Return the rate with the smallest mean loss over splits and seeds."""
    rates = {row["rate"] for row in runs(score, columns, optimizer)}
    return min(rates, key=lambda rate: mean(row["loss"] for row in runs(score, columns, optimizer, rate=rate)))


def found(score: str, columns: int, optimizer: str, **wanted: float) -> float:
    rate = best_rate(score, columns, optimizer)
    return mean(row["found_new"] for row in runs(score, columns, optimizer, **{"rate": rate} | wanted))


def test_every_setting_has_been_run() -> None:
    """There is a row for each setting and no other, so the script would find nothing to do."""
    names = ("score", "columns", "optimizer", "rate", "steps", "split", "seed")
    expected = [repr(tuple(setting[name] for name in names)) for setting in city_bias.settings()]
    assert sorted(expected) == sorted(repr(tuple(row[name] for name in names)) for row in ROWS)


def test_no_chosen_rate_is_the_smallest_or_the_largest() -> None:
    """So a rate beyond those tried would not have been chosen."""
    for score, columns, optimizer, rates, steps in city_bias.KINDS:
        if steps == 500:
            assert min(rates) < best_rate(score, columns, optimizer) < max(rates)


def test_the_optimizer_decides_the_order() -> None:
    """With Adam two projections of 64 columns find more new cities than one matrix, with SGD fewer, on each split."""
    for split in range(5):
        one, two = (found(*which, split=split) for which in (("bilinear", 26, "Adam"), ("dot product", 64, "Adam")))
        assert one < two
        one, two = (found(*which, split=split) for which in (("bilinear", 26, "SGD"), ("dot product", 64, "SGD")))
        assert one > two + 0.04
    assert found("bilinear, same start", 26, "SGD") > 0.785
    for rate in (0.01, 0.03):
        assert mean(row["found_new"] for row in runs("bilinear", 26, "SGD", steps=2000, rate=rate)) > 0.8
    for rate in (0.003, 0.01):
        assert mean(row["found_new"] for row in runs("dot product", 64, "SGD", steps=2000, rate=rate)) < 0.75


@pytest.mark.parametrize("optimizer", city_bias.OPTIMIZERS)
def test_more_columns_overfit_less(optimizer: str) -> None:
    """With both optimizers 64 columns find more new cities than 26, and 128 more than 64."""
    few, some, many = (found("dot product", columns, optimizer) for columns in (26, 64, 128))
    assert few + 0.03 < some < many - 0.03
    few, some, many = (found("dot product", columns, optimizer, rate=0.01) for columns in (26, 64, 128))
    assert few + 0.03 < some < many - 0.03


def test_qk_norm() -> None:
    """At each rate, and after more steps, QK-norm finds more new cities than the dot product with any columns."""
    rows = [row for row in ROWS if row["score"] == "queries and keys of length 1"]
    for rate, steps in {(row["rate"], row["steps"]) for row in rows}:
        here = [row["found_new"] for row in rows if (row["rate"], row["steps"]) == (rate, steps)]
        assert len(here) == 15 and 0.875 < mean(here) < 0.915
    assert 0.895 < found("queries and keys of length 1", 64, "Adam") < 0.905


def test_what_is_trained() -> None:
    """One matrix that begins as the product of two gives their scores; QK-norm's do not depend on the lengths."""
    torch.manual_seed(0)
    query, key, value = torch.randn(5, 26), torch.randn(7, 26), torch.randn(7, 2)
    one, two = (city_bias.begun(score, 64, seed=0)[0] for score in ("bilinear, same start", "dot product"))
    assert torch.allclose(one(query, key, value)[1], two(query, key, value)[1], atol=1e-5)
    look_up, parameters = city_bias.begun("queries and keys of length 1", 64, seed=0)
    longer = key * torch.arange(1, 8)[:, None]
    assert torch.allclose(look_up(query, key, value)[1], look_up(2 * query, longer, value)[1], atol=1e-5)
    assert [parameter.numel() for parameter in parameters] == [26 * 64, 26 * 64, 1]
