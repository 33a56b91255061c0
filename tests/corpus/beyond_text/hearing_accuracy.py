"""Answers to the practice `hearing_accuracy(model, recordings, among)` of notebook 13."""

import torch

from course_attention.experiments.beyond_text import spoken_sentences
from tests.corpus import change

@torch.no_grad()
def right__divided(model, recordings, among=True):
    logits, _ = model(recordings)
    named = logits.max(dim=-1).indices
    counted = torch.logical_and(recordings.spoken != spoken_sentences.PAD, torch.as_tensor(among))
    hits = ((named == recordings.spoken) & counted).sum()
    return (hits / counted.sum()).item()

@torch.no_grad()
def right__chosen(model, recordings, among=True):
    words = recordings.spoken != 0
    if among is not True:
        words = words & among
    named = model(recordings)[0].argmax(-1)[words]
    return float((named == recordings.spoken[words]).double().mean())

wrong__hearing_silence_counts__1 = change(
    right__chosen, ("recordings.spoken != 0", "torch.ones_like(recordings.spoken, dtype=torch.bool)")
)
wrong__hearing_among_ignored__1 = change(
    right__chosen, ("if among is not True:", ""), ("    words = words & among", "")
)
wrong__hearing_wrong_divisor__1 = change(right__divided, ("counted.sum()", "counted.numel()"))
wrong__hearing_wrong_divisor__2 = change(right__divided, ("counted.sum()", "len(counted)"))
wrong__hearing_wrong_divisor__3 = change(right__divided, ("counted.sum()", "(recordings.spoken > 0).sum()"))
wrong__hearing_mean_of_recordings__1 = change(
    right__divided,
    ("& counted).sum()", "& counted).sum(1)"),
    ("(hits / counted.sum())", "(hits / counted.sum(1)).mean()"),
)
wrong__hearing_percentage__1 = change(right__divided, ("(hits /", "(100 * hits /"))
wrong__hearing_errors__1 = change(right__divided, ("(named == ", "(named != "))

# True or False for each frame.
extra__frames = change(right__divided, ("(hits / counted.sum()).item()", "(named == recordings.spoken) & counted"))
# `and` joins no tensors.
extra__and = change(right__chosen, ("words & among", "words and among"))
