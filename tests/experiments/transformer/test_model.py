"""The Transformer of the dates is made of the blocks it is given, keeps to its masks, and learns."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.common.copy_task import copy_pairs
from course_attention.experiments.common.pairs import PAD
from course_attention.experiments.seq2seq import translation
from course_attention.experiments.seq2seq.dates import date_pairs
from course_attention.experiments.transformer.model import TRAINING, Transformer
from course_attention.mechanisms.transformer import DecoderBlock, EncoderBlock


@pytest.fixture(scope="module")
def short():
    return copy_pairs(n_train=500, n_test=50, shortest=2, longest=5)


def small(pairs, **options):
    sizes = len(pairs.source_vocabulary), len(pairs.target_vocabulary)
    return Transformer(*sizes, **{"d_model": 16, "n_heads": 2, "d_hidden": 32, "n_blocks": 1} | options)


def test_seeded(short):
    """Weights come from the seed alone; the global random state is left as it was."""
    state = torch.random.get_rng_state()
    models = [small(short[0], seed=seed) for seed in (0, 0, 1)]
    assert torch.equal(state, torch.random.get_rng_state())
    first, second, other = (model.decoder[0].norm_1.weight.sum() + model.output.weight.sum() for model in models)
    assert first == second != other


def test_padding_changes_nothing(short):
    """A source alone and in a batch with longer ones gives the same logits."""
    model, pairs = small(short[0]), short[0]
    row = int(pairs.lengths().argmin())
    alone = model(*pairs.batch(torch.tensor([row])))
    longest = int(pairs.lengths().argmax())
    together = model(*pairs.batch(torch.tensor([row, longest])))
    assert torch.allclose(alone[0], together[0, : alone.shape[1]], atol=1e-5)


@pytest.mark.parametrize("causal", [True, False])
def test_the_future_is_masked(short, causal):
    """With the mask, logits do not depend on later targets; without it they do."""
    model = small(short[0], causal=causal)
    source, allowed, target = short[0].batch(torch.arange(8))
    changed = target.clone()
    changed[:, 2] = 3 + (changed[:, 2] + 1) % 20
    same = torch.allclose(model(source, allowed, target)[:, :2], model(source, allowed, changed)[:, :2], atol=1e-6)
    assert same is causal


def test_without_positions_the_source_is_a_bag(short):
    """Without positions, the order of the source's symbols makes no difference; with them it does."""
    source, allowed, target = short[0].batch(torch.arange(8))
    n_tokens = int(allowed.sum(1).min())
    source, allowed = source[:, :n_tokens], allowed[:, :n_tokens]
    for positions in (False, True):
        model = small(short[0], positions=positions)
        same = torch.allclose(model(source, allowed, target), model(source.flip(1), allowed, target), atol=1e-5)
        assert same is not positions


def test_greedy_decoding_agrees_with_teacher_forcing(short):
    """What is written step by step is the likeliest symbol given what was written before; alignments sum to 1."""
    model = small(short[0])
    source, allowed, _ = short[0].batch(torch.arange(8))
    symbols, alignment = model.translate(source, allowed, 4)
    assert torch.equal(model(source, allowed, symbols).argmax(-1), symbols)
    assert alignment.shape == (8, 4, source.shape[1])
    assert torch.allclose(alignment.sum(-1), torch.ones(8, 4))


def test_uses_what_it_is_given(short):
    """Blocks and shift are those handed over."""
    asked = []

    class Encoder(EncoderBlock):
        def forward(self, x, allowed=None):
            asked.append("encoder")
            return super().forward(x, allowed)

    class Decoder(DecoderBlock):
        def forward(self, *inputs):
            asked.append("decoder")
            return super().forward(*inputs)

    def shift(tokens, start):
        asked.append("shift")
        return torch.full_like(tokens, PAD)

    model = small(short[0], encoder_block=Encoder, decoder_block=Decoder, shift=shift)
    model(*short[0].batch(torch.arange(2)))
    assert sorted(asked) == ["decoder", "encoder", "shift"]


@pytest.mark.parametrize("causal", [True, False])
def test_strings(short, causal):
    """In 120 steps it learns to copy short strings; without the causal mask it learns to copy the targets instead."""
    pairs, test = copy_pairs(n_train=2000, n_test=200, shortest=3, longest=5)
    model = small(pairs, d_model=32, n_heads=4, d_hidden=64, causal=causal)
    translation.train(model, pairs, **(TRAINING | {"n_steps": 120, "learning_rate": 0.01}), batch_size=32)
    exact = translation.translate(model, test).exact.mean()
    assert exact > 0.9 if causal else exact < 0.1


@pytest.mark.slow
@pytest.mark.exhaustive
def test_dates(device):
    """98% of unseen dates come out right."""
    train, test = date_pairs()
    model = Transformer(len(train.source_vocabulary), len(train.target_vocabulary)).to(device)
    translation.train(model, train, **TRAINING)
    assert translation.translate(model, test).exact.mean() >= 0.98
