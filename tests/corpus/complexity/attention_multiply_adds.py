"""Answers to `attention_multiply_adds(n_queries, n_keys, d_key, d_value)` of notebook 07."""

import math
from itertools import product

import numpy as np
import torch
from torch.utils.flop_counter import FlopCounterMode

from tests.corpus import change

def right__formula(n_queries, n_keys, d_key, d_value):
    return n_queries * n_keys * (d_key + d_value)

right__two_products = change(
    right__formula, ("return", "scores = n_queries * d_key * n_keys", "mixing ="),
    ("(d_key + d_value)", "d_value", "return scores + mixing"),
)

def right__counted(n_queries: int, n_keys: int, d_key: int, d_value: int) -> int:
    count = 0
    for _query in range(n_queries):
        count += n_keys * d_key  # a dot product with each key
        count += n_keys * d_value  # each weight times a value vector
    return count

def right__math_prod(n_queries, n_keys, d_key, d_value):
    return sum(math.prod(shape) for shape in [(n_queries, n_keys, d_key), (n_queries, n_keys, d_value)])

def right__ones_multiplied(n_queries, n_keys, d_key, d_value):
    # Each entry of a product of ones says how many products were added up in it.
    scores = np.ones((n_queries, d_key)) @ np.ones((d_key, n_keys))
    output = np.ones((n_queries, n_keys)) @ np.ones((n_keys, d_value))
    return scores.sum() + output.sum()

def right__matmul_rule(n_queries, n_keys, d_key, d_value):
    def matmul(rows, inner, columns):
        return rows * inner * columns

    return matmul(n_queries, d_key, n_keys) + matmul(n_queries, n_keys, d_value)

def right__numpy_dot(n_queries, n_keys, d_key, d_value):
    return np.dot([d_key, d_value], [n_queries * n_keys, n_queries * n_keys])

def right__flop_counter(n_queries, n_keys, d_key, d_value):
    query, key = (torch.empty(n, d_key, device="meta") for n in (n_queries, n_keys))
    value = torch.empty(n_keys, d_value, device="meta")
    with FlopCounterMode(display=False) as counter:
        (query @ key.T) @ value
    return counter.get_total_flops() // 2

def odd__tensor(n_queries, n_keys, d_key, d_value):
    """A tensor of no axes, of whole numbers."""
    return torch.tensor([n_queries, n_keys, d_key + d_value]).prod()

def odd__floats(a, b, c, d):
    """Other names, a float from halves."""
    return a * b * (c / 2 + d / 2) * 2.0

def odd__enumerated(n_queries, n_keys, d_key, d_value):
    """Pairs counted one by one with `product`."""
    return sum(d_key + d_value for _ in product(range(n_queries), range(n_keys)))

# A NumPy array of no axes.
odd__numpy_array = change(
    right__formula, ("n_queries *", "np.array(n_queries *"), ("(d_key + d_value)", "(d_key + d_value))"),
)

def wrong__scores_only__2(n_queries, n_keys, d_key, d_value):
    return int((np.ones((n_queries, d_key)) @ np.ones((d_key, n_keys))).sum())

def wrong__linear_in_length__2(n_queries, n_keys, d_key, d_value):
    count = 0
    for _query in range(n_queries):
        count += d_key + d_value
    return count

wrong__scores_only__1 = change(right__formula, ("(d_key + d_value)", "d_key"))
wrong__scores_only__3 = change(
    right__flop_counter, ('value = torch.empty(n_keys, d_value, device="meta")', ""),
    ("(query @ key.T) @ value", "query @ key.T"), ("//", "/"),
)
wrong__linear_in_length__1 = change(right__formula, ("n_queries * n_keys", "n_queries"))
# As long as the keys.
wrong__linear_in_length__3 = change(
    right__formula, ("n_queries * n_keys * (d_key + d_value)", "d_key * n_keys + d_value * n_keys"),
)
# The product with the values alone.
wrong__mixing_only__1 = change(right__formula, ("(d_key + d_value)", "d_value"))
# One length for both: n_queries squared.
wrong__queries_for_keys__1 = change(right__formula, ("n_queries * n_keys", "n_queries**2"))

