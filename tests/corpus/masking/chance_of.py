"""Answers to the practice `chance_of(words, model, said)` of notebook 05."""

import torch

from course_attention.mechanisms.masking import causal_mask
from tests.corpus import change

def right__summed(words, model, said):
    with torch.no_grad():
        logits = model(said, causal_mask(said.shape[-1]))
    probabilities = torch.softmax(logits[0, -1], dim=0)
    return float(sum(probabilities[word] for word in words))

def right__fraction(words, model, said):
    n = said.shape[1]
    scores = model(said, torch.ones(n, n).tril().bool()).squeeze(0)[n - 1].exp()
    return (scores[words].sum() / scores.sum()).item()

@torch.no_grad()
def right__batch(words, model, said):
    allowed = causal_mask(said.size(1))
    return model(said, allowed).softmax(-1)[:, -1, words].sum()

wrong__chance_mean__1 = change(right__batch, (".sum()", ".mean()"))
wrong__chance_largest__1 = change(right__batch, (".sum()", ".max()"))
wrong__chance_product__1 = change(right__batch, (".sum()", ".prod()"))
wrong__chance_one_word__1 = change(right__batch, ("-1, words]", "-1, words[0]]"))
wrong__chance_of_logits__1 = change(right__batch, (".softmax(-1)", ""))
wrong__chance_among_these__1 = change(right__fraction, ("scores.sum()", "scores[words].sum()"))
wrong__chance_first_position__1 = change(right__summed, ("logits[0, -1]", "logits[0, 0]"))
wrong__chance_every_position__1 = change(right__batch, ("[:, -1, words]", "[..., words]"))
wrong__chance_without_mask__1 = change(right__fraction, (".tril()", ""))

# A probability for each word.
extra__list = change(right__batch, (".sum()", ""))
# The opposite.
extra__none_of_them = change(right__summed, ("return float(", "return 1 - float("))
