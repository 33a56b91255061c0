"""Length buckets, and gradients of the last state against what finite differences say."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_attention.experiments.common.copy_task import copy_pairs
from course_attention.experiments.seq2seq.bottleneck import (
    length_curve,
    sensitivity_of_last_state,
    sensitivity_of_states,
)
from course_attention.experiments.seq2seq.translator import Translator


@pytest.fixture(scope="module")
def pairs():
    return copy_pairs(n_train=50, n_test=20, shortest=4, longest=6)


def test_copies(pairs):
    """Strings of the lengths asked for, no letter twice, none of the test in training."""
    train, test = pairs
    assert {len(source) for source in train.sources} == {4, 5, 6}
    assert all(len(set(source)) == len(source) for source in train.sources)
    assert train.sources == train.targets
    assert not set(train.sources) & set(test.sources)


def test_curve_shapes():
    """A row per seed, a column per bucket, in both measures; middles of the buckets on the axis."""
    curve = length_curve(seeds=(0, 1), n_steps=2, edges=(3, 5, 6), n_pairs=(100, 20))
    assert curve.lengths.tolist() == [3.5, 5.0]
    for accuracy in (curve.with_attention, curve.without_attention, curve.exact_with_attention):
        assert accuracy.shape == (2, 2)
        assert ((accuracy >= 0) & (accuracy <= 1)).all()


def test_gradient(pairs):
    """The norm is that of the Jacobian, taken here by finite differences."""
    model = Translator(29, 29, None, d_embedding=3, d_hidden=4).double()
    one = copy_pairs(n_train=1, n_test=1, shortest=3, longest=3)[0]
    forwards, backwards = sensitivity_of_last_state(model, one, 3)
    embedded = model.embed_source(one.source).detach()
    jacobian = np.zeros((4, 3, 3))
    for place in np.ndindex(3, 3):
        step = torch.zeros_like(embedded)
        step[(0, *place)] = 1e-5
        ends = [model.encode(embedded + sign * step, one.allowed)[1][0].detach().numpy() for sign in (1, -1)]
        jacobian[(slice(None), *place)] = (ends[0] - ends[1]) / 2e-5
    assert np.allclose(forwards, np.sqrt((jacobian[:2] ** 2).sum(axis=(0, 2))), atol=1e-7)
    assert np.allclose(backwards, np.sqrt((jacobian[2:] ** 2).sum(axis=(0, 2))), atol=1e-7)


def test_favours_recent(pairs):
    """Before training, each direction depends most on what it read last."""
    for seed in range(5):
        forwards, backwards = sensitivity_of_last_state(Translator(29, 29, None, seed=seed), pairs[0], 6)
        assert (np.diff(forwards) > 0).all()
        assert (np.diff(backwards) < 0).all()


def test_too_long(pairs):
    """The error says how long sources are."""
    with pytest.raises(ValueError, match="at most 6"):
        sensitivity_of_last_state(Translator(29, 29, None), pairs[0], 7)


def test_one_way_knows_the_past_only():
    """A one-way encoder's states depend on what came before and nothing else; with both ways, on everything."""
    embedded = torch.randn(5, 3, generator=torch.Generator().manual_seed(0))
    for bidirectional in (False, True):
        encoder = torch.nn.GRU(3, 4, batch_first=True, bidirectional=bidirectional)
        depends = sensitivity_of_states(encoder, embedded)
        assert depends.shape == (5, 5)
        assert (np.tril(depends) > 0).sum() == 15
        assert ((np.triu(depends, 1) > 0).sum() == 10) == bidirectional
