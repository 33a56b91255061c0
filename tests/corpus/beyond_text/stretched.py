"""Answers to the practice `stretched(recordings)` of notebook 13."""

import torch

from tests.corpus import change

def right__loop(recordings):
    words = torch.zeros(recordings.sound.shape[:2], dtype=torch.long)
    for row in range(len(words)):
        n_frames, n_words = int(recordings.n_frames[row]), int(recordings.n_words[row])
        for frame in range(n_frames):
            words[row, frame] = recordings.text[row, frame * n_words // n_frames]
    return words

def right__index(recordings):
    frame = torch.arange(recordings.sound.shape[1])[None, :]
    place = torch.div(frame * recordings.n_words.unsqueeze(1), recordings.n_frames.unsqueeze(1), rounding_mode="floor")
    place = torch.minimum(place, recordings.n_words.unsqueeze(1) - 1)
    return torch.take_along_dim(recordings.text, place, dim=1)

wrong__stretched_places__1 = change(
    right__loop, ("recordings.text[row, frame * n_words // n_frames]", "frame * n_words // n_frames")
)
wrong__stretched_padding__1 = change(
    right__loop,
    (
        "int(recordings.n_frames[row]), int(recordings.n_words[row])",
        "recordings.sound.shape[1], recordings.text.shape[1]",
    ),
)
wrong__stretched_padding_of_text__1 = change(right__loop, ("int(recordings.n_words[row])", "recordings.text.shape[1]"))
wrong__stretched_padding_of_sound__1 = change(
    right__loop, ("int(recordings.n_frames[row])", "recordings.sound.shape[1]")
)
wrong__stretched_rounded__1 = change(
    right__loop,
    (
        "recordings.text[row, frame * n_words // n_frames]",
        "recordings.text[row, min(round(frame * n_words / n_frames), recordings.text.shape[1] - 1)]",
    ),
)
wrong__stretched_not_stretched__1 = change(
    right__loop, ("frame * n_words // n_frames", "min(frame, recordings.text.shape[1] - 1)")
)

# The lengths have no axis for the frames.
extra__no_axis = change(
    right__index,
    ("recordings.n_words.unsqueeze(1), recordings.n_frames.unsqueeze(1)", "recordings.n_words, recordings.n_frames"),
)
# The text backwards.
extra__backwards = change(right__index, ("recordings.text, place", "recordings.text.flip(1), place"))
