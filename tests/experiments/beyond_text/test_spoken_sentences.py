"""Recordings and their texts are drawn as promised."""

from __future__ import annotations

import pytest
import torch

from course_attention.experiments.beyond_text.spoken_sentences import (
    PAD,
    WORDS,
    Recordings,
    draw_recordings,
    homophone_in_text,
    shuffle_words,
    sound_of,
    sound_prototypes,
)


def _draw(**kind) -> Recordings:
    return draw_recordings(200, torch.Generator().manual_seed(7), **kind)


def test_alike() -> None:
    """Words sound alike in pairs, and every word has its pair."""
    sounds = sound_of(torch.arange(1, len(WORDS))).tolist()
    assert sounds == [n // 2 for n in range(len(WORDS) - 1)]
    assert [WORDS[1], WORDS[2]] == ["sea", "see"]


@pytest.mark.parametrize("both", [False, True])
def test_recordings(both: bool) -> None:
    """The words are spoken in the order written, in more frames than words; no two sound alike, or just one pair."""
    drawn = _draw(both=both)
    for spoken, n_frames, text, n_words in zip(drawn.spoken, drawn.n_frames, drawn.text, drawn.n_words, strict=True):
        heard = spoken[:n_frames]
        assert heard[-1] != PAD and (spoken[n_frames:] == PAD).all() and (text[n_words:] == PAD).all()
        in_order = torch.unique_consecutive(heard[heard != PAD])
        assert in_order.tolist() == text[:n_words].tolist()
        assert len(sound_of(text[:n_words]).unique()) == n_words - int(both)
    assert (drawn.n_frames > drawn.n_words).float().mean() > 0.95
    assert homophone_in_text(drawn)[drawn.spoken != PAD].any() == both


def test_same_sound() -> None:
    """What is heard of two words that sound alike differs by noise alone; silence is noise."""
    drawn = draw_recordings(2000, torch.Generator().manual_seed(0))
    first, second = (drawn.sound[drawn.spoken == word].mean(dim=0) for word in (1, 2))
    torch.testing.assert_close(first, second, atol=0.1, rtol=0)
    torch.testing.assert_close(first, sound_prototypes()[0], atol=0.1, rtol=0)
    assert drawn.sound[drawn.spoken == PAD].mean().abs() < 0.05


def test_shuffled() -> None:
    """The words of each text stay, and nothing else of the recordings changes."""
    drawn = _draw()
    mixed = shuffle_words(drawn, torch.Generator().manual_seed(0))
    assert mixed.text.sort(dim=1).values.equal(drawn.text.sort(dim=1).values)
    assert not mixed.text.equal(drawn.text) and mixed.sound is drawn.sound
    assert ((mixed.text == PAD) == (drawn.text == PAD)).all()


@pytest.mark.parametrize("rows", [slice(3, 5), torch.tensor([7, 7, 0])])
def test_rows(rows: slice | torch.Tensor) -> None:
    """Rows are taken from every part alike, in the order asked for."""
    drawn = _draw()
    some = drawn[rows]
    assert len(drawn) == 200 and len(some) == len(torch.arange(200)[rows])
    assert all(torch.equal(part, vars(drawn)[name][rows]) for name, part in vars(some).items())
