"""Training learns, repeats, and is measured by greedy decoding."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_attention.experiments.common.copy_task import copy_pairs
from course_attention.experiments.common.pairs import PAD, Pairs, Vocabulary
from course_attention.experiments.seq2seq.dates import date_pairs
from course_attention.experiments.seq2seq.translation import Translation, train_translator, translate


@pytest.fixture(scope="module")
def short():
    return copy_pairs(n_train=2000, n_test=200, shortest=2, longest=5)


def test_repeats(short):
    """The same seed gives the same losses, another seed others; the global random state is left alone."""
    state = torch.random.get_rng_state()
    runs = [train_translator(short[0], n_steps=6, d_hidden=8, seed=seed)[1].loss for seed in (0, 0, 1)]
    assert torch.equal(state, torch.random.get_rng_state())
    assert runs[0] == runs[1] != runs[2]
    assert len(runs[0]) == 6


def test_history(short, device):
    """Unseen pairs are measured at every so many steps and at the last."""
    _, history = train_translator(*short, n_steps=7, check_every=3, d_hidden=8, device=device)
    assert history.steps == [3, 6, 7]
    assert len(history.accuracy) == 3


class Fixed:
    """Stands in for a model: writes what it was told."""

    def __init__(self, symbols, alignment):
        self.symbols, self.alignment = symbols, alignment

    def parameters(self):
        return iter([torch.zeros(1)])

    def translate(self, source, allowed, n_target):
        return self.symbols[:, :n_target], self.alignment[:, :n_target]


def test_measures():
    """Exact match asks for every character and the end mark; the share of characters counts what is right."""
    letters = Vocabulary.of(["ab"])
    pairs = Pairs.of(["ab", "ab", "a"], ["ab", "ab", "a"], ["", "", ""], letters, letters)
    written = torch.tensor([[3, 4, 2], [3, 3, 3], [3, 2, 4]])
    result = translate(Fixed(written, torch.full((3, 3, 2), 0.5)), pairs)
    assert result.texts == ("ab", "aaa", "a")
    assert result.exact.tolist() == [True, False, True]  # what follows the end mark does not count
    assert np.allclose(result.characters, [1, 1 / 3, 1])
    assert result.n_written.tolist() == [3, 3, 2]
    assert result.steps(0) == ["a", "b", "∎"]
    assert result.steps(1) == ["a", "a", "a"]
    assert result.weights(2).shape == (2, 1)


def test_entropy():
    """Two characters alike are one bit, one alone is none; beyond the end mark is NaN."""
    alignment = np.array([[[0.5, 0.5], [1.0, 0.0], [0.5, 0.5]]])
    translation = Translation(("a",), alignment, np.array([2]), np.array([2]), np.array([True]), np.array([1.0]))
    assert np.array_equal(translation.entropy(), [[1.0, 0.0, np.nan]], equal_nan=True)


def test_uneven_targets_cost_nothing(short):
    """Padding of the targets has no part in the loss: symbols that only padding holds are not learnt."""
    pairs = short[0]
    assert (pairs.target == PAD).any()
    model, _ = train_translator(pairs, n_steps=30, d_hidden=8)
    symbols, _ = model.translate(*pairs.batch(torch.arange(100))[:2], 8)
    assert not (symbols == PAD).any()


@pytest.mark.parametrize("attends", [True, False])
def test_strings(attends):
    """In 80 steps most characters of short strings are copied rightly with attention, and few without."""
    train, test = copy_pairs(n_train=2000, n_test=200, shortest=6, longest=8)
    options = {} if attends else {"attend": None}
    model, _ = train_translator(train, n_steps=80, batch_size=32, d_hidden=48, **options)
    share = translate(model, test).characters.mean()
    assert share > 0.55 if attends else share < 0.35


@pytest.mark.slow
@pytest.mark.exhaustive
def test_dates(device):
    """With attention 99% of unseen dates come out right; without, in as many steps, fewer than 20%."""
    train, test = date_pairs()
    accuracy = {
        attends: translate(train_translator(train, device=device, **options)[0], test).exact.mean()
        for attends, options in ((True, {}), (False, {"attend": None}))
    }
    assert accuracy[True] >= 0.99
    assert accuracy[False] < 0.2
