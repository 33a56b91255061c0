"""Answers to the practice `next_words(model, words, memory)` of notebook 13."""

import torch

from course_attention.mechanisms.masking import causal_mask
from tests.corpus import change

def right__steps(model, words, memory):
    n_words = words.size(1)
    places = model.position[torch.arange(n_words)]
    x = model.word(words) + places
    mask = causal_mask(n_words)
    x, weights = model.decoder(x, memory, allowed=mask)
    return model.write(x), weights

def right__tril(model, words, memory):
    n = words.shape[1]
    mask = torch.ones(n, n).tril().bool()
    decoded = model.decoder(model.word(words) + model.position[None, :n], memory, mask, None)
    return [model.write(decoded[0]), decoded[1]]

wrong__next_words_later_seen__1 = change(right__steps, (", allowed=mask", ""))
wrong__next_words_no_positions__1 = change(right__steps, (" + places", ""))
wrong__next_words_no_positions__2 = change(right__steps, (" + places", ""), (", allowed=mask", ""))
wrong__next_words_positions_behind__1 = change(
    right__steps, (" + places", ""), ("model.write(x)", "model.write(x + places)")
)
wrong__next_words_inverted__1 = change(right__steps, ("allowed=mask", "allowed=~mask"))
wrong__next_words_vectors__1 = change(right__tril, ("model.write(decoded[0])", "decoded[0]"))
wrong__next_words_all_positions__1 = change(
    right__steps, ("places = model.position[torch.arange(n_words)]", "places = model.position")
)
wrong__next_words_last_positions__1 = change(right__steps, ("torch.arange(n_words)", "-n_words:"))
wrong__next_words_last_only__1 = change(right__tril, ("model.write(decoded[0])", "model.write(decoded[0][:, -1:])"))

# The patches get the positions.
extra__patches_placed = change(
    right__steps, (" + places", ""), ("(x, memory, allowed", "(x, memory + places[:1], allowed")
)
# Probabilities in place of logits.
extra__probabilities = change(right__steps, ("model.write(x)", "model.write(x).softmax(-1)"))
