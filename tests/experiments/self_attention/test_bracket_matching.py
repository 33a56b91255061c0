"""A layer learns which brackets are partners, and its interaction matrix says so."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_attention.experiments.self_attention.bracket_matching import (
    SYMBOLS,
    IdentityProjections,
    SelfAttention,
    TiedProjections,
    draw_text,
    finds_partners,
    interaction,
    partner,
    symbols_of,
    tokens_of,
    train,
    weights_in,
)


@pytest.fixture(scope="module", params=[3, 4])
def free(request):
    return train(SelfAttention, seed=request.param)


def test_is_learned(free):
    """The error falls below a hundredth, and each symbol's largest entry of M is its partner's."""
    assert free.loss[:5].mean() > 0.5 > 0.01 > free.error
    assert finds_partners(interaction(free.layer))


def test_new_texts(free):
    """In a text of any length each bracket looks at its partner; two of a kind share."""
    weights = weights_in(free.layer, "([{<>}])")
    assert (weights.argmax(-1) == np.arange(8)[::-1]).all()
    shares = weights_in(free.layer, "([])()")[-1]
    assert 0.3 < shares[0] < 0.7 and 0.3 < shares[4] < 0.7


def test_tied_learns_half():
    """With one projection for both, half of the variance is left, and M does not hold the relation."""
    tied = train(TiedProjections, seed=3)
    assert 0.4 < tied.error < 0.6 and not finds_partners(interaction(tied.layer))
    m = interaction(tied.layer)
    np.testing.assert_allclose(m, m.T, atol=1e-5)


def test_unprojected_learns_nothing():
    """With tokens as queries and keys, M is the identity over √d_model, and stays so."""
    unprojected = train(IdentityProjections, seed=3, n_steps=100)
    assert unprojected.error > 0.9
    np.testing.assert_allclose(interaction(unprojected.layer), np.eye(12) / 12**0.5, atol=1e-6)


@pytest.mark.parametrize(("d_key", "learned"), [(1, False), (2, True)])
def test_smallest_d_key(d_key, learned):
    """Two channels are enough, one is not."""
    error = train(d_key=d_key, seed=3).error
    assert error < 0.05 if learned else error > 0.3


def test_repeats():
    """The same seed gives the same training, another seed another; the global generator is left alone."""
    before = torch.random.get_rng_state()
    first, second, other = (train(seed=seed, n_steps=3).loss for seed in (0, 0, 1))
    assert np.array_equal(first, second) and not np.array_equal(first, other)
    assert torch.equal(torch.random.get_rng_state(), before)


def test_texts_are_nested():
    """Every text has each symbol once, and closes brackets in the order in which they can be closed."""
    generator = torch.Generator().manual_seed(0)
    texts = [draw_text(generator) for _ in range(200)]
    for text in texts:
        opened = []
        for symbol in text:
            if symbol in "([{<":
                opened.append(symbol)
            else:
                assert opened.pop() == partner(symbol)
        assert sorted(text) == sorted(SYMBOLS)
    assert len(set(texts)) > 100  # of 336


def test_tokens():
    """A token is its symbol's channel and its mark, no more."""
    marks = torch.randn(2, 8, 4)
    tokens = tokens_of(symbols_of(["()[]{}<>", "([{<>}])"]), marks)
    assert tokens.shape == (2, 8, 12)
    assert torch.equal(tokens[..., 8:], marks) and (tokens[..., :8].sum(-1) == 1).all()
    assert tokens[1, 7, SYMBOLS.index(")")] == 1
