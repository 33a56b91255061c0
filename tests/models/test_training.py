"""The training script: what it learns of a text, and a model that does not see what it predicts."""

from __future__ import annotations

import math

import pytest
import torch

from course_attention.models.tokenizer import Tokenizer

training = pytest.importorskip("tools.train_language_model", reason="safetensors is not installed: make .venv/dev")


def test_merges() -> None:
    """The most frequent pair becomes a token first, and pairs of it come later."""
    a, b, c = map(ord, "abc")
    assert training.learn_merges(["abc abc ab"], 2) == [(a, b), (256, c)]


def test_held_out_files_are_not_trained_on() -> None:
    """One file in twenty is held out; no text is in both parts."""
    texts, held_out = training.files()
    assert len(held_out) == math.ceil((len(texts) + len(held_out)) / 20)
    assert {text for text in held_out if len(text) > 1000}.isdisjoint(texts)


def test_model_sees_no_later_token() -> None:
    """A later token changes nothing before it."""
    torch.manual_seed(0)
    model = training.untrained(50, n_layers=2, d_model=16, n_heads=4, n_groups=2, d_hidden=24)
    tokens = torch.randint(50, (1, 12))
    other = tokens.clone()
    other[0, 8] = (tokens[0, 8] + 1) % 50
    (before, _), (after, _) = model(tokens), model(other)
    assert torch.equal(before[:, :8], after[:, :8])
    assert not torch.equal(before[:, 8:], after[:, 8:])


def test_bits_of_an_untrained_model() -> None:
    """A model that knows nothing needs about log₂ of the vocabulary for each token, whatever the context is."""
    tokenizer = Tokenizer([])
    torch.manual_seed(0)
    model = training.untrained(len(tokenizer), n_layers=1, d_model=16, n_heads=2, n_groups=1, d_hidden=16)
    for context in (8, 64):
        assert training.bits(model, tokenizer, ["x = 1\n" * 10], context) == pytest.approx(math.log2(257), abs=0.2)
