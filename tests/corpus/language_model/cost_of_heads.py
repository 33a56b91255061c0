"""Answers to the practice `cost_of_heads(loss, n_layers, n_heads)` of notebook 10."""

import torch

from course_attention.practice.language_model.replaced import replaced
from tests.corpus import change

def right__filled(loss, n_layers, n_heads):
    whole = loss()
    cost = torch.zeros(n_layers, n_heads)
    for layer in range(n_layers):
        for head in range(n_heads):
            cost[layer, head] = loss(replaced((layer, head), 0.0)) - whole
    return cost

def right__divmod(loss, n_layers, n_heads):
    losses = [loss(replaced(divmod(i, n_heads), 0)) for i in range(n_layers * n_heads)]
    return (torch.tensor(losses) - loss(None)).view(n_layers, n_heads)

wrong__cost_of_heads_not_subtracted__1 = change(right__filled, (" - whole", ""))
wrong__cost_of_heads_sign__1 = change(
    right__filled, ("loss(replaced((layer, head), 0.0)) - whole", "whole - loss(replaced((layer, head), 0.0))")
)
wrong__cost_of_heads_ratio__1 = change(right__filled, (" - whole", " / whole"))
wrong__cost_of_heads_form__1 = change(right__divmod, (".view(n_layers, n_heads)", ""))
wrong__cost_of_heads_form__2 = change(right__filled, ("return cost", "return cost.T"))
wrong__cost_of_heads_mean__1 = change(right__divmod, ("loss(None)", "sum(losses) / len(losses)"))
wrong__cost_of_heads_not_removed__1 = change(right__filled, ("0.0)", "1.0)"))

# The layers and heads are counted from 1.
extra__from_one = change(right__filled, ("range(n_layers)", "range(1, n_layers)"))
# A dict in place of a tensor.
extra__dict = change(
    right__filled, ("return cost", "return {(i, j): cost[i, j] for i in range(n_layers) for j in range(n_heads)}")
)
