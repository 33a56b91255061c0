"""Answers to `score_bytes(batch, n_heads, n_queries, n_keys, bytes_per_number)` of notebook 07."""

import math

import numpy as np
import torch

from tests.corpus import change

def right__formula(batch, n_heads, n_queries, n_keys, bytes_per_number):
    return batch * n_heads * n_queries * n_keys * bytes_per_number

def right__shape(batch, n_heads, n_queries, n_keys, bytes_per_number):
    shape = (batch, n_heads, n_queries, n_keys)
    return math.prod(shape) * bytes_per_number

def right__loops(batch: int, n_heads: int, n_queries: int, n_keys: int, bytes_per_number: int) -> int:
    total = 0
    for _item in range(batch):
        for _head in range(n_heads):
            total += n_queries * n_keys * bytes_per_number
    return total

def right__numel(batch, n_heads, n_queries, n_keys, bytes_per_number):
    return torch.empty(batch, n_heads, n_queries, n_keys, device="meta").numel() * bytes_per_number

def right__from_rows(batch, n_heads, n_queries, n_keys, bytes_per_number):
    row = n_keys * bytes_per_number
    matrix = n_queries * row
    item = n_heads * matrix
    return batch * item

def right__numpy(batch, n_heads, n_queries, n_keys, bytes_per_number):
    return np.prod(np.array([batch, n_heads, n_queries, n_keys, bytes_per_number], dtype=np.float64))

def right__cumulated(batch, n_heads, n_queries, n_keys, bytes_per_number):
    # Strides of a contiguous array: the next one would be the size of it all.
    return np.cumprod([bytes_per_number, n_keys, n_queries, n_heads, batch], dtype=np.int64)[-1]

def odd__star(*sizes):
    """Any number of arguments."""
    return math.prod(sizes)

def odd__measured(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """`nbytes` of an array that takes no memory, in a tensor of no axes."""
    one = np.zeros((), dtype=f"V{bytes_per_number}")
    return torch.tensor(np.broadcast_to(one, (batch, n_heads, n_queries, n_keys)).nbytes)

def odd__renamed(b, h, n, m, size=4):
    """Other names, a default, a float."""
    return float(b * h * n * m) * size

def wrong__heads_forgotten__3(batch, n_heads, n_queries, n_keys, bytes_per_number):
    total = 0
    for _item in range(batch):
        total += n_queries * n_keys * bytes_per_number
    return total

def wrong__linear_in_length__3(batch, n_heads, n_queries, n_keys, bytes_per_number):
    return np.prod([batch, n_heads, n_queries, bytes_per_number], dtype=np.float64)

wrong__heads_forgotten__1 = change(right__formula, ("batch * n_heads", "batch"))
wrong__heads_forgotten__2 = change(
    right__numel, (", n_heads, n_queries, n_keys, device", ", n_queries, n_keys, device"),
)
wrong__linear_in_length__1 = change(right__formula, ("n_keys * bytes_per_number", "bytes_per_number"))
# One score for each key.
wrong__linear_in_length__2 = change(right__formula, ("n_queries * n_keys", "n_keys"))
# One item of the batch.
wrong__batch_forgotten__1 = change(right__formula, ("return batch *", "return"))
# n_keys squared.
wrong__queries_for_keys__1 = change(right__formula, ("n_queries * n_keys", "n_keys**2"))

def natural__heads_forgotten__1(batch, n_heads, n_queries, n_keys, bytes_per_number):
    scores = np.broadcast_to(np.float32(0), (batch, n_queries, n_keys))
    return scores.size * float(bytes_per_number)

def natural__linear_in_length__1(batch, n_heads, n_queries, n_keys, bytes_per_number):
    scores_of_a_head = n_queries * bytes_per_number
    return float(batch * n_heads * scores_of_a_head)

def extra__words(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """The number with its unit, as text."""
    return f"{batch * n_heads * n_queries * n_keys * bytes_per_number} bytes"

# How many numbers, not how many bytes.
extra__numbers = change(right__formula, ("n_keys * bytes_per_number", "n_keys"))
# Bits.
extra__bits = change(right__formula, ("return batch", "return 8 * batch"))
# One head of one item.
extra__one_matrix = change(right__formula, ("return batch * n_heads *", "return"))
# float32 whatever was asked.
extra__four_bytes = change(right__formula, ("* bytes_per_number", "* 4"))
# In units of 1024 bytes.
extra__kibibytes = change(right__formula, ("* bytes_per_number", "* bytes_per_number / 1024"))
# In units of a million bytes.
extra__megabytes = change(right__formula, ("* bytes_per_number", "* bytes_per_number / 1e6"))
# Scores and weights, two matrices.
extra__weights_too = change(right__formula, ("return batch", "return 2 * batch"))
# The lengths added.
extra__lengths_added = change(right__formula, ("n_queries * n_keys", "(n_queries + n_keys)"))
# n_queries squared.
extra__queries_squared = change(right__formula, ("n_queries * n_keys", "n_queries**2"))
# Each head attends to every other.
extra__heads_twice = change(right__formula, ("* n_heads", "* n_heads**2"))
# Heads split the matrix among them: divided by their number, times their number.
extra__heads_share = change(right__formula, ("n_heads * n_queries", "(n_queries // n_heads) * n_heads"))
# Half of the matrix.
extra__causal = change(right__formula, ("* bytes_per_number", "* bytes_per_number / 2"))
# Batch and heads added, not multiplied.
extra__added = change(right__formula, ("batch * n_heads", "(batch + n_heads)"))


def wrong__sizes_added__1(batch, n_heads, n_queries, n_keys, bytes_per_number):
    return (batch + n_heads) * n_queries * n_keys * bytes_per_number


def wrong__queries_for_keys__2(batch, n_heads, n_queries, n_keys, bytes_per_number):
    return batch * n_heads * n_queries ** 2 * bytes_per_number


def wrong__half_of_the_pairs__1(batch, n_heads, n_queries, n_keys, bytes_per_number):
    return batch * n_heads * n_queries * n_keys * bytes_per_number // 2


def wrong__other_unit__1(batch, n_heads, n_queries, n_keys, bytes_per_number):
    return batch * n_heads * n_queries * n_keys * bytes_per_number // 1024


def extra__whole_mebibytes(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """In whole units of 1024², of which a small case has none."""
    return batch * n_heads * n_queries * n_keys * bytes_per_number // 1024**2
