"""The lookup task can be learned, and shows what leaving out √d_key does."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_attention.experiments.attention.lookup import best_lookup, draw_lookups, train_lookup


@pytest.fixture(scope="module")
def wide():
    return best_lookup(512, True, (0.003, 0.01)), best_lookup(512, False, (0.003, 0.01))


def test_is_learned(wide):
    """At d_key 512 the scaled attention ends below a tenth of the values' variance, at every seed."""
    assert (wide[0].final < 0.1).all()


def test_unscaled_is_slower(wide):
    """At d_key 512 every unscaled seed needs three times the steps of any scaled one to halve the error."""
    scaled, unscaled = (run.steps_to(0.5) for run in wide)
    assert unscaled.min() > 3 * scaled.max()


def test_starts_uniform_when_scaled(wide):
    """Before training the scaled weights are near uniform, the unscaled ones near a single key."""
    scaled, unscaled = wide
    assert (scaled.entropy > 0.7).all()
    assert (unscaled.entropy < 0.2).all()


def test_narrow_hardly_differs():
    """At d_key 8, each at its best rate, both end alike, within a third, seeds averaged."""
    scaled, unscaled = best_lookup(8, True), best_lookup(8, False)
    assert 0.75 < scaled.final.mean() / unscaled.final.mean() < 1.33


def test_seeds_do_not_mix():
    """The first losses of different seeds differ, and repeat when run again."""
    first, second = train_lookup(8, n_steps=2), train_lookup(8, n_steps=2)
    assert np.allclose(first.loss, second.loss)
    assert len(set(first.loss[:, 0].round(6))) == 3


def test_target_is_the_value_of_the_key():
    """Without noise the query is its key, turned, and the target is that key's value."""
    turn = torch.linalg.qr(torch.randn(3, 3))[0]
    query, key, value, target = draw_lookups(turn, 4, 5, 2, 0.0, torch.Generator().manual_seed(0))
    closest = (query @ turn.T @ key.mT - key.square().sum(-1).unsqueeze(-2) / 2).argmax(-1)
    assert torch.equal(value[torch.arange(4), closest[:, 0]], target[:, 0])


def test_best_is_best():
    """Of the rates given, the one with the lowest final loss is kept."""
    runs = [train_lookup(8, rate=rate, n_steps=40) for rate in (0.0001, 0.01)]
    best = best_lookup(8, rates=(0.0001, 0.01), n_steps=40)
    assert best.rate == min(runs, key=lambda run: run.final.mean()).rate == 0.01
