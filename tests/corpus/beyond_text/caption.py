"""Answers to the practice `caption(model, pictures)` of notebook 13."""

import torch

from course_attention.experiments.beyond_text import digits
from tests.corpus import change

@torch.no_grad()
def right__loop(model, pictures):
    memory = model.see(pictures)
    words = torch.full((len(pictures), 1), digits.START)
    while words.shape[1] < 6:
        logits, weights = model(words, memory)
        newest = logits[:, -1].argmax(dim=1)
        words = torch.cat([words, newest[:, None]], dim=1)
    return words[:, 1:], weights

def right__list(model, pictures):
    with torch.no_grad():
        memory, written = model.see(pictures), [torch.tensor([digits.START] * len(pictures))]
        for _ in range(5):
            logits, weights = model(torch.stack(written, dim=1), memory)
            written.append(logits[:, -1].max(-1).indices)
    return [torch.stack(written[1:], dim=1), weights]

wrong__caption_start_left__1 = change(right__loop, ("words[:, 1:], weights", "words, weights"))
wrong__caption_start_left__2 = change(right__loop, ("words[:, 1:], weights", "words, weights"), ("< 6", "< 5"))
wrong__caption_four_words__1 = change(right__loop, ("< 6", "< 5"))
wrong__caption_first_place__1 = change(right__loop, ("logits[:, -1]", "logits[:, 0]"))
wrong__caption_other_start__1 = change(right__loop, ("digits.START", "digits.END"))
wrong__caption_looks_again__1 = change(
    right__loop, ("memory = model.see(pictures)", ""), ("(words, memory)", "(words, model.see(pictures))")
)
wrong__caption_newest_only__1 = change(
    right__list, ("torch.stack(written, dim=1), memory", "written[-1][:, None], memory")
)
wrong__caption_no_weights__1 = change(right__loop, ("words[:, 1:], weights", "words[:, 1:]"))
wrong__caption_weights_first__1 = change(right__loop, ("words[:, 1:], weights", "weights, words[:, 1:]"))

# The logits in place of the words.
extra__logits = change(right__loop, ("words[:, 1:], weights", "logits, weights"))
# Six words.
extra__six_words = change(right__list, ("range(5)", "range(6)"))
