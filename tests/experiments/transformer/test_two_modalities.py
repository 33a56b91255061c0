"""Sound and text: drawn as promised, and joined by content wherever their parts stand."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.transformer import two_modalities
from course_attention.experiments.transformer.two_modalities import (
    PAD,
    WORDS,
    Listener,
    Recordings,
    accuracy,
    alongside,
    doubled,
    record,
    shuffled,
    sound_of,
    trained,
)


def _draw(seed: int = 7, **kind) -> Recordings:
    return record(200, torch.Generator().manual_seed(seed), **kind)


@pytest.fixture(scope="module")
def listeners() -> dict[str, Listener]:
    return {fusion: trained(fusion, n_steps=150) for fusion in two_modalities.FUSIONS}


def test_alike() -> None:
    """Words sound alike in pairs, and every word has its pair."""
    sounds = sound_of(torch.arange(1, len(WORDS))).tolist()
    assert sounds == [n // 2 for n in range(len(WORDS) - 1)]
    assert [WORDS[1], WORDS[2]] == ["sea", "see"]


@pytest.mark.parametrize("both", [False, True])
def test_recordings(both: bool) -> None:
    """The words are spoken in the order written, in more frames than words; no two sound alike, or just one pair."""
    drawn = _draw(both=both)
    for spoken, n_frames, text, n_words in zip(
        drawn.spoken, drawn.n_frames, drawn.text, drawn.n_words, strict=True
    ):
        heard = spoken[:n_frames]
        assert heard[-1] != PAD and (spoken[n_frames:] == PAD).all() and (text[n_words:] == PAD).all()
        in_order = torch.unique_consecutive(heard[heard != PAD])
        assert in_order.tolist() == text[:n_words].tolist()
        assert len(sound_of(text[:n_words]).unique()) == n_words - int(both)
    assert (drawn.n_frames > drawn.n_words).float().mean() > 0.95
    assert doubled(drawn)[drawn.spoken != PAD].any() == both


def test_same_sound() -> None:
    """What is heard of two words that sound alike differs by noise alone; silence is noise."""
    drawn = record(2000, torch.Generator().manual_seed(0))
    first, second = (drawn.sound[drawn.spoken == word].mean(dim=0) for word in (1, 2))
    torch.testing.assert_close(first, second, atol=0.1, rtol=0)
    torch.testing.assert_close(first, two_modalities.voices()[0], atol=0.1, rtol=0)
    assert drawn.sound[drawn.spoken == PAD].mean().abs() < 0.05


def test_shuffled() -> None:
    """The words of each text stay, and nothing else of the recordings changes."""
    drawn = _draw()
    mixed = shuffled(drawn, torch.Generator().manual_seed(0))
    assert mixed.text.sort(dim=1).values.equal(drawn.text.sort(dim=1).values)
    assert not mixed.text.equal(drawn.text) and mixed.sound is drawn.sound
    assert ((mixed.text == PAD) == (drawn.text == PAD)).all()


def test_alongside() -> None:
    """Stretched, the text begins and ends with the sound, and its words stay in order."""
    drawn = _draw()
    for row, n_frames, text, n_words in zip(
        alongside(drawn), drawn.n_frames, drawn.text, drawn.n_words, strict=True
    ):
        assert row[0] == text[0]
        places = [text[:n_words].tolist().index(word) for word in row[:n_frames].tolist()]
        assert places == sorted(places) and places[0] == 0
        if n_frames >= n_words:
            assert places[-1] == n_words - 1


def test_what_each_can(listeners) -> None:
    """Sound alone is right every second time; a text laid alongside helps while the order holds; cross-attention finds
    its word wherever it stands, in sentences longer than any it has learned from too.
    """
    drawn, longer = _draw(), _draw(fewest=8, most=8)
    mixed = shuffled(drawn, torch.Generator().manual_seed(0))
    alone, beside, _, crossed = listeners.values()
    for recordings in (drawn, mixed, longer):
        assert 0.4 < accuracy(alone, recordings) < 0.6
        assert accuracy(crossed, recordings) > 0.97
    assert accuracy(beside, drawn) > accuracy(beside, mixed) + 0.15


def test_cross_attention_sees_no_order(listeners) -> None:
    """Shuffled words change its logits by rounding alone, and its weights move with them."""
    drawn = _draw()
    mixed = shuffled(drawn, torch.Generator().manual_seed(0))
    with torch.no_grad():
        (before, _), (after, _) = (listeners["cross-attention"](part) for part in (drawn, mixed))
    torch.testing.assert_close(before, after, atol=1e-3, rtol=1e-3)


def test_where_only_order_tells() -> None:
    """Two words of one sound in a sentence: every second time right without places, nearly always with them."""
    drawn = _draw(both=True)
    among = doubled(drawn)
    without, knowing = (
        trained("cross-attention", n_steps=250, both=True, places=places) for places in (False, True)
    )
    assert 0.4 < accuracy(without, drawn, among) < 0.6
    assert accuracy(knowing, drawn, among) > 0.9


def test_nothing_to_read() -> None:
    """What is padding in one sentence is nothing to any other: alone or in a batch, a recording gives the same."""
    drawn = _draw()
    model = Listener("cross-attention", places=True)
    one = Recordings(
        drawn.sound[:1, : drawn.n_frames[0]],
        drawn.spoken[:1, : drawn.n_frames[0]],
        drawn.n_frames[:1],
        drawn.text[:1, : drawn.n_words[0]],
        drawn.n_words[:1],
    )
    with torch.no_grad():
        torch.testing.assert_close(
            model(one)[0][0], model(drawn)[0][0, : drawn.n_frames[0]], atol=1e-5, rtol=1e-4
        )
