"""Answers to `self_attention_multiply_adds(n_tokens, d_model, d_key, d_value)` of notebook 07."""

from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from tests.answers.gather import gather


def right__self_attention_multiply_adds__formula(n_tokens, d_model, d_key, d_value):
    return n_tokens * d_model * (2 * d_key + d_value) + n_tokens**2 * (d_key + d_value)


def right__self_attention_multiply_adds__five_products(n_tokens, d_model, d_key, d_value):
    query = n_tokens * d_model * d_key
    key = n_tokens * d_model * d_key
    value = n_tokens * d_model * d_value
    scores = n_tokens * d_key * n_tokens
    output = n_tokens * n_tokens * d_value
    return query + key + value + scores + output


def right__self_attention_multiply_adds__per_token(
    n_tokens: int, d_model: int, d_key: int, d_value: int
) -> int:
    count = 0
    for _ in range(n_tokens):
        count += sum(d_model * width for width in (d_key, d_key, d_value))
        count += n_tokens * d_key + n_tokens * d_value
    return count


def right__self_attention_multiply_adds__by_width(n_tokens, d_model, d_key, d_value):
    for_each_key_channel = 2 * d_model + n_tokens
    for_each_value_channel = d_model + n_tokens
    return n_tokens * (for_each_key_channel * d_key + for_each_value_channel * d_value)


def right__self_attention_multiply_adds__flop_counter(n_tokens, d_model, d_key, d_value):
    with torch.device("meta"), FlopCounterMode(display=False) as counter:
        x = torch.empty(n_tokens, d_model)
        query, key, value = (x @ torch.empty(d_model, d) for d in (d_key, d_key, d_value))
        query @ key.T @ value
    return counter.get_total_flops() // 2


def right__self_attention_multiply_adds__shapes(n_tokens, d_model, d_key, d_value):
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


def right__self_attention_multiply_adds__polynomial(n_tokens, d_model, d_key, d_value):
    return np.polyval([d_key + d_value, d_model * (2 * d_key + d_value), 0], n_tokens)


def right__self_attention_multiply_adds__weights(n_tokens, d_model, d_key, d_value):
    # Each weight of a linear layer is used once for each token.
    layers = [nn.Linear(d_model, d, bias=False, device="meta") for d in (d_key, d_key, d_value)]
    weights = sum(layer.weight.numel() for layer in layers)
    return n_tokens * (weights + n_tokens * d_key + n_tokens * d_value)


def odd__self_attention_multiply_adds__recursive(n_tokens, d_model, d_key, d_value):
    """What the last token adds to all before it."""
    count = 0
    for n in range(1, n_tokens + 1):
        count += d_model * (2 * d_key + d_value) + (2 * n - 1) * (d_key + d_value)
    return count


def odd__self_attention_multiply_adds__one_weight(n, d, k, v):
    """One matrix for all three projections, other names, a tensor."""
    return (
        torch.ones(n, d, dtype=torch.float64) @ torch.ones(d, 2 * k + v, dtype=torch.float64)
    ).sum() + n * n * (k + v)


def wrong__self_attention_multiply_adds__projections_forgotten__1(n_tokens, d_model, d_key, d_value):
    return n_tokens**2 * (d_key + d_value)


def wrong__self_attention_multiply_adds__projections_forgotten__2(n_tokens, d_model, d_key, d_value):
    count = 0
    for _query in range(n_tokens):
        count = count + n_tokens * d_key
        count = count + n_tokens * d_value
    return count


def wrong__self_attention_multiply_adds__projections_forgotten__3(n_tokens, d_model, d_key, d_value):
    with torch.device("meta"), FlopCounterMode(display=False) as counter:
        query, key = torch.empty(n_tokens, d_key), torch.empty(n_tokens, d_key)
        (query @ key.T).softmax(-1) @ torch.empty(n_tokens, d_value)
    return counter.get_total_flops() / 2


def natural__self_attention_multiply_adds__projections_forgotten__1(n_tokens, d_model, d_key, d_value):
    scores = n_tokens * n_tokens * d_key
    mixing = n_tokens * n_tokens * d_value
    return np.float64(scores) + np.float64(mixing)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
