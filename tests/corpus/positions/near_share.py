"""Answers to the practice `near_share(weights, n_near)` of notebook 06."""

import torch

from tests.corpus import change

def right__mask(weights, n_near):
    n_tokens = weights.shape[-1]
    band = torch.ones(n_tokens, n_tokens).tril() - torch.ones(n_tokens, n_tokens).tril(-n_near)
    return (weights * band)[..., n_tokens // 2 :, :].sum(-1).mean(-1)

def right__diagonals(weights, n_near):
    n = weights.shape[-1]
    total = torch.zeros(weights.shape[:-2])
    for i in range(n // 2, n):
        for j in range(max(0, i - n_near + 1), i + 1):
            total = total + weights[..., i, j]
    return total / (n - n // 2)

def right__masked_fill(weights, n_near):
    n = weights.shape[-1]
    i, j = torch.arange(n)[:, None], torch.arange(n)
    far = (i - j >= n_near) | (j > i)
    return weights.masked_fill(far, 0.0).sum(dim=-1)[..., n // 2 :].mean(dim=-1)

wrong__near_without_itself__1 = change(
    right__diagonals, ("range(max(0, i - n_near + 1), i + 1)", "range(max(0, i - n_near), i)")
)
wrong__near_one_more__1 = change(right__masked_fill, ("i - j >= n_near", "i - j > n_near"))
wrong__near_every_query__1 = change(right__masked_fill, ("[..., n // 2 :]", ""))
wrong__near_first_half__1 = change(right__masked_fill, ("[..., n // 2 :]", "[..., : n // 2]"))
wrong__near_is_far__1 = change(right__masked_fill, ("weights.masked_fill(far, 0.0)", "(weights * far)"))
wrong__near_last_keys__1 = change(
    right__masked_fill, ("weights.masked_fill(far, 0.0).sum(dim=-1)", "weights[..., -n_near:].sum(dim=-1)")
)
wrong__near_mean__1 = change(right__masked_fill, (".mean(dim=-1)", ".mean(dim=-1) / n_near"))
wrong__near_all_heads__1 = change(right__masked_fill, (".mean(dim=-1)", ".mean()"))
wrong__near_each_query__1 = change(right__masked_fill, (".mean(dim=-1)", ""))
# Sums over the queries, where the keys are meant.
extra__over_queries = change(right__masked_fill, (".sum(dim=-1)", ".sum(dim=-2)"))
