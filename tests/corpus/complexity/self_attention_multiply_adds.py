"""Answers to `self_attention_multiply_adds(n_tokens, d_model, d_key, d_value)` of notebook 07."""

import numpy as np
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from course_attention import attention_multiply_adds
from tests.corpus import change

def right__formula(n_tokens, d_model, d_key, d_value):
    return n_tokens * d_model * (2 * d_key + d_value) + n_tokens**2 * (d_key + d_value)

def right__five_products(n_tokens, d_model, d_key, d_value):
    query = n_tokens * d_model * d_key
    key = n_tokens * d_model * d_key
    value = n_tokens * d_model * d_value
    scores = n_tokens * d_key * n_tokens
    output = n_tokens * n_tokens * d_value
    return query + key + value + scores + output

def right__per_token(n_tokens: int, d_model: int, d_key: int, d_value: int) -> int:
    count = 0
    for _ in range(n_tokens):
        count += sum(d_model * width for width in (d_key, d_key, d_value))
        count += n_tokens * d_key + n_tokens * d_value
    return count

def right__by_width(n_tokens, d_model, d_key, d_value):
    for_each_key_channel = 2 * d_model + n_tokens
    for_each_value_channel = d_model + n_tokens
    return n_tokens * (for_each_key_channel * d_key + for_each_value_channel * d_value)

def right__flop_counter(n_tokens, d_model, d_key, d_value):
    with torch.device("meta"), FlopCounterMode(display=False) as counter:
        x = torch.empty(n_tokens, d_model)
        query, key, value = (x @ torch.empty(d_model, d) for d in (d_key, d_key, d_value))
        query @ key.T @ value
    return counter.get_total_flops() // 2

def right__shapes(n_tokens, d_model, d_key, d_value):
    shapes = np.array(
        [
            [n_tokens, d_model, d_key],
            [n_tokens, d_model, d_key],
            [n_tokens, d_model, d_value],
            [n_tokens, d_key, n_tokens],
            [n_tokens, n_tokens, d_value],
        ],
        dtype=np.int64,
    )
    return shapes.prod(axis=1).sum()

def right__polynomial(n_tokens, d_model, d_key, d_value):
    return np.polyval([d_key + d_value, d_model * (2 * d_key + d_value), 0], n_tokens)

def right__weights(n_tokens, d_model, d_key, d_value):
    # Each weight of a linear layer is used once for each token.
    layers = [nn.Linear(d_model, d, bias=False, device="meta") for d in (d_key, d_key, d_value)]
    weights = sum(layer.weight.numel() for layer in layers)
    return n_tokens * (weights + n_tokens * d_key + n_tokens * d_value)

def right__earlier_helpers(n_tokens, d_model, d_key, d_value):
    projections = n_tokens * d_model * (2 * d_key + d_value)
    return projections + attention_multiply_adds(n_tokens, n_tokens, d_key, d_value)

def odd__recursive(n_tokens, d_model, d_key, d_value):
    """What the last token adds to all before it."""
    count = 0
    for n in range(1, n_tokens + 1):
        count += d_model * (2 * d_key + d_value) + (2 * n - 1) * (d_key + d_value)
    return count

def odd__one_weight(n, d, k, v):
    """One matrix for all three projections, other names, a tensor."""
    return (
        torch.ones(n, d, dtype=torch.float64) @ torch.ones(d, 2 * k + v, dtype=torch.float64)
    ).sum() + n * n * (k + v)

def wrong__projections_forgotten__2(n_tokens, d_model, d_key, d_value):
    count = 0
    for _query in range(n_tokens):
        count = count + n_tokens * d_key
        count = count + n_tokens * d_value
    return count

def wrong__projections_forgotten__3(n_tokens, d_model, d_key, d_value):
    with torch.device("meta"), FlopCounterMode(display=False) as counter:
        query, key = torch.empty(n_tokens, d_key), torch.empty(n_tokens, d_key)
        (query @ key.T).softmax(-1) @ torch.empty(n_tokens, d_value)
    return counter.get_total_flops() / 2

