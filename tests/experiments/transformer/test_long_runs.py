"""The figures of notebook 08's long run: each is one that the script makes, and those that the text needs are there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from course_attention.experiments.common.long_runs import long_run
from course_attention.experiments.seq2seq.dates import date_vocabularies
from course_attention.experiments.transformer.model import Transformer
from tools.long_runs import facts, parts_and_norms, small_changes, transfer, translator_rates
from tools.long_runs.parts_and_norms import SETTINGS

ROWS = long_run("transformer", "parts_and_norms")
CHANGED = translator_rates.NEIGHBOURS, translator_rates.ALONE, *translator_rates.RELATIVE
ADDED = *translator_rates.HALVES, *CHANGED


def test_every_row_is_a_setting() -> None:
    """The script asks for each row once, and no row is there twice."""
    asked = [tuple(one[name] for name in SETTINGS) for one in parts_and_norms.settings()]
    there = [tuple(row[name] for name in SETTINGS) for row in ROWS]
    assert len(set(asked)) == len(asked) and len(set(there)) == len(there) and set(there) <= set(asked)


def test_the_translator_of_the_notebook() -> None:
    """Dates are learned by a model of the size that the text names, and letters by the sizes that the rows name."""
    n_source, n_target = map(len, date_vocabularies())
    translator = parts_and_norms.built_of(n_source, n_target, "whole", 2, seed=0)
    assert sum(parameter.numel() for parameter in translator.parameters()) == 45_326
    for row in ROWS:
        sizes = (n_source, n_target) if row["task"] == "dates" else (29, 29)
        model = parts_and_norms.built_of(*sizes, row["model"], row["n_blocks"], seed=0)
        assert row["parameters"] == sum(parameter.numel() for parameter in model.parameters())


def test_training_of_a_few_steps() -> None:
    """The script's loop lowers the loss, and a model that lacks a part is built without it."""
    pairs, _ = parts_and_norms.TASKS["letters"]()
    model = parts_and_norms.built_of(29, 29, "without positions", 1, seed=0)
    assert not model.positions
    losses = parts_and_norms.train(model, pairs, 16, 0.01, 0.1, 12, seed=0)
    assert len(losses) == 12 and sum(losses[-3:]) < sum(losses[:3])


def test_weights_by_xaviers_rule() -> None:
    """They come from the seed alone, keep to the rule's bounds, and leave the embeddings and the random state alone."""

    def drawn(model: str, seed: int) -> Transformer:
        return parts_and_norms.built_of(29, 29, model, 1, seed)

    torch.manual_seed(5)
    state = torch.get_rng_state()
    first = drawn("whole, Xavier", 0)
    assert torch.equal(torch.get_rng_state(), state)
    torch.manual_seed(6)
    again, other, usual = drawn("whole, Xavier", 0), drawn("whole, Xavier", 1), drawn("whole", 0)
    assert torch.equal(first.embed_source.weight, usual.embed_source.weight)
    hidden = [one.encoder[0].feed_forward[0].weight for one in (first, again, other, usual)]
    assert torch.equal(hidden[0], hidden[1]) and not torch.equal(hidden[0], hidden[2])
    bound = (6 / (32 + 64)) ** 0.5
    assert 0.95 * bound < hidden[0].abs().max() <= bound and hidden[3].abs().max() < 0.8 * bound
    assert hasattr(drawn("pre-norm, last norms, Xavier", 0), "last_norm")


def test_clipping() -> None:
    """How gradients are clipped changes no first weight, and gradients without a length change no weight at all."""
    pairs, _ = parts_and_norms.TASKS["letters"]()
    models = [
        parts_and_norms.built_of(29, 29, f"whole{ending}", 1, seed=0) for ending in ("", *parts_and_norms.CLIPPED)
    ]
    first = models[0].state_dict()
    assert all(torch.equal(one, model.state_dict()[name]) for model in models for name, one in first.items())
    before = models[0].output.weight.detach().clone()
    parts_and_norms.train(models[0], pairs, 16, 0.01, 0.1, 3, seed=0, clip=0.0)
    assert torch.equal(models[0].output.weight, before)
    parts_and_norms.train(models[0], pairs, 16, 0.01, 0.1, 3, seed=0, clip=float("inf"))
    assert not torch.equal(models[0].output.weight, before)


