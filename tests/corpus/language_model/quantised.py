"""Answers to the practice `quantised(model, n_bits)` of notebook 10."""

import copy

import torch

from tests.corpus import change

def right__each_row(model, n_bits):
    smaller = copy.deepcopy(model)
    largest = 2 ** (n_bits - 1) - 1
    with torch.no_grad():
        for weight in smaller.parameters():
            if weight.ndim == 2:
                for row in weight:
                    step = row.abs().max() / largest
                    row.copy_(torch.round(row / step) * step)
    return smaller

def right__in_place(model, n_bits):
    model = copy.deepcopy(model)
    for weight in model.parameters():
        if weight.dim() == 2:
            step = weight.data.abs().max(dim=1, keepdim=True).values / (2**n_bits // 2 - 1)
            weight.data.div_(step).round_().mul_(step)
    return model

wrong__quantised_one_scale__1 = change(
    right__each_row,
    ("row.abs().max()", "weight.abs().max()"),
    ("for row in weight:", "row = weight"),
    ("    step =", "step ="),
    ("    row.copy_", "row.copy_"),
)
wrong__quantised_columns__1 = change(right__in_place, ("dim=1", "dim=0"))
wrong__quantised_sign__1 = change(right__in_place, (".abs()", ""))
wrong__quantised_levels__1 = change(right__in_place, ("(2**n_bits // 2 - 1)", "2 ** (n_bits - 1)"))
wrong__quantised_levels__2 = change(right__in_place, ("(2**n_bits // 2 - 1)", "(2**n_bits - 1)"))
wrong__quantised_cut_off__1 = change(right__in_place, (".round_()", ".trunc_()"))
wrong__quantised_whole_numbers__1 = change(right__in_place, (".mul_(step)", ""))
wrong__quantised_vectors_too__1 = change(
    right__in_place, ("weight.dim() == 2", "weight.dim() > 0"), ("dim=1", "dim=-1")
)
wrong__quantised_nothing__1 = change(
    right__in_place, ("weight.data.div_(step).round_().mul_(step)", "weight = (weight / step).round() * step")
)
wrong__input_changed__1 = change(right__in_place, ("copy.deepcopy(model)", "model"))

# The steps are halved.
extra__half_steps = change(right__in_place, (".round_()", ".mul_(2).round_().div_(2)"))
# The original is returned.
extra__original = change(right__each_row, ("return smaller", "return None"))
