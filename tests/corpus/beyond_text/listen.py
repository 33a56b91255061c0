"""Answers to the practice `listen(model, sound, text, recordings)` of notebook 13."""

import torch

from course_attention.mechanisms.masking import padding_mask
from tests.corpus import change

def right__named(model, sound, text, recordings):
    frames = padding_mask(recordings.n_frames, sound.size(1))
    words = padding_mask(recordings.n_words, text.size(1))
    out = model.block(x=sound, memory=text, allowed=frames, memory_allowed=words)
    return model.say(out[0]), out[1]

def right__compared(model, sound, text, recordings):
    hearable = torch.arange(sound.shape[1]) < recordings.n_frames[:, None]
    readable = torch.arange(text.shape[1]) < recordings.n_words[:, None]
    vectors, weights = model.block(sound, text, hearable[:, None], readable[:, None])
    logits = model.say(vectors)
    return [logits, weights]

wrong__listen_no_masks__1 = change(right__named, (", allowed=frames, memory_allowed=words", ""))
wrong__listen_text_not_masked__1 = change(right__named, (", memory_allowed=words", ""))
wrong__listen_sound_not_masked__1 = change(right__named, ("allowed=frames, ", ""))
wrong__listen_inverted__1 = change(
    right__compared, ("hearable[:, None], readable[:, None]", "~hearable[:, None], ~readable[:, None]")
)
wrong__listen_frames_only__1 = change(
    right__named, ("memory=text", "memory=sound"), ("memory_allowed=words", "memory_allowed=frames")
)
wrong__listen_words_ask__1 = change(
    right__compared,
    ("(sound, text, hearable[:, None], readable[:, None])", "(text, sound, readable[:, None], hearable[:, None])"),
)
wrong__listen_probabilities__1 = change(right__compared, ("model.say(vectors)", "model.say(vectors).softmax(-1)"))
wrong__listen_vectors__1 = change(right__named, ("model.say(out[0])", "out[0]"))
wrong__listen_weights_first__1 = change(right__compared, ("[logits, weights]", "[weights, logits]"))

# The masks have changed places.
extra__masks_exchanged = change(
    right__named, ("allowed=frames, memory_allowed=words", "allowed=words, memory_allowed=frames")
)
# The weights are left out.
extra__logits = change(right__compared, ("[logits, weights]", "logits"))
