"""The parts of a learned matrix are what their names say, and the kept figures say what notebook 02 says of them."""

from __future__ import annotations

from statistics import mean

import pytest
import torch

from course_attention.experiments.attention.city_directory import CITIES
from course_attention.experiments.common.long_runs import long_run
from course_attention.mechanisms.attention import gaussian_scores
from tools.long_runs import city_splits

ROWS = long_run("attention", "city_splits")


def found(score: str, part: str | None, cities: str = "new", **wanted: float) -> list[float]:
    wanted = {"score": score, "part": part, "rate": city_splits.RATES[score], **wanted}
    return [row[f"found_{cities}"] for row in ROWS if all(row[key] == value for key, value in wanted.items())]


def test_every_setting_has_been_run() -> None:
    """There is a row for each setting and no other, so the script would find nothing to do."""
    names = ("score", "part", "split", "rate", "seed")
    expected = [tuple(setting[name] for name in names) for setting in city_splits.settings()]
    assert sorted(map(str, expected)) == sorted(str(tuple(row[name] for name in names)) for row in ROWS)


def test_each_city_is_new_once() -> None:
    """In each split a city is known or new, and over the five splits each is new once."""
    splits = [city_splits.directory(split) for split in city_splits.SPLITS]
    assert torch.cat([one.new for one in splits]).sort().values.tolist() == list(range(61))
    assert all(sorted(torch.cat([one.known, one.new]).tolist()) == list(range(61)) for one in splits)


def test_parts() -> None:
    """The accent's entries and the rest add up to the matrix; the largest entries are one a column."""
    torch.manual_seed(0)
    matrix, elsewhere = torch.randn(26, 26), torch.randn(26, 26)
    parts = {part: city_splits.part_of(part, matrix, elsewhere) for part in city_splits.PARTS}
    assert torch.equal(parts["accent"] + parts["rest"], matrix)
    assert torch.equal(parts["other"] - parts["accent"], city_splits.part_of("rest", elsewhere, matrix))
    assert ((parts["largest"] != 0).sum(dim=0) == 1).all()
    assert torch.equal(parts["largest"].max(dim=0).values, matrix.max(dim=0).values)
    assert (city_splits.accent().sum(dim=0) == 1).all() and city_splits.accent()[3, 19]  # a typed d for a written t


def test_scores() -> None:
    """The Gaussian gives the weights of the notebook's; keys of length 1 are scored alike however long they were."""
    torch.manual_seed(0)
    query, key = torch.randn(5, 64, dtype=torch.float64), torch.randn(7, 64, dtype=torch.float64)
    ours, theirs = city_splits.gaussian(query, key), gaussian_scores(query, key, 64**0.25)
    assert torch.allclose(ours.softmax(dim=-1), theirs.softmax(dim=-1))
    longer = key * torch.arange(1, 8)[:, None]
    assert torch.allclose(city_splits.keys_of_length_1(query, longer), city_splits.keys_of_length_1(query, key))


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (1, 2))])
def test_all_columns_show_the_accent(seed: int) -> None:
    """On the notebook's split, each column has its largest entry where the accent is, but for a letter in no name."""
    matrix = city_splits.learned_matrix("dot product", 0, seed)
    largest = city_splits.part_of("largest", matrix, matrix) != 0
    in_names = sorted({ord(letter) - ord("a") for name in CITIES for letter in name})
    assert len(in_names) == 25
    assert torch.equal(largest[:, in_names], city_splits.accent()[:, in_names])


@pytest.mark.parametrize("score", city_splits.TAKEN_APART)
def test_the_accent_carries_over_and_the_rest_does_not(score: str) -> None:
    """In each split the accent finds more new cities alone, or with another split's rest, than with its own rest."""
    for split in city_splits.SPLITS:
        whole = found(score, None, split=split)
        for part in ("accent", "largest", "other"):
            assert min(found(score, part, split=split)) > max(whole)
        assert max(found(score, "other", "known", split=split)) < min(found(score, None, "known", split=split))
    assert min(found(score, "accent")) > 0.9 and max(found(score, "rest")) < 0.1


def test_keys_of_one_length_gain_most_of_the_lead() -> None:
    """Keys of length 1 bring the dot product more than half of the way to the Gaussian in each split; queries less."""
    for split in city_splits.SPLITS:
        plain, gaussian = (mean(found(score, None, split=split)) for score in ("dot product", "Gaussian"))
        lead = gaussian - plain
        assert lead > 0.05
        for rate in (0.01, 0.03):
            assert mean(found("keys of length 1", None, split=split, rate=rate)) - plain > lead / 2
    for rate in (0.01, 0.03):
        keys, queries = (mean(found(f"{scaled} of length 1", None, rate=rate)) for scaled in ("keys", "queries"))
        assert mean(found("dot product", None)) < queries < keys - 0.04