def natural__scores_only__1(n_queries, n_keys, d_key, d_value):
    score_matrix = n_queries * n_keys
    return float(score_matrix) * d_key

def natural__linear_in_length__1(n_queries, n_keys, d_key, d_value):
    scores = n_queries * d_key
    mixing = n_queries * d_value
    return float(scores + mixing)

# Multiplications and additions counted apart.
extra__doubled = change(right__formula, ("return", "return 2 *"))
# The two costs multiplied, not added.
extra__products_multiplied = change(right__formula, ("(d_key + d_value)", "d_key * d_value"))
# The parentheses forgotten.
extra__parentheses = change(right__formula, ("(d_key + d_value)", "d_key + d_value"))
# The lengths added in place of multiplied.
extra__lengths_added = change(right__formula, ("n_queries * n_keys", "(n_queries + n_keys)"))
# Every query and every value touched once.
extra__vectors_once = change(right__formula, ("n_keys * (d_key + d_value)", "d_key + n_keys * d_value"))
# Values taken to be as wide as keys.
extra__key_width_twice = change(right__formula, ("return", "return 2 *"), ("(d_key + d_value)", "d_key"))
# One length for both: n_keys squared.
extra__keys_squared = change(right__formula, ("n_queries * n_keys", "n_keys**2"))
# n - 1 additions for a sum of n products.
extra__additions_only = change(
    right__formula, ("(d_key + d_value)", "(d_key - 1) + n_queries * (n_keys - 1) * d_value"),
)
# The softmax's exponentials counted too.
extra__softmax_counted = change(right__formula, ("+ d_value", "+ d_value + 1"))
# Half of the pairs, as if the future were blocked.
extra__causal = change(right__formula, ("* n_keys", "* (n_keys + 1) / 2"))
# The output's size for the cost of the mixing.
extra__mixing_linear = change(right__formula, ("(d_key + d_value)", "d_key + n_queries * d_value"))
# The two costs as a pair, not added up.
extra__pair = change(right__formula, ("(d_key + d_value)", "d_key, n_queries * n_keys * d_value"))
# The number as text.
extra__words = change(odd__numpy_array, ("np.array", "str"))
# The number in a list.
extra__list_of_one = change(
    right__formula, ("n_queries *", "[n_queries *"), ("(d_key + d_value)", "(d_key + d_value)]"),
)
# Big-O as a formula: the larger width alone.
extra__order_of_magnitude = change(right__formula, ("(d_key + d_value)", "max(d_key, d_value)"))
# One more than there are.
extra__one_off = change(right__formula, ("(d_key + d_value)", "(d_key + d_value) + 1"))
# Projections of queries, keys and values counted, as if the widths were d_model.
extra__projections = change(extra__one_off, ("1", "(n_queries + n_keys) * d_key**2 + n_keys * d_value**2"))


def wrong__mixing_miscounted__1(n_queries, n_keys, d_key, d_value):
    return n_queries * n_keys * d_key + n_queries * d_value


def wrong__mixing_miscounted__2(n_queries, n_keys, d_key, d_value):
    return n_queries * n_keys * d_key + n_keys * d_key * d_value


def wrong__mixing_miscounted__3(n_queries, n_keys, d_key, d_value):
    return n_queries * n_keys * d_key + n_queries * n_keys * n_keys * d_value


def wrong__results_counted__1(n_queries, n_keys, d_key, d_value):
    return n_queries * n_keys + n_queries * d_value


def wrong__additions_only__1(n_queries, n_keys, d_key, d_value):
    return n_queries * n_keys * (d_key - 1) + n_queries * d_value * (n_keys - 1)
