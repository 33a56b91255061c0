"""Answers to `attention_multiply_adds(n_queries, n_keys, d_key, d_value)` of notebook 07."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import torch
from torch.utils.flop_counter import FlopCounterMode

from tests.answers.gather import gather


def right__attention_multiply_adds__formula(n_queries, n_keys, d_key, d_value):
    return n_queries * n_keys * (d_key + d_value)


def right__attention_multiply_adds__two_products(n_queries, n_keys, d_key, d_value):
    scores = n_queries * d_key * n_keys
    mixing = n_queries * n_keys * d_value
    return scores + mixing


def right__attention_multiply_adds__counted(n_queries: int, n_keys: int, d_key: int, d_value: int) -> int:
    count = 0
    for _query in range(n_queries):
        count += n_keys * d_key  # a dot product with each key
        count += n_keys * d_value  # each weight times a value vector
    return count


def right__attention_multiply_adds__math_prod(n_queries, n_keys, d_key, d_value):
    return sum(math.prod(shape) for shape in [(n_queries, n_keys, d_key), (n_queries, n_keys, d_value)])


def right__attention_multiply_adds__ones_multiplied(n_queries, n_keys, d_key, d_value):
    # Each entry of a product of ones says how many products were added up in it.
    scores = np.ones((n_queries, d_key)) @ np.ones((d_key, n_keys))
    output = np.ones((n_queries, n_keys)) @ np.ones((n_keys, d_value))
    return scores.sum() + output.sum()


def right__attention_multiply_adds__matmul_rule(n_queries, n_keys, d_key, d_value):
    def matmul(rows, inner, columns):
        return rows * inner * columns

    return matmul(n_queries, d_key, n_keys) + matmul(n_queries, n_keys, d_value)


def right__attention_multiply_adds__numpy_dot(n_queries, n_keys, d_key, d_value):
    return np.dot([d_key, d_value], [n_queries * n_keys, n_queries * n_keys])


def right__attention_multiply_adds__flop_counter(n_queries, n_keys, d_key, d_value):
    query, key = (torch.empty(n, d_key, device="meta") for n in (n_queries, n_keys))
    value = torch.empty(n_keys, d_value, device="meta")
    with FlopCounterMode(display=False) as counter:
        (query @ key.T) @ value
    return counter.get_total_flops() // 2


def odd__attention_multiply_adds__tensor(n_queries, n_keys, d_key, d_value):
    """A tensor of no axes, of whole numbers."""
    return torch.tensor([n_queries, n_keys, d_key + d_value]).prod()


def odd__attention_multiply_adds__floats(a, b, c, d):
    """Other names, a float from halves."""
    return a * b * (c / 2 + d / 2) * 2.0


def odd__attention_multiply_adds__numpy_array(n_queries, n_keys, d_key, d_value):
    """A NumPy array of no axes."""
    return np.array(n_queries * n_keys * (d_key + d_value))


def odd__attention_multiply_adds__enumerated(n_queries, n_keys, d_key, d_value):
    """Pairs counted one by one with `product`."""
    return sum(d_key + d_value for _ in product(range(n_queries), range(n_keys)))


def wrong__attention_multiply_adds__scores_only__1(n_queries, n_keys, d_key, d_value):
    return n_queries * n_keys * d_key


def wrong__attention_multiply_adds__scores_only__2(n_queries, n_keys, d_key, d_value):
    return int((np.ones((n_queries, d_key)) @ np.ones((d_key, n_keys))).sum())


def wrong__attention_multiply_adds__scores_only__3(n_queries, n_keys, d_key, d_value):
    query, key = (torch.empty(n, d_key, device="meta") for n in (n_queries, n_keys))
    with FlopCounterMode(display=False) as counter:
        query @ key.T
    return counter.get_total_flops() / 2


def wrong__attention_multiply_adds__linear_in_length__1(n_queries, n_keys, d_key, d_value):
    return n_queries * (d_key + d_value)


def wrong__attention_multiply_adds__linear_in_length__2(n_queries, n_keys, d_key, d_value):
    count = 0
    for _query in range(n_queries):
        count += d_key + d_value
    return count


def wrong__attention_multiply_adds__linear_in_length__3(n_queries, n_keys, d_key, d_value):
    # As long as the keys.
    return d_key * n_keys + d_value * n_keys


def natural__attention_multiply_adds__scores_only__1(n_queries, n_keys, d_key, d_value):
    score_matrix = n_queries * n_keys
    return float(score_matrix) * d_key


def natural__attention_multiply_adds__linear_in_length__1(n_queries, n_keys, d_key, d_value):
    scores = n_queries * d_key
    mixing = n_queries * d_value
    return float(scores + mixing)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
