"""Answers to the practice `output_without(model, x, head)` of notebook 04."""

import torch

from course_attention import head_outputs
from tests.corpus import change

def right__taken_away(model, x, head):
    parts = head_outputs(x, *model.weights, model.n_heads)
    return parts.sum(1) - parts[:, head]

def right__zeroed(model, x, head):
    parts = head_outputs(x, *model.weights, model.n_heads).clone()
    parts[:, head] = 0
    return parts.sum(dim=1)

def right__others(model, x, head):
    parts = head_outputs(x, *model.weights, model.n_heads)
    return sum(parts[:, other] for other in range(model.n_heads) if other != head)

wrong__ablation_nothing_left_out__1 = change(right__taken_away, (" - parts[:, head]", ""))
wrong__ablation_head_alone__1 = change(right__taken_away, ("parts.sum(1) - ", ""))
wrong__ablation_mean__1 = change(right__zeroed, (".sum(dim=1)", ".mean(dim=1)"))
wrong__ablation_always_the_same_head__1 = change(right__taken_away, ("parts[:, head]", "parts[:, 0]"))
wrong__ablation_not_summed__1 = change(right__zeroed, (".sum(dim=1)", ""))

# The axis of the words in place of that of the heads.
extra__a_word = change(right__taken_away, ("parts[:, head]", "parts[:, :, head]"))
# A sentence is left out.
extra__a_sentence = change(right__taken_away, ("parts[:, head]", "parts[head]"))
