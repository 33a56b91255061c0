"""Words that are spoken, letter by letter. That attention can align them is tested with the learned lookups."""

from __future__ import annotations

import torch

from course_attention.experiments.attention.speech_alignment import Speaker


def test_the_mark_is_not_in_the_sound() -> None:
    """The same word spoken twice has the same sounds, but for noise, and other marks."""
    speaker = Speaker(noise=0.0)
    first, second = speaker.speak("word", [1, 2, 1, 1]), speaker.speak("word", [1, 2, 1, 1])
    assert torch.equal(first.frames, second.frames)
    assert not torch.allclose(first.marks, second.marks)


def test_spoken_in_order() -> None:
    """Every letter is spoken, one after the other, and letters of random words are distinct."""
    speech = Speaker().speak_many(50)
    steps = speech.spoken.diff(dim=-1)
    assert ((steps == 0) | (steps == 1)).all()
    assert (speech.spoken[:, -1] == 7).all()
    assert torch.unique(speech.letters[0, :, 0]).numel() == 8
