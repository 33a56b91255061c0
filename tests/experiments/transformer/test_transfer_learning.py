"""The ninth language is a new one."""

from __future__ import annotations

from course_attention.experiments.seq2seq.dates import LANGUAGES
from course_attention.experiments.transformer.transfer_learning import LANGUAGE, finnish_pairs


def test_a_ninth_language():
    """Finnish is none of the eight; no day is in both parts; longer lists begin like shorter ones."""
    assert LANGUAGE not in LANGUAGES
    train, test = finnish_pairs(30, 20)
    assert not set(train.targets) & set(test.targets)
    assert any("kuuta" in text for text in train.sources)
