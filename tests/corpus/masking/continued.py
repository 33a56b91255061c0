"""Answers to the practice `continued(model, said, allowed, n_more)` of notebook 05."""

import torch

from tests.corpus import change

@torch.no_grad()
def right__rounds(model, said, allowed, n_more):
    for _ in range(n_more):
        n = said.shape[1]
        logits = model(said, allowed[:n, :n])[:, -1]
        drawn = torch.multinomial(torch.softmax(logits, dim=-1), num_samples=1)
        said = torch.cat((said, drawn), dim=1)
    return said

def right__categorical(model, said, allowed, n_more):
    words = said.clone()
    while words.shape[1] < said.shape[1] + n_more:
        n = words.shape[1]
        with torch.no_grad():
            logits = model(words, allowed[:n, :n])
        drawn = torch.distributions.Categorical(logits=logits[:, -1]).sample()
        words = torch.hstack([words, drawn[:, None]])
    return words

def right__recursive(model, said, allowed, n_more):
    if n_more == 0:
        return said
    n = said.size(1)
    chances = model(said, allowed[:n, :n])[:, n - 1].softmax(-1)
    return right__recursive(model, torch.cat([said, chances.multinomial(1)], 1), allowed, n_more - 1)

wrong__continued_most_probable__1 = change(
    right__rounds,
    ("torch.multinomial(torch.softmax(logits, dim=-1), num_samples=1)", "logits.argmax(-1, keepdim=True)"),
)
wrong__continued_evenly__1 = change(
    right__rounds, ("torch.softmax(logits, dim=-1)", "(torch.softmax(logits, dim=-1) > 0).float()")
)
wrong__continued_first_position__1 = change(right__rounds, ("[:, -1]", "[:, 0]"))
wrong__continued_one_word_read__1 = change(
    right__rounds, ("model(said, allowed[:n, :n])", "model(said[:, -1:], allowed[:1, :1])")
)
wrong__continued_not_read__1 = change(
    right__categorical, ("n = words.shape[1]", "n = said.shape[1]"), ("model(words", "model(said")
)
wrong__continued_new_words_only__1 = change(right__categorical, ("return words", "return words[:, said.shape[1] :]"))
wrong__continued_whole_mask__1 = change(right__rounds, ("allowed[:n, :n]", "allowed"))
wrong__continued_lower_corner__1 = change(right__rounds, ("allowed[:n, :n]", "allowed[-n:, -n:]"))
wrong__continued_count__1 = change(right__rounds, ("range(n_more)", "range(n_more + 1)"))
wrong__continued_count__2 = change(right__rounds, ("range(n_more)", "range(n_more - 1)"))

# Words come before the text.
extra__in_front = change(right__rounds, ("(said, drawn)", "(drawn, said)"))
# The return is inside the loop, so that there is one round.
extra__one_round = change(right__rounds, ("(said, drawn), dim=1)", "(said, drawn), dim=1)", "return said"))
