"""Answers to the practice `first(order, n)` of notebook 13."""

import torch

from tests.corpus import change

def right__scattered(order, n):
    kept = torch.zeros(order.shape, dtype=torch.bool)
    best = order.topk(n, dim=1).indices
    return kept.scatter(1, best, True)

def right__rows(order, n):
    kept = torch.zeros_like(order, dtype=torch.bool)
    for picture, row in enumerate(order):
        for _, patch in sorted((-number, patch) for patch, number in enumerate(row.tolist()))[:n]:
            kept[picture, patch] = True
    return kept

def right__ranks(order, n):
    rank = torch.argsort(torch.argsort(-order, dim=1), dim=1)
    return rank < n

wrong__first_smallest__1 = change(right__ranks, ("(-order", "(order"))
wrong__first_sorted_once__1 = change(
    right__ranks, ("torch.argsort(torch.argsort(-order, dim=1), dim=1)", "torch.argsort(-order, dim=1)")
)
wrong__first_indices__1 = change(right__scattered, ("return kept.scatter(1, best, True)", "return best"))
wrong__first_of_all_pictures__1 = change(right__ranks, ("-order, dim=1), dim=1", "-order, dim=0), dim=0"))
wrong__first_number__1 = change(right__ranks, ("rank < n", "rank <= n"))
wrong__first_same_numbers__1 = change(
    right__ranks,
    (
        "rank = torch.argsort(torch.argsort(-order, dim=1), dim=1)",
        "border = order.sort(dim=1, descending=True).values[:, n - 1]",
    ),
    ("rank < n", "order >= border[:, None]"),
)

# Numbers in place of True and False.
extra__numbers = change(right__ranks, ("rank < n", "(rank < n).float()"))
# The ranks.
extra__ranks = change(right__ranks, ("rank < n", "rank"))
