"""Two signals in step: each frame of a sound gets the word at its place in the text."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from course_attention.practice.authoring import Misconception, Practice, Trial


def stretched(recordings):
    """Scale the place of each frame to the length of its text, and look the word up."""
    frame = torch.arange(recordings.sound.shape[1])
    place = frame * recordings.n_words[:, None] // recordings.n_frames[:, None]
    return recordings.text.gather(1, place.clamp(max=recordings.text.shape[1] - 1))


def _word_at(recordings, place):
    places = place.expand(len(recordings.text), recordings.sound.shape[1])
    return recordings.text.gather(1, places.clamp(max=recordings.text.shape[1] - 1))


def _sizes(recordings):
    return torch.arange(recordings.sound.shape[1]), recordings.n_words[:, None], recordings.n_frames[:, None]


def places_returned(recordings):
    frame, n_words, n_frames = _sizes(recordings)
    return frame * n_words // n_frames


def padding_of_both(recordings):
    frame, _, _ = _sizes(recordings)
    return _word_at(recordings, (frame * recordings.text.shape[1] // len(frame))[None])


def padding_of_the_text(recordings):
    frame, _, n_frames = _sizes(recordings)
    return _word_at(recordings, frame * recordings.text.shape[1] // n_frames)


def padding_of_the_sound(recordings):
    frame, n_words, _ = _sizes(recordings)
    return _word_at(recordings, frame * n_words // len(frame))


def rounded(recordings):
    frame, n_words, n_frames = _sizes(recordings)
    return _word_at(recordings, (frame * n_words / n_frames).round().long())


def frame_by_frame(recordings):
    frame, _, _ = _sizes(recordings)
    return _word_at(recordings, frame[None])


def _words_of_frames(answer: Callable[..., Any], text: Tensor, n_words: Tensor, n_frames: Tensor, longest: int) -> Any:
    """Return the words, with zeros at the padding of the sound: any word may be there."""
    sound = torch.zeros(len(text), longest, 2, device=text.device)
    found = answer(SimpleNamespace(text=text, n_words=n_words, n_frames=n_frames, sound=sound))
    if not isinstance(found, Tensor) or found.shape != sound.shape[:2]:
        return found
    return found.where(torch.arange(longest, device=text.device) < n_frames[:, None], 0)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two words over four frames, then texts and sounds of several lengths, with padding."""
    yield Trial(
        "one recording: the words 5 and 7, 4 frames, and one frame of padding",
        {"text": torch.tensor([[5, 7]]), "n_words": torch.tensor([2]), "n_frames": torch.tensor([4]), "longest": 5},
        torch.tensor([[5, 5, 7, 7, 0]]),
        _words_of_frames,
        says="The frames 0 to 3 are given the words 0 · 2/4, 1 · 2/4, 2 · 2/4 and 3 · 2/4, rounded down: 0, 0, 1, 1. "
        "(Zeros are put at the padding before the comparison.)",
    )
    for n_words, n_frames in (((3, 2), (7, 5)), ((1, 4, 3), (3, 9, 10))):
        text = torch.randint(1, 20, (len(n_words), max(n_words)), generator=generator)
        lengths = torch.tensor(n_words)
        yield Trial(
            f"{len(n_words)} recordings: {' and '.join(map(str, n_words))} words, "
            f"{' and '.join(map(str, n_frames))} frames",
            {
                "text": text * (torch.arange(max(n_words)) < lengths[:, None]),
                "n_words": lengths,
                "n_frames": torch.tensor(n_frames),
                "longest": max(n_frames) + 1,
            },
            run=_words_of_frames,
            says="Each recording has its own number of words and of frames, without padding.",
        )


PRACTICE = Practice(
    name="stretched",
    prompt="The word at the place of each frame.",
    minutes=8,
    hints=(
        "`torch.arange(n)` has the numbers of the frames. `recordings.n_words[:, None]` has an axis for them.",
        "`frame * n_words // n_frames` is the place of the word in its text, (batch, n_frames). `//` rounds down.",
        "`recordings.text.gather(1, place)` looks the words up. At the padding of a sound the places are too large: "
        "`place.clamp(max=…)` keeps them inside the text.",
    ),
    given=stretched,
    trials=trials,
    returns=("words",),
    misconceptions={
        "stretched-places": Misconception(
            "The places of the words are returned",
            "A place says which word of the text it is. The word itself is `recordings.text` at this place.",
            (places_returned,),
        ),
        "stretched-padding": Misconception(
            "The padding is stretched with the text",
            "The shapes of the tensors have the padding in them. Each recording has its own `n_words` and `n_frames`.",
            (padding_of_both,),
        ),
        "stretched-padding-of-text": Misconception(
            "The padding of a text counts as words",
            "The number of words of each text is `recordings.n_words`.",
            (padding_of_the_text,),
        ),
        "stretched-padding-of-sound": Misconception(
            "The padding of a sound counts as frames",
            "The number of frames of each sound is `recordings.n_frames`.",
            (padding_of_the_sound,),
        ),
        "stretched-rounded": Misconception(
            "The places are rounded to the nearest word",
            "They should be rounded *down*: `//` does so.",
            (rounded,),
        ),
        "stretched-not-stretched": Misconception(
            "Frame i is given word i",
            "A text has fewer words than the sound has frames. Each word belongs to several frames: the place is "
            "i · n_words / n_frames.",
            (frame_by_frame,),
        ),
    },
)
