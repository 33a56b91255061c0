"""Wrong answers beyond the table to `causal_mask(n_queries, n_keys=None)` of notebook 05."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers.gather import gather


def extra__causal_mask__wrong_dtype__float(n_queries, n_keys=None):
    """Ones and zeros as floating-point numbers: not a boolean mask."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys).tril(n_keys - n_queries)


def extra__causal_mask__wrong_dtype__int(n_queries, n_keys=None):
    """Ones and zeros as integers, which index where a mask would choose."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.long).tril(n_keys - n_queries)


def extra__causal_mask__additive(n_queries, n_keys=None):
    """0 and -inf, to be added to the scores."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.full((n_queries, n_keys), -torch.inf).triu(n_keys - n_queries + 1)


def extra__causal_mask__keys_ignored(n_queries, n_keys=None):
    """Always square: n_keys is not looked at."""
    return torch.ones(n_queries, n_queries, dtype=torch.bool).tril()


def extra__causal_mask__none_not_handled(n_queries, n_keys=None):
    """n_keys left at None raises an error."""
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)


def extra__causal_mask__axes_swapped(n_queries, n_keys=None):
    """(n_keys, n_queries): keys down, queries across."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries).T


def extra__causal_mask__batch_axis_added(n_queries, n_keys=None):
    """A batch axis that nobody asked for."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(1, n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)


def extra__causal_mask__offset_sign(n_queries, n_keys=None):
    """Moved the wrong way: n_queries - n_keys."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_queries - n_keys)


def extra__causal_mask__offset_not_negative(n_queries, n_keys=None):
    """Bottom right with more keys than queries, top left with fewer."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(max(n_keys - n_queries, 0))


def extra__causal_mask__first_key_for_all(n_queries, n_keys=None):
    """Each query may see the first key, so that no row is empty."""
    n_keys = n_queries if n_keys is None else n_keys
    mask = torch.ones(n_queries, n_keys, dtype=torch.bool).tril(n_keys - n_queries)
    mask[:, 0] = True
    return mask


def extra__causal_mask__negative_slice(n_queries, n_keys=None):
    """A slice that starts below 0 counts from the end: wrong with more queries than keys."""
    n_keys = n_queries if n_keys is None else n_keys
    n = max(n_queries, n_keys)
    return torch.ones(n, n, dtype=torch.bool).tril()[n_keys - n_queries : n_keys, :n_keys]


def extra__causal_mask__all_allowed(n_queries, n_keys=None):
    """Nothing blocked."""
    return torch.ones(n_queries, n_queries if n_keys is None else n_keys, dtype=torch.bool)


def extra__causal_mask__diagonal_only(n_queries, n_keys=None):
    """Each query sees itself alone."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.arange(n_keys) == torch.arange(n_keys - n_queries, n_keys)[:, None]


def extra__causal_mask__numpy_array(n_queries, n_keys=None):
    """A NumPy array, not a tensor."""
    n_keys = n_queries if n_keys is None else n_keys
    return np.tri(n_queries, n_keys, n_keys - n_queries, dtype=bool)


def extra__causal_mask__lists(n_queries, n_keys=None):
    """Nested lists, not a tensor."""
    n_keys = n_queries if n_keys is None else n_keys
    return np.tri(n_queries, n_keys, n_keys - n_queries, dtype=bool).tolist()


def extra__causal_mask__causal_all__loops(n_queries, n_keys=None):
    """Nothing blocked: the condition holds always."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.tensor([[j <= n_keys for j in range(n_keys)] for _ in range(n_queries)])


def extra__causal_mask__axes_exchanged__aranges(n_queries, n_keys=None):
    """Keys down, queries across, written with comparisons."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.arange(n_keys)[:, None] <= torch.arange(n_keys - n_queries, n_keys)


def extra__causal_mask__n_keys_ignored__aranges(n_queries, n_keys=None):
    """Always square, written with comparisons."""
    i = torch.arange(n_queries)
    return i[:, None] >= i


def extra__causal_mask__mask_to_be_added__product(n_queries, n_keys=None):
    """(1 - mask) times a large negative number, to be added to the scores."""
    n_keys = n_queries if n_keys is None else n_keys
    return (1 - torch.ones(n_queries, n_keys).tril(n_keys - n_queries)) * -1e9


def extra__causal_mask__wrong_dtype__bytes(n_queries, n_keys=None):
    """Bytes, which indexing once took for a mask."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.uint8).tril(n_keys - n_queries)


def extra__causal_mask__two_mistakes(n_queries, n_keys=None):
    """Top left, and the diagonal blocked."""
    n_keys = n_queries if n_keys is None else n_keys
    return torch.ones(n_queries, n_keys, dtype=torch.bool).tril(-1)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