def test_both_networks_are_trained_alike() -> None:
    """Each network has a row at each rate with each seed, with as many parameters as the script gives it."""
    rows = long_run("transformer", "translator_rates")
    assert sorted((row["seed"], row["rate"], row["network"]) for row in rows) == sorted(translator_rates.settings())
    for network in {row["network"] for row in rows}:
        parameters = sum(parameter.numel() for parameter in translator_rates.built(network, seed=0).parameters())
        assert {row["parameters"] for row in rows if row["network"] == network} == {parameters}


def test_the_networks_with_larger_batches_are_the_whole_ones() -> None:
    """Batches change no weight, a narrower network is smaller, and last norms add their own parameters."""

    def size(network: str) -> int:
        return sum(parameter.numel() for parameter in translator_rates.built(network, seed=0).parameters())

    for network in translator_rates.NETWORKS:
        assert size(f"{network}, {translator_rates.LARGE}") == size(network)
    assert size("recurrent, 24 wide") < size("recurrent, smaller") < size("recurrent")
    assert size("Transformer, 900 steps on 4000 dates") == size("Transformer")
    few = [size(f"{network}, 1200 steps") for network in translator_rates.FEW]
    assert few == [11_894, 8_062, 7_406, 5_734, 3_662]
    assert size(translator_rates.LAST_NORMS) == size("pre-norm") + 4 * 32


def test_the_first_of_some_pairs() -> None:
    """They are the first texts with their translations, and the vocabularies stay; without a number all are there."""
    pairs, _ = parts_and_norms.TASKS["letters"]()
    some = translator_rates.first(pairs, 7)
    assert (some.sources, some.targets) == (pairs.sources[:7], pairs.targets[:7])
    assert some.source_vocabulary == pairs.source_vocabulary and translator_rates.first(pairs, None) is pairs


def test_a_half_of_each_network() -> None:
    """Each translates, its size is about that of the whole ones, padding changes nothing, and all of it trains."""
    source = torch.tensor([[5, 6, 7, 0], [5, 6, 7, 0]])
    target = torch.tensor([[3, 4, 2], [3, 4, 2]])
    for network in ADDED:
        model = translator_rates.built(network, seed=0)
        assert 40_000 < sum(parameter.numel() for parameter in model.parameters()) < 50_000
        logits = model(source, source != 0, target)
        torch.testing.assert_close(logits[:1], model(source[:1, :3], source[:1, :3] != 0, target[:1]))
        logits.sum().backward()
        assert all(parameter.grad is not None for parameter in model.parameters())


def test_relative_positions() -> None:
    """Both begin with the weights of the whole Transformer; a bias of 0 changes nothing, and a rotation does."""
    whole, bias, turned = (translator_rates.built(name, 0) for name in ("Transformer", *translator_rates.RELATIVE))
    source = torch.tensor([[5, 6, 7, 8, 9, 0], [9, 5, 6, 7, 0, 0]])
    allowed = source != 0
    expected = whole.encode(source, allowed)
    torch.testing.assert_close(bias.encode(source, allowed), expected)
    assert not torch.allclose(turned.encode(source, allowed), expected, atol=1e-3)
    with torch.no_grad():
        bias.encoder[0].attention.table[:, translator_rates.REACH + 1] = 50.0  # every token looks at the next one
    weights = bias.encoder[0].attention(whole.embed_source(source), allowed=allowed.unsqueeze(-2))[1]
    assert weights[0, :, range(4), range(1, 5)].min() > 0.99


def test_every_way_of_the_transfer() -> None:
    """Each way has a row at each rate with each seed, and the shares of a row fit together."""
    rows = long_run("transformer", "transfer")
    asked = [dict(zip(("seed", "n_steps", "rate", "way"), one, strict=True)) for one in transfer.settings()]
    there = [{key: row[key] for key in ("seed", "n_steps", "rate", "way")} for row in rows]
    assert sorted(map(str, there)) == sorted(map(str, asked))
    for row in rows:
        assert min(row["digits"], row["named"]) <= row["accuracy"] <= max(row["digits"], row["named"])
        assert row["named"] <= row["rest"] <= 1


