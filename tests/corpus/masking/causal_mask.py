"""Answers to `causal_mask(n_queries, n_keys=None)` of notebook 05."""

import functools

import numpy as np
import torch
from torch import nn

from tests.corpus import change

def right__tril(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)

def right__triu_negated(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    future = torch.triu(torch.ones(n_queries, n_keys), diagonal=n_keys - n_queries + 1)
    return future == 0

def right__aranges(n_queries: int, n_keys: int | None = None) -> torch.Tensor:
    n_keys = n_queries if n_keys is None else n_keys
    time_of_query = torch.arange(n_keys - n_queries, n_keys)
    return torch.arange(n_keys) <= time_of_query[:, None]

def right__counted_from_the_end(n_queries, n_keys=None):
    n_keys = n_keys if n_keys is not None else n_queries
    queries_after = torch.arange(n_queries - 1, -1, -1).unsqueeze(1)
    keys_after = torch.arange(n_keys - 1, -1, -1).unsqueeze(0)
    return torch.ge(keys_after, queries_after)

def right__loops(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    mask = torch.zeros(n_queries, n_keys, dtype=torch.bool)
    for i in range(n_queries):
        for j in range(n_keys):
            if j - (n_keys - 1) <= i - (n_queries - 1):
                mask[i, j] = True
    return mask

def right__nested_lists(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    rows = [[i + n_keys - n_queries >= j for j in range(n_keys)] for i in range(n_queries)]
    return torch.tensor(rows)

def right__corner_of_a_square(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    n = max(n_queries, n_keys)
    return torch.tril(torch.ones((n, n))).bool()[n - n_queries :, n - n_keys :]

def right__tril_indices(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    mask = torch.full((n_queries, n_keys), False)
    rows, columns = torch.tril_indices(n_queries, n_keys, offset=n_keys - n_queries)
    mask[rows, columns] = True
    return mask

def right__cumulative(n_queries, n_keys=None):
    # One step to the right in each row; what is at or before the last 1 of the row is the past.
    n_keys = n_queries if n_keys is None else n_keys
    first_hidden = torch.arange(n_queries) + n_keys - n_queries + 1
    steps = (torch.arange(n_keys) == first_hidden[:, None]).int()
    return (steps.cumsum(-1) == 0) & (first_hidden[:, None] > 0)

@functools.cache
def right__remembered(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).tril(n_keys - n_queries).bool()

def odd__numpy(n_queries, n_keys=None):
    """Made by NumPy's `tri`."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.from_numpy(np.tri(n_queries, n_keys, n_keys - n_queries, dtype=bool))

def odd__transformer_helper(n, m=None):
    """torch's own additive mask, compared with 0; other argument names."""
    m = n if m is None else m
    size = max(n, m)
    return nn.Transformer.generate_square_subsequent_mask(size)[size - n :, size - m :] == 0

def odd__more_keywords(n_queries, n_keys=None, *, device=None, dtype=torch.bool):
    """Keywords of its own, and a transposed view."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_keys, n_queries, device=device, dtype=dtype).triu(n_queries - n_keys).T

odd__lambda = lambda n, m=None: torch.ones(n, m or n).tril((m or n) - n) > 0

def wrong__causal_strict__2(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.arange(n_keys) < torch.arange(n_keys - n_queries, n_keys)[:, None]

def wrong__causal_strict__3(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.tensor([[j < i + n_keys - n_queries for j in range(n_keys)] for i in range(n_queries)])

def wrong__causal_off_by_one__2(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    mask = torch.zeros(n_queries, n_keys, dtype=torch.bool)
    for i in range(n_queries):
        mask[i, : max(i + n_keys - n_queries + 2, 0)] = True
    return mask

def wrong__causal_upper__1(n_queries, n_keys=None):
    # True = blocked, as many libraries have it.
    n_keys = n_queries if n_keys is None else n_keys
    return torch.triu(torch.ones(n_queries, n_keys), diagonal=n_keys - n_queries + 1).bool()

def wrong__causal_upper__4(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    i, j = torch.arange(n_queries)[:, None], torch.arange(n_keys)[None, :]
    return i + n_keys - n_queries <= j

def wrong__causal_top_left__2(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    return torch.arange(n_queries)[:, None] >= torch.arange(n_keys)

wrong__causal_strict__1 = change(right__tril, ("- n_queries", "- n_queries - 1"))
wrong__causal_off_by_one__1 = change(right__tril, ("- n_queries", "- n_queries + 1"))
wrong__causal_upper__2 = change(wrong__causal_strict__2, ("(n_keys) <", "(n_keys) >"))
wrong__causal_upper__3 = change(right__tril, (".tril", ".triu"))
wrong__causal_top_left__1 = change(right__tril, ("n_keys - n_queries", ""))

def natural__causal_strict__1(n_queries, n_keys=None):
    if n_keys is None:
        n_keys = n_queries
    return torch.triu(torch.ones(n_queries, n_keys), diagonal=n_keys - n_queries) == 0

natural__causal_upper__1 = change(
    natural__causal_strict__1, ("return torch.triu", "mask = torch.tril"),
    ("n_queries) == 0", "n_queries)", "return mask == 0"),
)
natural__causal_top_left__1 = change(right__loops, ("- (n_keys - 1) <= i - (n_queries - 1)", "<= i"))
natural__causal_off_by_one__1 = change(
    right__loops, ("torch.zeros", "torch.ones"),
    ("(n_keys - 1) <= i - (n_queries - 1)", "(n_keys - n_queries) > i + 1"), ("True", "False"),
)

def extra__keys_ignored(n_queries, n_keys=None):
    """Always square: n_keys is not looked at."""
    return torch.ones(n_queries, n_queries, dtype=torch.bool).tril()

def wrong__slice_before_start__2(n_queries, n_keys=None):
    """A slice that starts below 0 counts from the end: wrong with more queries than keys."""
    n_keys = n_queries if n_keys is None else n_keys
    n = max(n_queries, n_keys)
    return torch.ones(n, n, dtype=torch.bool).tril()[n_keys - n_queries : n_keys, :n_keys]

def extra__causal_all__loops(n_queries, n_keys=None):
    """Nothing blocked: the condition holds always."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.tensor([[j <= n_keys for j in range(n_keys)] for _ in range(n_queries)])

def extra__n_keys_ignored__aranges(n_queries, n_keys=None):
    """Always square, written with comparisons."""
    i = torch.arange(n_queries)
    return i[:, None] >= i

# Ones and zeros as floating-point numbers: not a boolean mask.
extra__wrong_dtype__float = change(right__tril, (", dtype=torch.bool", ""))
# Ones and zeros as integers, which index where a mask would choose.
extra__wrong_dtype__int = change(right__tril, ("torch.bool", "torch.long"))
# Bytes, which indexing once took for a mask.
extra__wrong_dtype__bytes = change(right__tril, ("torch.bool", "torch.uint8"))
# 0 and -inf, to be added to the scores.
extra__additive = change(
    wrong__causal_off_by_one__1,
    (".ones(n_queries, n_keys, dtype=torch.bool).tril", ".full((n_queries, n_keys), -torch.inf).triu"),
)
# n_keys left at None raises an error.
extra__none_not_handled = change(right__tril, ("n_keys = n_queries if n_keys is None else n_keys", ""))
# (n_keys, n_queries): keys down, queries across.
extra__axes_swapped = change(right__tril, ("(n_keys - n_queries)", "(n_keys - n_queries).T"))
# A batch axis that nobody asked for.
extra__batch_axis_added = change(right__tril, ("n_queries, n_keys,", "1, n_queries, n_keys,"))
# Moved the wrong way: n_queries - n_keys.
extra__offset_sign = change(right__tril, ("n_keys - n_queries", "n_queries - n_keys"))
# Bottom right with more keys than queries, top left with fewer.
extra__offset_not_negative = change(right__tril, ("(n_keys - n_queries)", "(max(n_keys - n_queries, 0))"))
# Each query may see the first key, so that no row is empty.
extra__first_key_for_all = change(
    extra__axes_swapped, ("return torch", "mask = torch"), (".T", "", "mask[:, 0] = True", "return mask"),
)
# Nothing blocked.
extra__all_allowed = change(
    extra__keys_ignored, (", dtype=", " if n_keys is None else n_keys, dtype="), (".tril()", ""),
)
# Each query sees itself alone.
extra__diagonal_only = change(wrong__causal_strict__2, ("(n_keys) <", "(n_keys) =="))
# A NumPy array, not a tensor.
extra__numpy_array = change(odd__numpy, ("torch.from_numpy(", ""), ("dtype=bool))", "dtype=bool)"))
# Nested lists, not a tensor.
extra__lists = change(odd__numpy, ("torch.from_numpy(", ""), ("dtype=bool))", "dtype=bool).tolist()"))
# Keys down, queries across, written with comparisons.
extra__axes_exchanged__aranges = change(
    wrong__causal_strict__2, ("(n_keys) <", "(n_keys)[:, None] <="), ("[:, None]", ""),
)
# (1 - mask) times a large negative number, to be added to the scores.
extra__mask_to_be_added__product = change(
    extra__axes_swapped, ("return torch", "return (1 - torch"), (", dtype=torch.bool", ""), (".T", ") * -1e9"),
)
# Top left, and the diagonal blocked.
extra__two_mistakes = change(right__tril, ("n_keys - n_queries", "-1"))

# The move has the other sign, or none.
wrong__alignment_moved_wrongly__1 = change(
    right__loops, ("j - (n_keys - 1) <= i - (n_queries - 1)", "j + (n_keys - 1) <= i + (n_queries - 1)")
)
wrong__alignment_moved_wrongly__2 = change(
    right__triu_negated, ("n_keys - n_queries + 1", "max(n_keys - n_queries, 0) + 1")
)
wrong__alignment_moved_wrongly__3 = change(
    right__triu_negated, ("n_keys - n_queries + 1", "abs(n_keys - n_queries) + 1")
)
# A loop over the rows, whose slices end before 0 where there are more queries than keys.
def wrong__slice_before_start__1(n_queries, n_keys=None):
    n_keys = n_queries if n_keys is None else n_keys
    allowed = torch.zeros(n_queries, n_keys, dtype=torch.bool)
    for i in range(n_queries):
        allowed[i, : i + n_keys - n_queries + 1] = True
    return allowed
