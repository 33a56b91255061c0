"""The language of ambiguous words keeps its promises: a clue for each word, at the distance that it says."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.self_attention.word_senses import (
    ALL_CLUES,
    CLUES,
    N_TOKENS,
    NO_SENSE,
    UNKNOWN,
    VOCABULARY,
    draw_sentences,
    tokens_of,
    words,
)


@pytest.mark.parametrize("same_word_twice", [False, True])
def test_a_clue_for_each_ambiguous_word(same_word_twice):
    """At its distance an ambiguous word has a clue to its sense, and no other clue if it is there once."""
    sentences = draw_sentences(200, 1, same_word_twice)
    assert sentences.tokens.shape == sentences.senses.shape == sentences.distances.shape == (200, N_TOKENS)
    for tokens, senses, distances in zip(sentences.tokens, sentences.senses, sentences.distances, strict=True):
        sentence = words(tokens)
        assert [word in CLUES for word in sentence] == (senses != NO_SENSE).tolist()
        for place in (senses != NO_SENSE).nonzero().flatten().tolist():
            sense, distance = int(senses[place]), int(distances[place])
            if distance == 0:
                assert not same_word_twice and not set(sentence) & set(ALL_CLUES)
                continue
            clues = CLUES[sentence[place]][sense]
            at = [p for p in (place - distance, place + distance) if 0 <= p < N_TOKENS]
            assert any(sentence[p] in clues for p in at)
            if same_word_twice:
                assert distance <= 3 and sentence[place + distance] in clues
            else:
                others = CLUES[sentence[place]][1 - sense]
                assert sum(word in clues for word in sentence) == 1
                assert not any(word in others for word in sentence)


def test_used_twice_in_both_senses():
    """Where a word stands twice, it has each sense once."""
    senses = draw_sentences(50, 0, same_word_twice=True).senses
    assert all(sorted(row[row != NO_SENSE].tolist()) == [0, 1] for row in senses)


def test_some_have_no_clue():
    """About one sentence in six has none, and there each sense is as frequent as the other."""
    sentences = draw_sentences(3000, 0)
    without = (sentences.senses != NO_SENSE) & (sentences.distances == 0)
    assert 0.14 < without.any(dim=1).float().mean() < 0.19
    assert 0.45 < sentences.senses[without].float().mean() < 0.55


def test_distances_vary():
    """Clues stand next to their words and at the other end of the sentence, on both sides."""
    distances = draw_sentences(500, 0).distances
    found = distances[distances > 0].unique().tolist()
    assert min(found) <= 3 and max(found) >= N_TOKENS - 3


def test_same_seed_same_sentences():
    """A seed decides everything."""
    first, second, other = (draw_sentences(5, seed).tokens for seed in (0, 0, 1))
    assert torch.equal(first, second) and not torch.equal(first, other)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("The BANK, by the river!", ["the", "bank", "by", "the", "river"]),
        ("riverbank", [UNKNOWN]),
        ("  ", []),
        ("a ball-game", ["a", "ball", UNKNOWN]),
    ],
)
def test_typed_sentences(typed, read):
    """Words are read without regard to capitals and punctuation; others become the unknown word."""
    assert words(tokens_of(typed)) == read
    assert UNKNOWN in VOCABULARY