def test_other_lengths() -> None:
    """Keys of one length differ in direction alone; the new cities' keys are lengthened by one number."""
    torch.manual_seed(0)
    keys, here = torch.rand(61, 4), city_splits.directory(1)
    alike, lengthened = city_splits.at_one_length(keys, 1), city_splits.new_lengthened(keys, 1)
    known = keys[here.known].norm(dim=-1).mean()
    assert torch.allclose(alike.norm(dim=-1), known.expand(61))
    assert torch.allclose(torch.nn.functional.cosine_similarity(alike, keys), torch.ones(61))
    assert torch.equal(lengthened[here.known], keys[here.known])
    factors = lengthened[here.new] / keys[here.new]
    assert torch.allclose(factors, factors[0, 0].expand_as(factors))
    assert torch.isclose(lengthened[here.new].norm(dim=-1).mean(), known)


def test_keys_of_one_length_find_more() -> None:
    """Scaled to one length at lookup, keys find more new cities in each training, and fewer than the accent alone."""
    whole, alike, accent = (found("dot product", part) for part in (None, "one length", "accent"))
    assert len(alike) == 15 and all(a < b < c for a, b, c in zip(whole, alike, accent, strict=True))
    lengthened = found("dot product", "new lengthened")
    assert all(a < b for a, b in zip(whole, lengthened, strict=True))
    assert mean(lengthened) - mean(whole) > 0.7 * (mean(alike) - mean(whole))
    assert mean(found("dot product", "accent, one length")) > mean(accent)
    assert mean(found("bilinear", "one length")) > mean(found("bilinear", None)) + 0.06


@pytest.mark.parametrize("part", city_splits.FACTORED)
def test_other_factors_give_the_same_scores(part: str) -> None:
    """A learned product can be divided between queries and keys in many ways."""
    torch.manual_seed(0)
    w_query, w_key = torch.randn(26, 64, dtype=torch.float64), torch.randn(26, 64, dtype=torch.float64)
    one, other = city_splits.factored(part, w_query, w_key, seed=0)
    assert torch.allclose(one @ other.mT, w_query @ w_key.mT)
    if part == "one length, mixed":
        assert not torch.allclose((other @ other.mT).diag(), (w_key @ w_key.mT).diag(), rtol=0.1)


def test_what_lengths_cost_depends_on_the_factors() -> None:
    """So it says nothing of the lookup: with all of the product in W_Q, keys of one length find not one call more."""
    whole, accent = (mean(found("dot product", part)) for part in (None, "accent"))
    assert found("dot product", "one length, all in W_Q") == found("dot product", None)
    shares = {
        part: (mean(found("dot product", part)) - whole) / (accent - whole)
        for part in ("one length", *city_splits.FACTORED)
    }
    assert 0.5 < shares["one length"] < 0.6 and 0.45 < shares["one length, mixed"] < 0.55
    assert 0.65 < shares["one length, balanced"] < shares["one length, all in W_K"] < 0.75


def test_the_gaussian_uses_the_lengths() -> None:
    """Without its term the Gaussian loses more than its lead, and the dot product gains by it."""
    plain, gaussian = (mean(found(score, None)) for score in ("dot product", "Gaussian"))
    without = found("Gaussian", "without the term")
    assert all(a < b - 0.05 for a, b in zip(without, found("Gaussian", None), strict=True))
    assert 0.64 < mean(without) < 0.66 and mean(found("dot product", "Gaussian's term")) > gaussian
    assert mean(found("dot product", "one length, all in W_K")) > gaussian > plain


def test_two_projections_find_more_new_cities_than_one_matrix() -> None:
    """In each split they are ahead in the mean of the seeds; single trainings overlap on three of the five."""
    overlap = 0
    for split in city_splits.SPLITS:
        one, two = (found(score, None, split=split) for score in ("bilinear", "dot product"))
        assert mean(two) > mean(one) + 0.01
        overlap += max(one) > min(two)
    one, two = (mean(found(score, None)) for score in ("bilinear", "dot product"))
    assert overlap == 3 and 0.675 < one < 0.695 and 0.755 < two < 0.765
