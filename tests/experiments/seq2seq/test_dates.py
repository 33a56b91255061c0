"""Dates are decidable, nothing of the test is seen in training, and the same seed gives the same pairs."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
import torch

from course_attention.experiments.common.pairs import END, PAD
from course_attention.experiments.seq2seq.dates import (
    LANGUAGES,
    date_pairs,
    date_vocabularies,
    same_day_pairs,
    ways_to_write,
    write_date,
)

_SAME_TEXT = (((11, 12), ("en", "numbers")), ((12, 11), ("fr", "numbers")))


@pytest.fixture(scope="module")
def split():
    return date_pairs(n_train=3000, n_test=500, seed=3)


def test_decidable():
    """No text means two dates, in whichever languages it occurs."""
    meaning: dict[str, date] = {}
    for offset in range(366):
        day = date(2012, 1, 1) + timedelta(days=offset)
        for language in LANGUAGES:
            for form in ways_to_write(language):
                text = write_date(day, language, form)
                assert meaning.setdefault(text, day) == day, f"{text!r} is both {meaning[text]} and {day}"
    assert len(meaning) > 366 * len(LANGUAGES)


def test_planted_ambiguity():
    """American dates in numbers would break the promise above, which is why they are left out."""
    american, french = (write_date(date(2012, *day), *way) for day, way in _SAME_TEXT)
    assert american == french
    assert "numbers" not in ways_to_write("en")


def test_no_leak(split):
    """No day of the test pairs occurs in training, in any language; no day is tested twice."""
    train, test = split
    assert not set(train.targets) & set(test.targets)
    assert len(set(test.targets)) == len(test) == 500


def test_all_languages(split):
    """Training and test hold every language."""
    for pairs in split:
        assert set(pairs.labels) == set(LANGUAGES)
    assert len(LANGUAGES) >= 6


def test_seeded(split):
    """The same seed gives the same pairs, another seed others; the vocabulary is always the same."""
    again, other = date_pairs(3000, 500, seed=3), date_pairs(3000, 500, seed=4)
    assert again[0].sources == split[0].sources
    assert again[1].sources == split[1].sources
    assert other[1].sources != split[1].sources
    assert other[0].source_vocabulary == split[0].source_vocabulary == date_vocabularies()[0]


def test_tensors(split):
    """Tensors hold the texts: decoded they are the texts, and `allowed` is True on characters only."""
    for pairs in split:
        for row in range(0, len(pairs), 97):
            n_source = int(pairs.lengths()[row])
            assert pairs.source_vocabulary.decode(pairs.source[row, :n_source].tolist()) == pairs.sources[row]
            assert pairs.allowed[row].tolist() == [i < n_source for i in range(pairs.source.shape[1])]
            assert pairs.target_vocabulary.decode(pairs.target[row].tolist()) == pairs.targets[row]
            assert pairs.target[row, len(pairs.targets[row])] == END


def test_batch(split):
    """A batch is cut to its longest source, and loses no character."""
    rows = torch.tensor([0, 5, 7])
    source, allowed, target = split[0].batch(rows)
    assert source.shape == allowed.shape
    assert source.shape[1] == max(len(split[0].sources[row]) for row in rows.tolist())
    assert ((source != PAD) == allowed).all()
    assert target.shape == (3, 11)


def test_same_day():
    """One day in each language, in the order of LANGUAGES."""
    pairs = same_day_pairs(date(2024, 4, 3))
    assert pairs.labels == tuple(LANGUAGES)
    assert set(pairs.targets) == {"2024-04-03"}
    assert "Mittwoch, 3. April 2024" in pairs.sources
