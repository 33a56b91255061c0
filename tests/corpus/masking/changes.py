"""Answers to the practice `changes(function, x, new)` of notebook 05."""

import torch

from tests.corpus import change

def right__columns(function, x, new):
    before = function(x)
    columns = []
    for j in range(x.shape[0]):
        other = x.clone()
        other[j] = new[j]
        columns.append((function(other) != before).any(dim=1))
    return torch.stack(columns, dim=1)

def right__where(function, x, new):
    n = len(x)
    before, found = function(x), torch.full((n, n), False)
    for j in range(n):
        here = torch.arange(n).unsqueeze(1) == j
        after = function(torch.where(here, new, x))
        for i in range(n):
            found[i, j] = not torch.equal(after[i], before[i])
    return found

def right__joined(function, x, new):
    rows = [function(torch.cat([x[:j], new[j : j + 1], x[j + 1 :]])) for j in range(len(x))]
    return torch.stack([(row != function(x)).any(-1) for row in rows]).T

wrong__changes_transposed__1 = change(right__columns, ("columns, dim=1", "columns, dim=0"))
wrong__changes_transposed__2 = change(right__joined, (".T", ""))
wrong__changes_every_channel__1 = change(right__columns, (".any(", ".all("))
wrong__changes_first_channel__1 = change(right__columns, (".any(dim=1)", "[:, 0]"))
wrong__changes_stay__1 = change(
    right__columns, ("other = x.clone()", ""), ("columns = []", "columns = []", "other = x.clone()")
)
wrong__changes_all_at_once__1 = change(right__columns, ("other[j] = new[j]", "other[:] = new"))
wrong__changes_inverted__1 = change(right__where, ("not torch.equal", "torch.equal"))
wrong__changes_without_itself__1 = change(right__where, ("found[i, j] = not", "found[i, j] = i != j and not"))
wrong__changes_tokens_compared__1 = change(right__columns, ("before = function(x)", "before = x"))
wrong__changes_nothing_found__1 = change(right__columns, ("function(other)", "function(x)"))

# The tokens themselves are written over.
wrong__input_changed__1 = change(right__columns, ("x.clone()", "x"))
# The outputs are not reduced to one value each.
extra__channels = change(right__columns, (".any(dim=1)", ""))
# One value for each output alone.
extra__no_tokens = change(right__joined, (".T", ".any(0)"))
