"""What attention adds, what padding must not change, and whose function is called."""

from __future__ import annotations

from datetime import date

import pytest
import torch

from course_attention.experiments.seq2seq.dates import same_day_pairs
from course_attention.experiments.seq2seq.translator import Translator
from course_attention.mechanisms.seq2seq import attend_and_concat


@pytest.fixture(scope="module")
def batch(device):
    pairs = same_day_pairs(date(2024, 4, 3))
    return pairs.batch(torch.arange(len(pairs)), device)


@pytest.fixture(scope="module")
def make(device):
    def build(attend):
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            return Translator(100, 14, attend, d_embedding=8, d_hidden=6).to(device)

    return build


@pytest.mark.parametrize("attend", [attend_and_concat, None])
def test_shapes(make, attend, batch):
    """Logits for every target symbol; an alignment with attention, none without."""
    model = make(attend)
    source, allowed, target = batch
    assert model(source, allowed, target).shape == (*target.shape, 14)
    symbols, alignment = model.translate(source, allowed, 5)
    assert symbols.shape == (len(source), 5)
    assert alignment is None if attend is None else alignment.shape == (len(source), 5, source.shape[1])


def test_difference(make):
    """The two models differ in one weight matrix, which reads a_t as well as s_t."""
    sizes = [
        {name: tuple(weight.shape) for name, weight in make(attend).named_parameters()}
        for attend in (attend_and_concat, None)
    ]
    different = {name: (sizes[0][name], sizes[1][name]) for name in sizes[0] if sizes[0][name] != sizes[1][name]}
    assert different == {"output.0.weight": ((6, 12), (6, 6))}
    assert sizes[0].keys() == sizes[1].keys()


def test_alignment(make, batch):
    """Each row of an alignment is a distribution over the characters, with nothing on padding."""
    source, allowed, _ = batch
    _, alignment = make(attend_and_concat).translate(source, allowed, 4)
    assert torch.allclose(alignment.sum(dim=-1), torch.ones_like(alignment[..., 0]))
    assert (alignment.transpose(1, 2)[~allowed] == 0).all()


@pytest.mark.parametrize("attend", [attend_and_concat, None])
def test_padding(make, attend, batch):
    """A source says the same alone as beside longer ones."""
    source, allowed, target = batch
    model, length = make(attend), int(allowed[1].sum())
    assert length < source.shape[1]
    together = model(source, allowed, target)[1]
    alone = model(source[1:2, :length], allowed[1:2, :length], target[1:2])[0]
    assert torch.allclose(together, alone, atol=1e-5)


def test_teacher_forcing_is_causal(make, batch):
    """A logit depends on the target symbols before it only."""
    source, allowed, target = batch
    changed = target.clone()
    changed[:, 3] = 5
    before, after = (make(attend_and_concat)(source, allowed, each) for each in (target, changed))
    assert torch.equal(before[:, :4], after[:, :4])
    assert not torch.equal(before[:, 4:], after[:, 4:])


def test_greedy_agrees(make, batch):
    """Fed with what greedy decoding wrote, teacher forcing finds each symbol the likeliest."""
    source, allowed, _ = batch
    model = make(attend_and_concat)
    symbols, _ = model.translate(source, allowed, 6)
    assert torch.equal(model(source, allowed, symbols).argmax(dim=-1), symbols)


def test_own_function(make, batch):
    """The function passed in is the one that is called, in training and in decoding."""
    calls = []

    def own(state, memory, allowed):
        calls.append(tuple(state.shape))
        return attend_and_concat(state, memory, allowed)

    source, allowed, target = batch
    model = make(own)
    model(source, allowed, target)
    model.translate(source, allowed, 2)
    assert calls == [(len(source), 6)] * (target.shape[1] + 2)
