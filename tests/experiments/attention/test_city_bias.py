"""The kept figures on columns, optimizers and QK-norm say what notebook 02 and its claims page say of them."""

from __future__ import annotations

from statistics import mean

import pytest
import torch

from course_attention.experiments.common.long_runs import long_run
from tools.long_runs import city_bias

ROWS = long_run("attention", "city_bias")
FEW = (2, 4, 8, 16)


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


def test_more_steps_leave_a_smaller_difference() -> None:
    """After 2,000 steps more columns still find more, but 128 are ahead of 26 by less than after 500."""
    ahead = found("dot product", 128, "Adam") - found("dot product", 26, "Adam")
    for rate in (0.003, 0.01, 0.03):
        few, some, many = (
            mean(row["found_new"] for row in runs("dot product", columns, "Adam", steps=2000, rate=rate))
            for columns in (26, 64, 128)
        )
        assert few + 0.015 < some < many - 0.015 and many - few < 0.7 * ahead


@pytest.mark.parametrize("optimizer", city_bias.OPTIMIZERS)
def test_the_start_counts_and_not_the_columns(optimizer: str) -> None:
    """128 columns that start small find fewer new cities; 26 find more if W_Q is larger; an even start does little."""
    kinds = {"usual": ("dot product", 128), "small": ("dot product, small start", 128), "few": ("dot product", 26)}
    kinds |= {"even": ("dot product, even start", 26), "larger": ("dot product, even start, W_Q larger", 26)}
    shares = {name: found(*kind, optimizer) for name, kind in kinds.items()}
    assert shares["small"] + 0.08 < shares["usual"] and shares["few"] + 0.09 < shares["larger"]
    assert abs(shares["small"] - shares["few"]) < 0.045 and abs(shares["even"] - shares["few"]) < 0.045
    assert shares["usual"] - 0.03 < shares["larger"] < shares["usual"]
    for rate in (0.003, 0.01, 0.03) if optimizer == "Adam" else (0.003, 0.01):
        at_rate = {name: found(*kind, optimizer, rate=rate) for name, kind in kinds.items()}
        assert at_rate["small"] + 0.05 < at_rate["usual"] and at_rate["even"] + 0.03 < at_rate["larger"]


@pytest.mark.parametrize("optimizer", city_bias.OPTIMIZERS)
def test_a_difference_in_size_counts_from_either_side(optimizer: str) -> None:
    """26 columns find more if W_Q or W_K is larger and the other smaller, and hardly more if both are larger."""
    few, usual = (found("dot product", columns, optimizer) for columns in (26, 128))
    even, of_query, of_key, random, *both = (
        found(f"dot product, {start}", 26, optimizer)
        for start in (
            "even start",
            *("even start, W_Q larger", "even start, W_K larger", "W_Q larger"),
            *("large start", "even start, both larger"),
        )
    )
    assert even + 0.06 < min(of_query, of_key) and abs(of_query - of_key) < 0.025 and usual - 0.03 < of_query
    assert few + 0.04 < random < few + 0.06
    assert few < min(both) and max(both) < few + 0.03
    for start in ("large start", "even start, both larger"):
        rates = {row["rate"] for row in runs(f"dot product, {start}", 26, optimizer)}
        assert max(found(f"dot product, {start}", 26, optimizer, rate=rate) for rate in rates) < 0.71


def test_what_a_start_changes() -> None:
    """A larger W_Q beside a smaller W_K changes no score, and an even start has one singular value."""
    torch.manual_seed(0)
    query, key, value = torch.randn(5, 26), torch.randn(7, 26), torch.randn(7, 2)
    even, larger = (
        city_bias.begun(f"dot product, {start}", 26, seed=0) for start in ("even start", "even start, W_Q larger")
    )
    assert torch.allclose(even[0](query, key, value)[1], larger[0](query, key, value)[1], atol=1e-5)
    assert torch.allclose(torch.linalg.svdvals(even[1][0]), torch.ones(26), atol=1e-5)
    assert torch.allclose(larger[1][0], 4 * even[1][0]) and torch.allclose(larger[1][1], even[1][1] / 4)
    small = city_bias.begun("dot product, small start", 128, seed=0)[1]
    usual = city_bias.begun("dot product", 128, seed=0)[1]
    assert torch.allclose(small[0], (26 / 128) ** 0.5 * usual[0])
    of_key, both, random, large, plain = (
        city_bias.begun(f"dot product{start}", 26, seed=0)[1]
        for start in (", even start, W_K larger", ", even start, both larger", ", W_Q larger", ", large start", "")
    )
    assert torch.allclose(of_key[0], even[1][0] / 4) and torch.allclose(of_key[1], 4 * even[1][1])
    assert torch.allclose(random[0], 4 * plain[0]) and torch.allclose(random[1], plain[1] / 4)
    for i in (0, 1):
        assert torch.allclose(both[i], (128 / 26) ** 0.5 * even[1][i])
        assert torch.allclose(large[i], (128 / 26) ** 0.5 * plain[i])
    assert all(matrix.requires_grad for matrix in (*even[1], *larger[1], *small, *of_key, *both, *random, *large))


def test_too_few_columns() -> None:
    """The fewer columns below 26, the fewer calls are found, though 16 fit the training as well as 64."""
    shares = [
        [mean(row[f"found_{cities}"] for row in runs("dot product", columns, "Adam", rate=rate)) for columns in FEW]
        for cities, rate in (("known", 0.01), ("new", 0.01), ("known", 0.03), ("new", 0.03))
    ]
    for of_known, of_new in (shares[:2], shares[2:]):
        assert of_known[0] < 0.12 and 0.39 < of_known[1] < 0.42 and 0.87 < of_known[2] < 0.89 and of_known[3] > 0.955
        assert of_new[1] < 0.22 < 0.41 < of_new[2] < 0.43 < 0.63 < of_new[3] < 0.66
    loss = {
        c: mean(r["loss"] for r in runs("dot product", c, "Adam", rate=best_rate("dot product", c, "Adam")))
        for c in (16, 64)
    }
    assert loss[16] < loss[64]


def test_other_calls_in_each_step() -> None:
    """They close a part of the gap between known and new cities, and most of it is left."""
    rate = best_rate("dot product, other calls", 64, "Adam")
    assert rate == 0.01
    gaps = [
        mean(row["found_known"] - row["found_new"] for row in runs(score, 64, "Adam", rate=rate))
        for score in ("dot product", "dot product, other calls")
    ]
    assert 0.2 < gaps[0] < 0.215 and 0.17 < gaps[1] < 0.18
    assert 0.805 < found("dot product, other calls", 64, "Adam") < 0.815
    for rate in (0.003, 0.01, 0.03):
        assert mean(row["found_new"] for row in runs("dot product, other calls", 64, "Adam", 1000, rate=rate)) < 0.825
    sets = city_bias.sets_of_calls()
    here = city_bias.directory(0)
    assert sets.shape == (city_bias.N_SETS, 61, 20, 26)
    assert not any(torch.equal(one, fixed) for one in sets for fixed in (here.calls, here.fresh))


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
