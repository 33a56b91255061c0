"""Answers to `attention_intensity(n_queries, n_keys, d_key, d_value, bytes_per_number)` of notebook 07."""

from fractions import Fraction

import numpy as np
import torch

from course_attention import attention_multiply_adds
from tests.corpus import change

def right__formula(n_queries, n_keys, d_key, d_value, bytes_per_number):
    work = n_queries * n_keys * (d_key + d_value)
    numbers = n_queries * d_key + n_keys * d_key + n_keys * d_value + n_queries * d_value
    return work / (numbers * bytes_per_number)

def right__factored(n_queries, n_keys, d_key, d_value, bytes_per_number):
    # The width cancels: every token of either kind is moved once in each width.
    return n_queries * n_keys / (n_queries + n_keys) / bytes_per_number

def right__earlier_helper(n_queries, n_keys, d_key, d_value, bytes_per_number):
    read = n_queries * d_key + n_keys * (d_key + d_value)
    written = n_queries * d_value
    moved = bytes_per_number * (read + written)
    return attention_multiply_adds(n_queries, n_keys, d_key, d_value) / moved

def right__tensors(n_queries, n_keys, d_key, d_value, bytes_per_number):
    shapes = [(n_queries, d_key), (n_keys, d_key), (n_keys, d_value), (n_queries, d_value)]
    moved = sum(torch.empty(shape, device="meta").numel() for shape in shapes) * bytes_per_number
    return (n_queries * d_key * n_keys + n_queries * n_keys * d_value) / moved

def right__fractions(n_queries: int, n_keys: int, d_key: int, d_value: int, bytes_per_number: int) -> float:
    moved = (n_queries + n_keys) * (d_key + d_value) * bytes_per_number
    return float(Fraction(n_queries * n_keys * (d_key + d_value), moved))

def right__numpy(n_queries, n_keys, d_key, d_value, bytes_per_number):
    rows, columns = np.array([n_queries, n_keys]), np.array([d_key, d_value])
    return rows.prod() * columns.sum() / np.outer(rows, columns).sum() / bytes_per_number

def odd__tensor(n_queries, n_keys, d_key, d_value, bytes_per_number):
    """A tensor of no axes."""
    return torch.tensor(n_queries * n_keys / ((n_queries + n_keys) * bytes_per_number), dtype=torch.float64)

wrong__scores_moved__1 = change(
    right__formula,
    ("+ n_queries * d_value", "+ n_queries * d_value + n_queries * n_keys"),
)
# Written and read again, before the softmax and after it.
wrong__scores_moved__2 = change(
    right__earlier_helper,
    ("(read + written)", "(read + written + 4 * n_queries * n_keys)"),
)
wrong__scores_moved__3 = change(
    right__earlier_helper,
    ("(read + written)", "(read + written + 2 * n_queries * n_keys)"),
)
wrong__tensor_forgotten__1 = change(right__earlier_helper, ("(read + written)", "read"))
wrong__tensor_forgotten__2 = change(right__formula, ("n_keys * d_value + n_q", "n_q"))
wrong__tensor_forgotten__3 = change(right__tensors, ("(n_queries, d_key), ", ""))
wrong__read_for_each_query__1 = change(
    right__formula,
    ("n_keys * d_key + n_keys * d_value +", "n_queries * n_keys * d_key + n_queries * n_keys * d_value +"),
)
wrong__read_for_each_query__2 = change(
    right__earlier_helper, ("n_keys * (d_key + d_value)", "n_queries * n_keys * (d_key + d_value)")
)
wrong__keys_and_values_only__1 = change(
    right__formula, ("n_queries * d_key + ", ""), (" + n_queries * d_value", "")
)
wrong__keys_and_values_only__2 = change(
    right__tensors, ("(n_queries, d_key), ", ""), (", (n_queries, d_value)]", "]")
)
wrong__ratio_inverted__1 = change(
    right__formula,
    ("work / (numbers * bytes_per_number)", "numbers * bytes_per_number / work"),
)
wrong__ratio_inverted__2 = change(
    right__factored,
    (
        "n_queries * n_keys / (n_queries + n_keys) / bytes_per_number",
        "bytes_per_number * (n_queries + n_keys) / n_queries / n_keys",
    ),
)
wrong__bytes_forgotten__1 = change(right__factored, (" / bytes_per_number", ""))
wrong__parentheses_forgotten__2 = change(right__formula, ("(numbers * bytes_per_number)", "numbers * bytes_per_number"))
wrong__bits_for_bytes__1 = change(right__formula, ("numbers * bytes_per_number", "8 * numbers * bytes_per_number"))
wrong__bits_for_bytes__2 = change(right__fractions, ("* bytes_per_number", "* 8 * bytes_per_number"))
wrong__scores_only__1 = change(right__formula, ("n_keys * (d_key + d_value)", "n_keys * d_key"))
wrong__scores_only__2 = change(right__tensors, (" + n_queries * n_keys * d_value", ""))
wrong__mixing_only__1 = change(right__formula, ("n_keys * (d_key + d_value)", "n_keys * d_value"))
wrong__mixing_only__2 = change(right__tensors, ("n_queries * d_key * n_keys + ", ""))
wrong__counted_twice__1 = change(right__formula, ("work = ", "work = 2 * "))
wrong__counted_twice__2 = change(right__earlier_helper, ("return ", "return 2 * "))

def extra__integer_division(n_queries, n_keys, d_key, d_value, bytes_per_number):
    """Rounded down."""
    return n_queries * n_keys // ((n_queries + n_keys) * bytes_per_number)


def wrong__parentheses_forgotten__1(n_queries, n_keys, d_key, d_value, bytes_per_number):
    work = n_queries * n_keys * (d_key + d_value)
    return work / bytes_per_number * (n_queries * d_key + n_keys * d_key + n_keys * d_value + n_queries * d_value)


def wrong__other_sizes__1(n_queries, n_keys, d_key, d_value, bytes_per_number):
    numbers = 2 * n_queries * d_key + n_keys * d_key + n_keys * d_value
    return n_queries * n_keys * (d_key + d_value) / (bytes_per_number * numbers)


def wrong__other_sizes__2(n_queries, n_keys, d_key, d_value, bytes_per_number):
    return n_queries * n_keys * (d_key + d_value) / (bytes_per_number * (3 * n_keys * d_key + n_queries * d_value))


def wrong__difference__1(n_queries, n_keys, d_key, d_value, bytes_per_number):
    return n_queries * n_keys * (d_key + d_value) - bytes_per_number * (n_queries + n_keys) * (d_key + d_value)


def wrong__parentheses_forgotten__3(n_queries, n_keys, d_key, d_value, bytes_per_number):
    work = n_queries * n_keys * (d_key + d_value) * bytes_per_number
    moved = n_queries * d_key + n_keys * (d_key + d_value) + n_queries * d_value
    return work / moved


def wrong__other_sizes__3(n_queries, n_keys, d_key, d_value, bytes_per_number):
    work = n_queries * n_keys * (d_key + d_value)
    moved = 2 * n_queries * (d_key + d_value)
    return work / (moved * bytes_per_number)


def extra__product(n_queries, n_keys, d_key, d_value, bytes_per_number):
    """The bytes are multiplied, where they divide."""
    numbers = (n_queries + n_keys) * (d_key + d_value)
    return n_queries * n_keys * (d_key + d_value) * numbers * bytes_per_number
