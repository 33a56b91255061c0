"""Answers to the practice `replaced(layer_and_head, pattern)` of notebook 10."""

import torch

from tests.corpus import change

def right__unpacked(layer_and_head, pattern):
    where, head = layer_and_head

    def change(layer, weights):
        if layer != where:
            return weights
        new = weights.clone()
        new[:, head, :, :] = pattern
        return new

    return change

def right__chosen(layer_and_head, pattern):
    def change(layer, weights):
        heads = torch.arange(weights.shape[1], device=weights.device)
        here = (heads == layer_and_head[1]) & (layer == layer_and_head[0])
        return torch.where(here[:, None, None], torch.as_tensor(pattern).to(weights), weights)

    return change

wrong__replaced_every_layer__1 = change(right__unpacked, ("if layer != where:", ""), ("    return weights", ""))
wrong__replaced_every_head__1 = change(right__unpacked, ("new[:, head, :, :]", "new[:]"))
wrong__replaced_text__1 = change(right__unpacked, ("new[:, head, :, :]", "new[head]"))
wrong__replaced_first_text__1 = change(right__unpacked, ("new[:, head, :, :]", "new[0, head]"))
wrong__replaced_multiplied__1 = change(right__unpacked, ("= pattern", "*= pattern"))
wrong__replaced_exchanged__1 = change(right__unpacked, ("where, head", "head, where"))
wrong__replaced_all_others__1 = change(right__chosen, ("(heads == layer", "(heads != layer"))
wrong__replaced_head_only__1 = change(
    right__unpacked, ("return weights", "return weights[:, head]"), ("return new", "return new[:, head]")
)
wrong__replaced_nothing_elsewhere__1 = change(right__unpacked, ("return weights", "return None"))
wrong__replaced_nothing__1 = change(
    right__unpacked, ("new[:, head, :, :] = pattern", "new[:, head, :, :].clone().fill_(0)")
)
wrong__input_changed__1 = change(right__unpacked, ("weights.clone()", "weights"))

# What is returned in the layer is the pattern.
extra__pattern = change(right__unpacked, ("return new", "return pattern"))
