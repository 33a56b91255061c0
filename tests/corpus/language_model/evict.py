"""Answers to the practice `evict(keys)` of notebook 10."""

import torch

from tests.corpus import change

def right__where(keys):
    def change(layer, weights):
        kept = torch.where(keys, torch.zeros_like(weights), weights)
        total = kept.sum(-1, keepdim=True)
        return torch.where(total > 0, kept / total, torch.zeros_like(kept))

    return change

def right__product(keys):
    def change(layer, weights):
        left = weights * ~keys
        return (left / left.sum(dim=3, keepdim=True)).nan_to_num(nan=0.0)

    return change

wrong__evict_not_scaled__1 = change(
    right__product, ("(left / left.sum(dim=3, keepdim=True)).nan_to_num(nan=0.0)", "left")
)
wrong__evict_empty_row__1 = change(right__product, (".nan_to_num(nan=0.0)", ""))
wrong__evict_inverted__1 = change(right__product, ("* ~keys", "* keys"))
wrong__evict_transposed__1 = change(right__product, ("~keys", "~keys.T"))
wrong__evict_softmax_again__1 = change(
    right__product, ("(left / left.sum(dim=3, keepdim=True)).nan_to_num(nan=0.0)", "left.softmax(-1)")
)
wrong__evict_over_queries__1 = change(right__product, ("dim=3", "dim=2"))
wrong__evict_one_layer__1 = change(
    right__product, ("left = weights * ~keys", "if layer > 0:", "    return weights", "left = weights * ~keys")
)
wrong__input_changed__1 = change(
    right__where,
    ("kept = torch.where(keys, torch.zeros_like(weights), weights)", "kept = weights.masked_fill_(keys, 0)"),
)

# Each text is scaled as a whole.
extra__scaled_as_a_whole = change(right__product, ("dim=3", "dim=(2, 3)"))
# The rows that have nothing left become nan_to_num's one.
extra__ones = change(right__product, ("nan=0.0", "nan=1.0"))
