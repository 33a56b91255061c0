"""Answers to `relation_weights(n_features, asks, finds)` of notebook 03."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from tests.corpus import change


def right__one_column(n_features, asks, finds):
    w_query, w_key = torch.zeros(n_features, 1), torch.zeros(n_features, 1)
    w_query[asks], w_key[finds] = 10.0, 1.0
    return w_query, w_key


def right__own_d_key(n_features, asks, finds):
    d_key = 16
    w_query = torch.zeros(n_features, d_key)
    w_key = torch.zeros(n_features, d_key)
    w_query[asks] = 2.0
    w_key[finds] = 2.0
    return w_query, w_key


def right__identity_key(n_features, asks, finds):
    # Every token's key is itself; the one that asks has the wanted token as its query.
    w_query = torch.zeros(n_features, n_features)
    w_query[asks, finds] = 10 * math.sqrt(n_features)
    return w_query, torch.eye(n_features)


def right__one_hot(n_features, asks, finds):
    asking = F.one_hot(torch.tensor(asks), n_features).float()
    found = F.one_hot(torch.tensor(finds), n_features).float()
    return 20 * asking.unsqueeze(-1), found.unsqueeze(-1)


def right__interaction_cut(n_features: int, asks: int, finds: int):
    interaction = torch.zeros(n_features, n_features, dtype=torch.float64)
    interaction[asks, finds] = 30.0
    left, sizes, right = torch.linalg.svd(interaction)
    return left * sizes * math.sqrt(n_features), right.mT


def right__just_enough(n_features, asks, finds):
    needed = math.log(99 * 63)
    w_query = torch.tensor([[needed if f == asks else 0.0] for f in range(n_features)])
    w_key = torch.tensor([[1.0 if f == finds else 0.0] for f in range(n_features)])
    return w_query, w_key


def right__others_below(n_features, asks, finds):
    # A key that fits less than 0 for all others: what counts is the difference.
    w_query = torch.zeros(n_features, 2)
    w_query[asks] = torch.tensor([12.0, 12.0])
    w_key = -torch.ones(n_features, 2)
    w_key[finds] *= -1
    return w_query, w_key


def right__random_key(n_features, asks, finds):
    generator = torch.Generator().manual_seed(0)
    w_key = torch.linalg.qr(torch.randn(n_features, n_features, generator=generator, dtype=torch.float64))[0]
    w_query = torch.zeros_like(w_key)
    w_query[asks] = 50 * n_features**0.5 * w_key[finds]
    return w_query, w_key


def odd__list(n_features, asks, finds):
    """A list, not a tuple."""
    w = torch.zeros(2, n_features, 3)
    w[0, asks, 2] = w[1, finds, 2] = 7.0
    return [*w]


def odd__large(n_features, asks, finds):
    """A number far larger than it has to be."""
    w_query, w_key = torch.zeros(n_features, 1), torch.zeros(n_features, 1)
    w_query[asks], w_key[finds] = 1e9, 1e9
    return w_query, w_key


def odd__requires_grad(n_features, asks, finds):
    """Parameters, which would be trained further."""
    w_query, w_key = torch.zeros(n_features, 1), torch.zeros(n_features, 1)
    w_query[asks], w_key[finds] = -5.0, -5.0
    return torch.nn.Parameter(w_query), torch.nn.Parameter(w_key)


# Sharp enough before the division, with as many channels as features.
wrong__no_scale__1 = change(right__identity_key, ("10 * math.sqrt(n_features)", "10.0"))


def wrong__no_scale__2(n_features, asks, finds):
    w_query, w_key = torch.zeros(n_features, 64), torch.zeros(n_features, 64)
    w_query[asks, 0] = 5.0
    w_key[finds, 0] = 5.0
    return w_query, w_key


wrong__weights_not_sharp__1 = change(right__one_column, ("10.0, 1.0", "1.0, 1.0"))
# Enough for 8 tokens, but not for 64.
wrong__weights_not_sharp__2 = change(right__just_enough, ("99 * 63", "99 * 7"))
# Divided a second time.
wrong__weights_not_sharp__3 = change(
    right__interaction_cut, ("30.0", "4.0"), ("* math.sqrt(n_features)", "/ math.sqrt(n_features)")
)
wrong__relation_reversed__1 = change(right__one_column, ("[asks], w_key[finds]", "[finds], w_key[asks]"))
wrong__relation_reversed__2 = change(right__identity_key, ("asks, finds]", "finds, asks]"))
# The two come back in the other order.
wrong__relation_reversed__3 = change(right__own_d_key, ("return w_query, w_key", "return w_key, w_query"))


def wrong__relation_both_ways__1(n_features, asks, finds):
    interaction = torch.zeros(n_features, n_features)
    interaction[asks, finds] = interaction[finds, asks] = 40 * math.sqrt(n_features)
    return interaction, torch.eye(n_features)


def wrong__relation_both_ways__2(n_features, asks, finds):
    w = torch.zeros(n_features, 1)
    w[[asks, finds]] = 5.0
    return w, w.clone()


wrong__relation_negative__1 = change(right__one_column, ("10.0, 1.0", "-10.0, 1.0"))
wrong__relation_negative__2 = change(right__one_hot, ("20 *", "-20 *"))
wrong__everyone_asks__1 = change(right__own_d_key, ("w_query[asks] = 2.0", "w_query[:] = 2.0"))


def wrong__everyone_asks__2(n_features, asks, finds):
    w_query, w_key = torch.ones(n_features, 4), torch.zeros(n_features, 4)
    w_key[finds] = 10.0
    return w_query, w_key


wrong__self_match__1 = change(right__one_column, ("w_key[finds]", "w_key[asks]"))


def wrong__self_match__2(n_features, asks, finds):
    w = 20 * torch.eye(n_features)
    return w, w


# Its own kind as well as what it should find.
wrong__self_match__3 = change(right__own_d_key, ("w_key[finds]", "w_key[[asks, finds]]"))


def wrong__others_avoid__1(n_features, asks, finds):
    w_query, w_key = torch.full((n_features, 1), -5.0), torch.full((n_features, 1), -5.0)
    w_query[asks], w_key[finds] = 5.0, 5.0
    return w_query, w_key


# The rest is set to the opposite, where 0 is meant.
wrong__others_avoid__2 = change(
    right__identity_key,
    (
        "w_query = torch.zeros(n_features, n_features)",
        "w_query = torch.zeros(n_features, n_features)\n    w_query[:, finds] = -10 * math.sqrt(n_features)",
    ),
)


def wrong__others_match_themselves__1(n_features, asks, finds):
    w_query = torch.eye(n_features)
    w_query[asks] = 0.0
    w_query[asks, finds] = 1.0
    return 10 * math.sqrt(n_features) * w_query, torch.eye(n_features)


def wrong__others_match_themselves__2(n_features, asks, finds):
    key = F.one_hot(torch.arange(n_features), n_features).double()
    query = key.clone()
    query[asks] = key[finds]
    return 8 * query, 8 * key


# It falls back on itself.
wrong__fallback_pulls__1 = change(
    right__one_column, ("10.0, 1.0", "30.0, 1.0\n    if asks != finds:\n        w_key[asks] = 0.5")
)


def wrong__fallback_pulls__2(n_features, asks, finds):
    w_query, w_key = torch.zeros(n_features, n_features), 30 * torch.eye(n_features)
    w_query[asks, asks] = n_features
    w_query[asks, finds] = 2 * n_features
    return w_query, w_key


# Columns in the place of rows: with all others 0, no product is left.
wrong__relation_nowhere__1 = change(
    right__own_d_key,
    ("d_key = 16", "d_key = n_features"),
    ("w_query[asks]", "w_query[:, asks]"),
    ("w_key[finds]", "w_key[:, finds]"),
)
# Each of the two has a column of its own.
wrong__relation_nowhere__2 = change(wrong__no_scale__2, ("finds, 0", "finds, 1"))
# What was written is overwritten.
wrong__one_feature_forgotten__1 = change(right__one_column, ("10.0, 1.0", "10.0, 1.0\n    w_key[asks] = 0.0"))
wrong__one_feature_forgotten__2 = change(
    right__just_enough, ("if f == finds else", "if f == finds and f != asks else")
)
wrong__wrong_dtype__1 = change(
    right__one_hot,
    ("return 20 * asking.unsqueeze(-1), found", "return 20 * asking.half().unsqueeze(-1), found.half()"),
)
wrong__wrong_dtype__2 = change(
    right__one_column,
    (
        "torch.zeros(n_features, 1), torch.zeros(n_features, 1)",
        "torch.zeros(2, n_features, 1, dtype=torch.bfloat16)",
    ),
)


def extra__interaction(n_features, asks, finds):
    """The product of the two, once."""
    interaction = torch.zeros(n_features, n_features)
    interaction[asks, finds] = 10.0
    return interaction


def extra__two_d_keys(n_features, asks, finds):
    """One matrix is wider than the other."""
    return torch.zeros(n_features, 2), torch.zeros(n_features, 3)


def extra__d_key_first(n_features, asks, finds):
    """As nn.Linear keeps its weights."""
    w_query, w_key = torch.zeros(1, n_features), torch.zeros(1, n_features)
    w_query[0, asks] = w_key[0, finds] = 5.0
    return w_query, w_key


def extra__numpy(n_features, asks, finds):
    """NumPy arrays."""
    w = np.zeros((2, n_features, 1))
    w[0, asks] = w[1, finds] = 5.0
    return w[0], w[1]


def extra__infinite(n_features, asks, finds):
    """An infinite score, and 0 · ∞ for all others."""
    w_query, w_key = torch.zeros(n_features, 1), torch.zeros(n_features, 1)
    w_query[asks], w_key[finds] = math.inf, 1.0
    return w_query, w_key


def extra__vectors(n_features, asks, finds):
    """No axis for d_key."""
    w_query, w_key = torch.zeros(n_features), torch.zeros(n_features)
    w_query[asks], w_key[finds] = 10.0, 1.0
    return w_query, w_key


def extra__random(n_features, asks, finds):
    """Weights as they are before a training."""
    generator = torch.Generator().manual_seed(1)
    return torch.randn(2, n_features, 8, generator=generator).unbind()
