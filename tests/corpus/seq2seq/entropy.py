"""Answers to the practice `entropy(weights)` of notebook 01."""

import math

import torch

from tests.corpus import change

def right__xlogy(weights):
    return -torch.xlogy(weights, weights).sum(-1) / math.log(2)

def right__entr(weights):
    return torch.special.entr(weights).sum(dim=-1) / torch.log(torch.tensor(2.0))

def right__clamped(weights):
    return -(weights * weights.clamp(min=1e-9).log2()).sum(dim=-1)

def right__where(weights):
    logs = torch.where(weights > 0, weights, 1.0).log2()
    return -(weights * logs).sum(dim=-1)

def right__nan_to_num(weights):
    return -(weights * weights.log2()).nan_to_num(0.0).sum(dim=-1)

# A small number keeps the logarithm finite.
right__small_number = change(right__clamped, ("weights.clamp(min=1e-9).log2()", "(weights + 1e-9).log2()"))

wrong__entropy_nan_at_zero__1 = change(right__clamped, (".clamp(min=1e-9)", ""))
wrong__entropy_in_nats__1 = change(right__xlogy, (" / math.log(2)", ""))
wrong__entropy_in_nats__2 = change(right__clamped, ("log2", "log"))
wrong__entropy_negative__1 = change(right__xlogy, ("-torch", "torch"))
wrong__entropy_not_weighted__1 = change(right__clamped, ("weights * weights.clamp(min=1e-9)", "weights"))
wrong__entropy_of_everything__1 = change(right__xlogy, (".sum(-1)", ".sum()"))
wrong__entropy_mean_of_terms__1 = change(right__clamped, (".sum(dim=-1)", ".mean(dim=-1)"))
wrong__entropy_over_rows__1 = change(right__entr, ("sum(dim=-1)", "sum(dim=0)"))

# The axis stays.
extra__axis_kept = change(right__clamped, ("sum(dim=-1)", "sum(dim=-1, keepdim=True)"))
# The weight in another base.
extra__base_ten = change(right__clamped, ("log2", "log10"))
