"""Answers to the practice `mean_weight(weights, keys)` of notebook 10."""

import torch

from tests.corpus import change

def right__chosen(weights, keys):
    text, query, key = keys.nonzero(as_tuple=True)
    on_keys = weights[:, text, :, query, key]  # the index arrays are parted by a slice: their axis comes first
    return on_keys.mean(dim=0)

def right__einsum(weights, keys):
    asked = keys.to(weights.dtype)
    total = torch.einsum("lbhij, bij -> lh", weights, asked)
    return total / asked.sum()

def right__row_by_row(weights, keys):
    has_key = keys.any(-1)
    by_query = (weights * keys.unsqueeze(1)).sum(-1)
    return by_query.sum((1, 3)) / has_key.sum()

wrong__mean_weight_all_queries__1 = change(right__einsum, ("asked.sum()", "(keys.shape[0] * keys.shape[1])"))
wrong__mean_weight_all_entries__1 = change(right__einsum, ("asked.sum()", "asked.numel()"))
wrong__mean_weight_sum__1 = change(right__einsum, ("total / asked.sum()", "total"))
wrong__mean_weight_over_texts__1 = change(right__einsum, ("asked.sum()", "len(keys)"))
wrong__mean_weight_transposed__1 = change(right__einsum, ("lbhij, bij", "lbhij, bji"))
wrong__mean_weight_others__1 = change(
    right__einsum,
    ("keys.to(weights.dtype)", "(~keys & keys.any(-1, keepdim=True)).to(weights.dtype)"),
    ("asked.sum()", "keys.any(-1).sum()"),
)
wrong__mean_weight_heads_first__1 = change(right__einsum, ("-> lh", "-> hl"))
wrong__mean_weight_no_axis__1 = change(
    right__row_by_row,
    ("by_query = (weights * keys.unsqueeze(1)).sum(-1)", ""),
    ("by_query.sum((1, 3))", "(weights * keys).sum(dim=(1, 3, 4))"),
)

# One number for all layers and heads.
extra__one_number = change(right__einsum, ("-> lh", "->"))
# Each text has its own numbers.
extra__each_text = change(right__einsum, ("-> lh", "-> blh"))
