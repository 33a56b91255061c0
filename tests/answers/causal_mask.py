"""Answers to `causal_mask(n_queries, n_keys=None)` of notebook 05."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from tests.answers.gather import gather


def right__causal_mask__tril(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)


def right__causal_mask__triu_negated(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    future = torch.triu(torch.ones(n_queries, n_keys), diagonal=n_keys - n_queries + 1)
    return future == 0


def right__causal_mask__aranges(n_queries: int, n_keys: int | None = None) -> torch.Tensor:
    n_keys = n_queries if n_keys is None else n_keys
    time_of_query = torch.arange(n_keys - n_queries, n_keys)
    return torch.arange(n_keys) <= time_of_query[:, None]


def right__causal_mask__counted_from_the_end(n_queries, n_keys=None):
    n_keys = n_keys if n_keys is not None else n_queries
    queries_after = torch.arange(n_queries - 1, -1, -1).unsqueeze(1)
    keys_after = torch.arange(n_keys - 1, -1, -1).unsqueeze(0)
    return torch.ge(keys_after, queries_after)


def right__causal_mask__loops(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    mask = torch.zeros(n_queries, n_keys, dtype=torch.bool)
    for i in range(n_queries):
        for j in range(n_keys):
            if j - (n_keys - 1) <= i - (n_queries - 1):
                mask[i, j] = True
    return mask


def right__causal_mask__nested_lists(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    rows = [[i + n_keys - n_queries >= j for j in range(n_keys)] for i in range(n_queries)]
    return torch.tensor(rows)


def right__causal_mask__corner_of_a_square(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    n = max(n_queries, n_keys)
    return torch.tril(torch.ones((n, n))).bool()[n - n_queries :, n - n_keys :]


def right__causal_mask__tril_indices(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    mask = torch.full((n_queries, n_keys), False)
    rows, columns = torch.tril_indices(n_queries, n_keys, offset=n_keys - n_queries)
    mask[rows, columns] = True
    return mask


def right__causal_mask__cumulative(n_queries, n_keys=None):
    # One step to the right in each row; what is at or before the last 1 of the row is the past.
    n_keys = n_queries if n_keys is None else n_keys
    first_hidden = torch.arange(n_queries) + n_keys - n_queries + 1
    steps = (torch.arange(n_keys) == first_hidden[:, None]).int()
    return (steps.cumsum(-1) == 0) & (first_hidden[:, None] > 0)


def odd__causal_mask__numpy(n_queries, n_keys=None):
    """Made by NumPy's `tri`."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.from_numpy(np.tri(n_queries, n_keys, n_keys - n_queries, dtype=bool))


def odd__causal_mask__transformer_helper(n, m=None):
    """torch's own additive mask, compared with 0; other argument names."""
    m = n if m is None else m
    size = max(n, m)
    return nn.Transformer.generate_square_subsequent_mask(size)[size - n :, size - m :] == 0


def odd__causal_mask__more_keywords(n_queries, n_keys=None, *, device=None, dtype=torch.bool):
    """Keywords of its own, and a transposed view."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_keys, n_queries, device=device, dtype=dtype).triu(n_queries - n_keys).T


odd__causal_mask__lambda = lambda n, m=None: torch.ones(n, m or n).tril((m or n) - n) > 0  # noqa: E731 - the case


def wrong__causal_mask__causal_strict__1(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries - 1)


def wrong__causal_mask__causal_strict__2(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.arange(n_keys) < torch.arange(n_keys - n_queries, n_keys)[:, None]


def wrong__causal_mask__causal_strict__3(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.tensor([[j < i + n_keys - n_queries for j in range(n_keys)] for i in range(n_queries)])


def wrong__causal_mask__causal_off_by_one__1(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries + 1)


def wrong__causal_mask__causal_off_by_one__2(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    mask = torch.zeros(n_queries, n_keys, dtype=torch.bool)
    for i in range(n_queries):
        mask[i, : max(i + n_keys - n_queries + 2, 0)] = True
    return mask


def wrong__causal_mask__causal_upper__1(n_queries, n_keys=None):
    # True = blocked, as many libraries have it.
    n_keys = n_queries if n_keys is None else n_keys
    return torch.triu(torch.ones(n_queries, n_keys), diagonal=n_keys - n_queries + 1).bool()


def wrong__causal_mask__causal_upper__2(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.arange(n_keys) > torch.arange(n_keys - n_queries, n_keys)[:, None]


def wrong__causal_mask__causal_upper__3(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).triu(n_keys - n_queries)


def wrong__causal_mask__causal_upper__4(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    i, j = torch.arange(n_queries)[:, None], torch.arange(n_keys)[None, :]
    return i + n_keys - n_queries <= j


def wrong__causal_mask__causal_top_left__1(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril()


def wrong__causal_mask__causal_top_left__2(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.arange(n_queries)[:, None] >= torch.arange(n_keys)


def natural__causal_mask__causal_strict__1(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    return torch.triu(torch.ones(n_queries, n_keys), diagonal=n_keys - n_queries) == 0


def natural__causal_mask__causal_upper__1(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    mask = torch.tril(torch.ones(n_queries, n_keys), diagonal=n_keys - n_queries)
    return mask == 0


def natural__causal_mask__causal_top_left__1(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    mask = torch.zeros(n_queries, n_keys, dtype=torch.bool)
    for i in range(n_queries):
        for j in range(n_keys):
            if j <= i:
                mask[i, j] = True
    return mask


def natural__causal_mask__causal_off_by_one__1(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    mask = torch.ones(n_queries, n_keys, dtype=torch.bool)
    for i in range(n_queries):
        for j in range(n_keys):
            if j - (n_keys - n_queries) > i + 1:
                mask[i, j] = False
    return mask


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
