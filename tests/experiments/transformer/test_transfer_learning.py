"""The encoder that is reused is the trained one, kept or tuned as asked, and the ninth language is a new one."""

from __future__ import annotations

import torch

from course_attention.experiments.seq2seq.dates import LANGUAGES, date_vocabularies
from course_attention.experiments.transformer.model import Transformer
from course_attention.experiments.transformer.transfer_learning import (
    LANGUAGE,
    finnish_pairs,
    reuse_encoder,
    transfer,
)


def build(seed):
    return Transformer(*map(len, date_vocabularies()), seed=seed)


def test_a_ninth_language():
    """Finnish is none of the eight; no day is in both parts; longer lists begin like shorter ones."""
    assert LANGUAGE not in LANGUAGES
    train, test = finnish_pairs(30, 20)
    assert not set(train.targets) & set(test.targets)
    assert any("kuuta" in text for text in train.sources)


def test_the_encoder_is_taken_over():
    """Embeddings and encoder come from the trained model, the decoder does not; kept weights are not trained."""
    trained, model = build(0), build(1)
    decoder = model.decoder[0].feed_forward[0].weight.clone()
    reuse_encoder(trained, model, tuned=False)
    assert torch.equal(model.encoder[1].norm_1.weight, trained.encoder[1].norm_1.weight)
    assert torch.equal(model.embed_source.weight, trained.embed_source.weight)
    assert torch.equal(model.decoder[0].feed_forward[0].weight, decoder)
    assert not any(p.requires_grad for p in model.encoder.parameters())
    assert all(p.requires_grad for p in model.decoder.parameters())
    assert all(p.requires_grad for p in reuse_encoder(trained, build(1), tuned=True).parameters())


def test_results():
    """One share for each number of examples; the trained model is left as it was."""
    trained = build(0)
    before = {name: weight.clone() for name, weight in trained.state_dict().items()}
    found = transfer(trained, ("encoder tuned",), sizes=(5, 10), n_steps=2)
    assert found["encoder tuned"].exact.shape == found["encoder tuned"].characters.shape == (2,)
    assert all(torch.equal(weight, before[name]) for name, weight in trained.state_dict().items())
    assert all(p.requires_grad for p in trained.parameters())
