"""The grammar makes what it accepts, and its surprise is what is claimed."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from course_attention.experiments.masking.grammar import (
    END,
    LONGEST,
    PAD,
    START,
    WORDS,
    draw_sentences,
    encode,
    entropy_rate,
    is_sentence,
    loss_on,
)

MANY = draw_sentences(20_000, seed=0)


def test_sentences_are_accepted():
    """Every sentence drawn is one, and none is longer than is said; the longest length occurs."""
    assert all(map(is_sentence, MANY))
    assert max(map(len, MANY)) == LONGEST


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the cat sees the dog",
        "the cat see the dog .",
        "the cats near the dog sees the bird .",
        "the small old cat sees the dog .",
        "the cat sees the dog . .",
        "cat sees the dog .",
        "the cat near sees the dog .",
        "the cat near the old dog sees the bird .",
        "small small small",
    ],
)
def test_others_are_not(text):
    """No full stop, a verb that disagrees, two adjectives, words missing or too many."""
    assert not is_sentence(text.split())


def test_least_loss():
    """The surprise of a sentence is that of its choices: within 1% of the entropy counted word by word."""
    surprise = 0.0
    after: dict[tuple, Counter] = {}
    for words in MANY:
        for i, word in enumerate(words):
            after.setdefault(_state(words[:i]), Counter())[word] += 1
    for counts in after.values():
        total = counts.total()
        surprise -= sum(n * math.log(n / total) for n in counts.values())
    assert abs(surprise / sum(map(len, MANY)) / entropy_rate() - 1) < 0.01


def test_the_grammars_own_loss():
    """On many sentences it is near the entropy, and on one it is the surprise of the choices of that one."""
    assert abs(loss_on(MANY) / entropy_rate() - 1) < 0.01
    texts = ("the cat sees the dog .", "the old cat near the dog sees the dog .")
    shortest, longer = (text.split() for text in texts)
    assert loss_on([shortest]) == pytest.approx(math.log(2**3 * 8 * 3 * 8) / 6)
    assert loss_on([longer]) == pytest.approx(math.log(2**3 * 3 * 8 * 8 * 3 * 8) / 10)
    assert loss_on([shortest, longer]) == pytest.approx((6 * loss_on([shortest]) + 10 * loss_on([longer])) / 16)


def _state(said: list[str]) -> tuple:
    """Return what the next word depends on: the first noun's number, whether "near" and verb came, the last word."""
    nouns = WORDS[8:16]
    first = next((nouns.index(word) >= 4 for word in said if word in nouns), None)
    verb = any(word in WORDS[16:] for word in said)
    return first, "near" in said, verb, _kind(said[-1]) if said else ""


def _kind(word: str) -> str:
    kinds = {"adjective": WORDS[5:8], "noun": WORDS[8:16], "verb": WORDS[16:]}
    return next((kind for kind, words in kinds.items() if word in words), word)


def test_encode():
    """A start mark, the words, padding; the length counts the mark."""
    tokens, lengths = encode([["the", "."], ["the", "cat", "."]])
    assert tokens.shape == (2, LONGEST + 1)
    assert tokens[0, :4].tolist() == [START, WORDS.index("the"), END, PAD]
    assert lengths.tolist() == [3, 4]


def test_seeds():
    """A seed gives the same sentences again, and another others."""
    assert draw_sentences(5, 3) == draw_sentences(5, 3) != draw_sentences(5, 4)
