"""A model that sees the answer has a loss that no honest one can have, and says nothing that makes sense."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_attention.experiments.masking.grammar import LONGEST, WORDS, entropy_rate, is_sentence
from course_attention.experiments.masking.language_model import train_language_models
from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.masking import causal_mask

N = LONGEST + 1
MASKS = {"causal": causal_mask(N), "none": torch.ones(N, N, dtype=torch.bool)}


@pytest.fixture(scope="module")
def short():
    return train_language_models(MASKS, n_steps=300, n_seeds=2)


def test_leak_shows_in_the_loss(short):
    """In 300 steps the causal loss comes near the least possible and stays above it; the leak falls through it."""
    assert (short["causal"].final > 0.97 * entropy_rate()).all()
    assert (short["causal"].final < 1.3 * entropy_rate()).all()
    assert (short["none"].final < 0.7 * entropy_rate()).all()


def test_leak_cannot_speak(short):
    """Hardly a sentence of the leaking model is one; many of the other's are."""
    right = {
        name: np.mean([is_sentence(s) for said in m.generate(50) for s in said]) for name, m in short.items()
    }
    assert right["none"] < 0.1 < 0.3 < right["causal"]


def test_sight(short):
    """Under the causal mask the future has no influence, exactly; without one it has."""
    words = ["the", "cat", "sees", "the", "dogs", "."]
    causal, leaking = (short[name].mean_influence(words) for name in MASKS)
    assert causal.shape == (6, 6)
    assert (causal.triu(1) == 0).all() and (leaking.triu(1) > 0).any()


def test_models_do_not_mix():
    """A model's loss is the same whether another is trained beside it or not; the seeds differ."""
    both = train_language_models(MASKS, n_steps=3, n_seeds=2)["causal"].loss
    alone = train_language_models({"causal": MASKS["causal"]}, n_steps=3, n_seeds=2)["causal"].loss
    assert np.allclose(both, alone, rtol=1e-4)
    assert not np.allclose(both[0], both[1], rtol=1e-3)


def test_parts_are_used():
    """The attention and the padding mask handed in are the ones that run."""
    calls = []

    def attend(query, key, value, allowed):
        calls.append(tuple(allowed.shape))
        return attention(query, key, value, allowed)

    def no_padding(lengths, n_keys):
        calls.append("pad")
        return torch.ones(len(lengths), 1, n_keys, dtype=torch.bool)

    models = train_language_models(MASKS, attend=attend, pad=no_padding, n_steps=1, n_seeds=1, batch=2)
    assert calls == ["pad", (2, 1, 2, N, N)]
    said = models["causal"].generate(3)
    assert calls[2] == (1, 1) and len(said) == 1 and len(said[0]) == 3
    assert {word for sentence in said[0] for word in sentence} <= set(WORDS)
