"""The long form of the rivals: nothing is missing, and its readers compute what their names say."""

from __future__ import annotations

from itertools import product

import pytest
import torch

from course_attention.experiments.common.long_runs import long_run
from course_attention.experiments.self_attention.word_senses import NO_SENSE, draw_sentences
from course_attention.mechanisms.attention import attention
from tools.long_runs import rivals

SENTENCES = draw_sentences(5, 3)


@pytest.fixture(autouse=True)
def _seed() -> None:
    torch.manual_seed(0)


def test_every_setting_has_been_run() -> None:
    """Each reader has a row for every rate and every seed, so the script would find nothing to do."""
    found = sorted((row["reader"], row["rate"], row["seed"]) for row in long_run("self_attention", "rivals"))
    assert found == sorted(product(rivals.READERS, rivals.RATES, rivals.SEEDS))


def test_the_reader_with_attention() -> None:
    """Its scores are those of attention whose values are the words' own vectors."""
    reader = rivals.AttentionReader()
    x = reader.embedding(SENTENCES.tokens)
    expected = reader.output(attention(reader.w_query(x), reader.w_key(x), x)[0])
    assert torch.allclose(reader(SENTENCES.tokens), expected, atol=1e-6)


def test_the_average_sees_the_word_and_the_mean() -> None:
    """In another order each word keeps its scores; they change where another word of the sentence changes."""
    reader, tokens = rivals.AverageReader(), SENTENCES.tokens
    assert torch.allclose(reader(tokens.flip(1)), reader(tokens).flip(1), atol=1e-5)
    other = tokens.clone()
    other[:, 0] = (other[:, 0] + 1) % 10
    assert not torch.allclose(reader(other)[:, 1:], reader(tokens)[:, 1:], atol=1e-5)


def test_loss_counts_ambiguous_words_alone() -> None:
    """Scores of other words do not change the loss."""
    scores = torch.randn(5, 20, 2)
    changed = scores + 3 * torch.randn(5, 20, 2) * (SENTENCES.senses == NO_SENSE)[..., None]
    assert torch.allclose(rivals.loss_of(scores, SENTENCES.senses), rivals.loss_of(changed, SENTENCES.senses))


def test_a_run_has_a_row_for_each_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two steps of two seeds: the rows carry their rate and seed, and the seeds are trained apart."""
    for name, value in {
        "SEEDS": (0, 1),
        "STEPS": 2,
        "CHECK_EVERY": 1,
        "N_TRAIN": 70,
        "N_APART": 20,
        "N_TEST": 20,
    }.items():
        monkeypatch.setattr(rivals, name, value)
    rows = rivals.run("self-attention", 0.02)
    assert [(row["rate"], row["seed"], row["parameters"]) for row in rows] == [(0.02, 0, 1314), (0.02, 1, 1314)]
    assert rows[0]["loss"] != rows[1]["loss"]
