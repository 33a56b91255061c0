"""Answers to the practice `directory_context(keys, places, w_key)` of notebook 02."""

import torch
import torch.nn.functional as F

from tests.corpus import change


def right__stacked(keys, places, w_key):
    context = torch.hstack([keys, places])
    for_keys = torch.vstack([w_key, torch.zeros(2, w_key.shape[1])])
    for_values = torch.vstack([torch.zeros(keys.shape[1], 2), torch.eye(2)])
    return context, for_keys, for_values


def right__columns_of_the_identity(keys, places, w_key):
    context = torch.cat([keys, places], dim=-1)
    n_letters = keys.shape[-1]
    chosen = torch.eye(n_letters + 2)
    return context, chosen[:, :n_letters] @ w_key, chosen[:, n_letters:]


def right__filled_in(keys, places, w_key):
    n_letters, d_key = w_key.shape
    for_keys, for_values = torch.zeros(n_letters + 2, d_key), torch.zeros(n_letters + 2, 2)
    for_keys[:n_letters] = w_key
    for_values[n_letters, 0] = 1
    for_values[n_letters + 1, 1] = 1
    return torch.cat((keys, places), 1), for_keys, for_values


def right__padded(keys, places, w_key):
    return [torch.cat([keys, places], -1), F.pad(w_key, (0, 0, 0, 2)), F.pad(torch.eye(2), (0, 0, len(w_key), 0))]


# The place first, in the context and in both matrices.
def right__places_first(keys, places, w_key):
    for_keys = torch.cat([torch.zeros(2, w_key.shape[1]), w_key])
    for_values = torch.cat([torch.eye(2), torch.zeros(keys.shape[1], 2)])
    return torch.cat([places, keys], dim=1), for_keys, for_values


wrong__directory_value_letters__1 = change(right__columns_of_the_identity, ("chosen[:, n_letters:]", "chosen[:, :2]"))
wrong__directory_value_letters__2 = change(
    right__stacked,
    ("[torch.zeros(keys.shape[1], 2), torch.eye(2)]", "[torch.eye(2), torch.zeros(keys.shape[1], 2)]"),
)
wrong__directory_value_everything__1 = change(right__columns_of_the_identity, ("chosen[:, n_letters:]", "chosen"))
wrong__directory_coordinates_added__1 = change(right__stacked, ("torch.eye(2)", "torch.ones(2, 2)"))
wrong__directory_letters_in_value__1 = change(
    right__stacked, ("torch.zeros(keys.shape[1], 2)", "torch.ones(keys.shape[1], 2)")
)
wrong__directory_letters_in_value__2 = change(
    right__filled_in, ("torch.zeros(n_letters + 2, 2)", "torch.ones(n_letters + 2, 2)")
)
wrong__directory_places_in_scores__1 = change(
    right__stacked, ("torch.zeros(2, w_key.shape[1])", "torch.ones(2, w_key.shape[1])")
)
# The first rows once more, so that the shapes fit.
wrong__directory_places_in_scores__2 = change(right__stacked, ("torch.zeros(2, w_key.shape[1])", "w_key[:2]"))
wrong__directory_rows_above__1 = change(right__padded, ("(0, 0, 0, 2)", "(0, 0, 2, 0)"))
wrong__directory_places_first__1 = change(right__stacked, ("hstack([keys, places])", "hstack([places, keys])"))


# The names are projected before, and the matrix only chooses them.
def wrong__directory_projected_before__1(keys, places, w_key):
    context = torch.cat([keys @ w_key, places], dim=-1)
    d_key = w_key.shape[-1]
    chosen = torch.eye(d_key + 2)
    return context, chosen[:, :d_key], chosen[:, d_key:]


# The two matrices come in the other order.
extra__other_order = change(
    right__stacked, ("return context, for_keys, for_values", "return context, for_values, for_keys")
)
# The coordinates change places.
extra__coordinates_exchanged = change(right__stacked, ("torch.eye(2)", "torch.eye(2).flip(0)"))
# The names are below the places, not beside them.
extra__one_below_the_other = change(right__stacked, ("torch.hstack([keys, places])", "torch.vstack([keys, places])"))
# The matrices are made for 26 letters.
extra__26_letters = change(right__stacked, ("torch.zeros(keys.shape[1], 2)", "torch.zeros(26, 2)"))
