"""Answers to the practice `prefix_mask(n_tokens, n_prefix)` of notebook 05."""

import torch

from course_attention.mechanisms.masking import causal_mask
from tests.corpus import change

def right__columns(n_tokens, n_prefix):
    mask = causal_mask(n_tokens)
    mask[:, :n_prefix] = True
    return mask

# The tokens after the prefix see it anyway, so the square is enough.
def right__square(n_tokens, n_prefix):
    mask = causal_mask(n_tokens)
    mask[:n_prefix, :n_prefix] = True
    return mask

def right__either(n_tokens, n_prefix):
    keys = torch.arange(n_tokens)
    queries = keys[:, None]
    return (keys <= queries) | (keys < n_prefix)

def right__furthest(n_tokens, n_prefix):
    keys = torch.arange(n_tokens)
    furthest = keys.clamp(min=n_prefix - 1)
    return keys <= furthest.unsqueeze(1)

def right__loop(n_tokens, n_prefix):
    mask = torch.zeros(n_tokens, n_tokens, dtype=torch.bool)
    for i in range(n_tokens):
        for j in range(n_tokens):
            mask[i, j] = j <= i or j < n_prefix
    return mask

wrong__prefix_is_causal__1 = change(right__loop, (" or j < n_prefix", ""))
wrong__prefix_alone__1 = change(right__loop, ("j <= i or ", ""))
wrong__prefix_alone__2 = change(right__columns, ("causal_mask(n_tokens)", "torch.zeros(n_tokens, n_tokens).bool()"))
wrong__prefix_and_past__1 = change(right__either, ("|", "&"))
wrong__prefix_as_rows__1 = change(right__columns, ("[:, :n_prefix]", "[:n_prefix]"))
wrong__prefix_as_rows__2 = change(right__either, ("(keys < n_prefix)", "(queries < n_prefix)"))
wrong__prefix_hidden_from_the_rest__1 = change(
    right__square, ("return", "mask[n_prefix:, :n_prefix] = False", "return")
)
wrong__prefix_too_long__1 = change(right__either, ("keys < n_prefix", "keys <= n_prefix"))
wrong__prefix_too_long__2 = change(right__furthest, ("n_prefix - 1", "n_prefix"))
wrong__prefix_too_short__1 = change(right__loop, ("n_prefix\n", "n_prefix - 1\n"))
wrong__prefix_true_where_blocked__1 = change(right__columns, ("return mask", "return ~mask"))

# A mask of numbers.
extra__numbers = change(right__columns, ("return mask", "return mask.float()"))
# The past is blocked, and the future is allowed.
extra__future = change(right__either, ("keys <= queries", "keys >= queries"))