def test_what_each_way_takes_over() -> None:
    """Frozen parts do not train, a new decoder begins elsewhere than the trained model did, and that one is left."""
    trained = transfer.drawn(0)
    first = {name: weight.clone() for name, weight in trained.state_dict().items()}
    for way in ("as it is", *transfer.WAYS, *transfer.GENTLER, transfer.BETWEEN):
        model = transfer.transferred(way, trained, seed=0)
        for part in ("embed_source.weight", "encoder.1.feed_forward.0.weight"):
            is_taken = torch.equal(model.get_parameter(part), trained.get_parameter(part))
            assert is_taken == (way not in ("new", "new, frozen"))
        assert torch.equal(model.embed_target.weight, trained.embed_target.weight) == (way in ("as it is", "all"))
        assert model.embed_source.weight.requires_grad == (way not in ("frozen", "new, frozen"))
        assert all(weight.requires_grad for weight in model.decoder.parameters())
    assert all(torch.equal(weight, first[name]) for name, weight in trained.state_dict().items())


def test_the_encoder_is_tuned_more_gently() -> None:
    """It moves less at a share of the rate, and at a share of 0 it stays while the decoder learns."""
    pairs, _ = parts_and_norms.TASKS["letters"]()

    def moved(share: Callable[[int], float] | None) -> tuple[float, float]:
        model = parts_and_norms.built_of(29, 29, "whole", 1, seed=0)
        parts = model.embed_source.weight, model.embed_target.weight
        before = [part.detach().clone() for part in parts]
        parts_and_norms.train(model, pairs, 16, 0.01, 0.1, 6, 0, share)
        source, target = (float((part.detach() - old).norm()) for part, old in zip(parts, before, strict=True))
        return source, target

    frozen, tenth, late, fully = map(moved, (lambda _: 0.0, lambda _: 0.1, transfer.share_of("tuned late", 6), None))
    assert 0 == frozen[0] < tenth[0] < late[0] < fully[0] and min(frozen[1], late[1]) > 0
    assert moved(lambda _: 1.0) == pytest.approx(fully, rel=1e-3)
    late_share = transfer.share_of("tuned late", 100)
    assert late_share and [late_share(step) for step in (1, 50, 51, 100)] == [0, 0, 1, 1]
    assert transfer.share_of("tuned", 100) is None


def test_every_model_that_learns_facts() -> None:
    """Each row is one that the script makes, with as many parameters; the models have about as many."""
    rows = long_run("transformer", "facts")
    assert [{name: row[name] for name in facts.SETTINGS} for row in rows] == list(facts.settings())
    pairs = facts.facts(20, seed=0)
    sizes = {name: sum(one.numel() for one in facts.built(pairs, name, seed=0).parameters()) for name in facts.MODELS}
    assert all(row["parameters"] == sizes[row["model"]] for row in rows)
    others = set(sizes) - {facts.AS_WIDE, facts.LARGE}
    assert all(0.9 < sizes[name] / sizes["whole"] <= 1 for name in others) and sizes[facts.LARGE] > 2 * sizes["whole"]


def test_facts_with_linear_networks() -> None:
    """Each network is a linear map plus a constant, and all else is the whole model's."""
    pairs = facts.facts(20, seed=0)
    linear, whole = (facts.built(pairs, name, seed=0) for name in (facts.LINEAR, "whole"))
    assert all(torch.equal(one, other) for one, other in zip(linear.parameters(), whole.parameters(), strict=True))
    a, b = torch.randn(2, 32, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        for model, is_linear in ((linear, True), (whole, False)):
            for block in (*model.encoder, *model.decoder):
                f = block.feed_forward
                assert bool((f(a + b) - f(a) - f(b) + f(0 * a)).abs().max() < 1e-5) == is_linear


def test_equal_changes_of_all_weights() -> None:
    """Each row is one that the script makes; the model stays as it was, and small changes move it in proportion."""
    rows = long_run("transformer", "small_changes")
    assert [{name: row[name] for name in small_changes.SETTINGS} for row in rows] == list(small_changes.settings())
    pairs, _ = parts_and_norms.TASKS["letters"]()
    model = parts_and_norms.built(pairs, "whole", 1, seed=0)
    before = [weight.clone() for weight in model.parameters()]
    one, twice = (small_changes.moved(model, pairs, size, n_draws=1) for size in (0.0005, 0.001))
    assert all(torch.equal(weight, old) for weight, old in zip(model.parameters(), before, strict=True))
    assert 0 < one < twice and twice == pytest.approx(2 * one, rel=0.05)


def test_facts_cannot_be_worked_out() -> None:
    """No triple comes twice, other seeds give other letters, and a model that has learned nothing knows few."""
    one, other = facts.facts(500, seed=0), facts.facts(500, seed=1)
    assert len(set(one.sources)) == 500 and one.targets != other.targets
    assert facts.known(facts.built(one, "whole", seed=0), one) < 0.15
