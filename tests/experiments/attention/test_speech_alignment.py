"""Cross-attention finds the letter of each frame."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from course_attention.experiments.attention.speech_alignment import (
    Speaker,
    alignment_accuracy,
    alignment_weights,
    train_aligner,
)

PACE = [3, 5, 2, 4, 6, 3, 2, 5, 4, 3, 6]


@pytest.fixture(
    scope="module", params=[0, *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (1, 2))]
)
def trained(request):
    speaker = Speaker(request.param)
    return speaker, train_aligner(speaker)


def test_aligns(trained):
    """On words never heard, nearly every frame finds its letter, though no alignment was ever shown."""
    speaker, listener = trained
    speech = speaker.speak_many(100)
    assert alignment_accuracy(alignment_weights(listener, speech), speech) > 0.95


def test_other_lengths(trained):
    """Trained on 8 letters and 24 frames, it listens to 11 letters and 43 frames."""
    speaker, listener = trained
    speech = speaker.speak("documentary", PACE)
    weights = alignment_weights(listener, speech)
    assert weights.shape == (43, 11)
    assert alignment_accuracy(weights, speech) > 0.9


def test_repeated_letters_share(trained):
    """The three t's of "attention" share a frame's weight: content tells nothing about position."""
    speaker, listener = trained
    speech = speaker.speak("attention", [2] * 9)
    weights = alignment_weights(listener, speech)[2]
    assert weights[[1, 2, 5]].sum() > 0.9
    assert weights[[1, 2, 5]].max() < 0.7


def test_untrained_is_lost():
    """Without training frames do not find their letters, so it is the training that aligns them."""
    speaker = Speaker()
    speech = speaker.speak_many(100)
    assert alignment_accuracy(alignment_weights(train_aligner(speaker, n_steps=1), speech), speech) < 0.5


def test_the_mark_is_not_in_the_sound():
    """The same word spoken twice has the same sounds, but for noise, and other marks."""
    speaker = Speaker(noise=0.0)
    first, second = speaker.speak("word", [1, 2, 1, 1]), speaker.speak("word", [1, 2, 1, 1])
    assert torch.equal(first.frames, second.frames)
    assert not torch.allclose(first.marks, second.marks)


def test_spoken_in_order():
    """Every letter is spoken, one after the other, and letters of random words are distinct."""
    speech = Speaker().speak_many(50)
    steps = speech.spoken.diff(dim=-1)
    assert ((steps == 0) | (steps == 1)).all()
    assert (speech.spoken[:, -1] == 7).all()
    assert torch.unique(speech.letters[0, :, 0]).numel() == 8


def test_aligned_counts():
    """Half the frames right is 0.5."""
    assert alignment_accuracy(np.array([[1.0, 0.0], [1.0, 0.0]]), Speaker().speak("ab", [1, 1])) == 0.5