wrong__projections_forgotten__1 = change(
    right__formula, ("return n_tokens * d_model * (2 * d_key + d_value) +", "return"),
)
# The three projections and nothing after them.
wrong__projections_only__1 = change(
    right__formula, ("(2 * d_key + d_value) + n_tokens**2 * (d_key + d_value)", "(2 * d_key + d_value)"),
)
# V = X: no projection of the values.
wrong__projection_missing__1 = change(right__formula, ("return", "return 2 *"), ("(2 * d_key + d_value)", "d_key"))
# An output projection counted that this attention does not have.
wrong__output_projection_counted__1 = change(right__formula, ("* d_key + d_value", "* d_key + 2 * d_value"))

def natural__projections_forgotten__1(n_tokens, d_model, d_key, d_value):
    scores = n_tokens * n_tokens * d_key
    mixing = n_tokens * n_tokens * d_value
    return np.float64(scores) + np.float64(mixing)

def extra__projections_squared(n_tokens, d_model, d_key, d_value):
    """Projections made for every pair of tokens."""
    return n_tokens**2 * (d_model * (2 * d_key + d_value) + d_key + d_value)

def extra__interaction_matrix(n_tokens, d_model, d_key, d_value):
    """Scores by X M Xᵀ, M of d_model by d_model: another way of computing, at another price."""
    return (
        n_tokens * d_model**2 + n_tokens**2 * d_model + n_tokens * d_model * d_value + n_tokens**2 * d_value
    )

# One projection for query and key.
extra__one_projection = change(right__formula, ("2 * d_key", "d_key"))
# All three projections taken to be d_key wide.
extra__three_of_the_key_width = change(
    right__formula, ("return", "return 3 *"), ("(2 * d_key + d_value)", "d_key"),
)
# Projections of d_model by d_model.
extra__three_square_projections = change(extra__three_of_the_key_width, ("d_model * d_key", "d_model**2"))
# The n² terms with d_model in place of the widths of keys and values.
extra__scores_in_d_model = change(right__formula, ("n_tokens**2 * (d_key + d_value)", "2 * n_tokens**2 * d_model"))
# Weights of the projections in place of their uses: not once for each token.
extra__parameters = change(right__formula, ("return n_tokens *", "return"))
# n in place of n².
extra__linear_in_length = change(extra__projections_squared, ("n_tokens**2", "n_tokens"))
# The mixing of the values forgotten.
extra__scores_only = change(right__formula, ("(d_key + d_value)", "d_key"))
# The scores forgotten.
extra__mixing_only = change(right__formula, ("(d_key + d_value)", "d_value"))
# Multiplications and additions counted apart.
extra__doubled = change(
    right__formula, ("n_tokens *", "2 * (n_tokens *"), ("(d_key + d_value)", "(d_key + d_value))"),
)
# Biases counted.
extra__biases = change(right__formula, ("* d_model", "* (d_model + 1)"))
# The value's width counted twice in the projections, the key's once.
extra__widths_exchanged = change(right__formula, ("2 * d_key +", "d_key + 2 *"))
# The parentheses forgotten.
extra__precedence = change(right__formula, ("(2 * d_key + d_value)", "2 * d_key + d_value"))
# Divided by d_model / d_key heads, which nobody asked for.
extra__whole_layer_by_heads = change(
    right__formula, ("n_tokens *", "(n_tokens *"),
    ("(d_key + d_value)", "(d_key + d_value)) // (", "    d_model // d_key or 1", ")"),
)


def wrong__channels_for_keys__1(n_tokens, d_model, d_key, d_value):
    return n_tokens * d_model * (2 * d_key + d_value) + n_tokens * d_model * (d_key + d_value)


def wrong__attention_in_d_model__1(n_tokens, d_model, d_key, d_value):
    return n_tokens * d_model * (2 * d_key + d_value) + 2 * n_tokens**2 * d_model


def wrong__projections_for_pairs__1(n_tokens, d_model, d_key, d_value):
    return n_tokens**2 * d_model * (2 * d_key + d_value) + n_tokens**2 * (d_key + d_value)


def wrong__projections_counted_twice__1(n_tokens, d_model, d_key, d_value):
    return 2 * n_tokens * d_model * (2 * d_key + d_value) + n_tokens**2 * (d_key + d_value)


def wrong__attention_three_times__1(n_tokens, d_model, d_key, d_value):
    return 3 * n_tokens * d_model * d_key + 3 * n_tokens**2 * (d_key + d_value)


def wrong__one_width__value_twice(n_tokens, d_model, d_key, d_value):
    return n_tokens * d_model * (d_key + 2 * d_value) + n_tokens**2 * (d_key + d_value)
