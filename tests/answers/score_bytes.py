"""Answers to `score_bytes(batch, n_heads, n_queries, n_keys, bytes_per_number)` of notebook 07."""

from __future__ import annotations

import math

import numpy as np
import torch

from tests.answers.gather import gather


def right__score_bytes__formula(batch, n_heads, n_queries, n_keys, bytes_per_number):
    return batch * n_heads * n_queries * n_keys * bytes_per_number


def right__score_bytes__shape(batch, n_heads, n_queries, n_keys, bytes_per_number):
    shape = (batch, n_heads, n_queries, n_keys)
    return math.prod(shape) * bytes_per_number


def right__score_bytes__loops(
    batch: int, n_heads: int, n_queries: int, n_keys: int, bytes_per_number: int
) -> int:
    total = 0
    for _item in range(batch):
        for _head in range(n_heads):
            total += n_queries * n_keys * bytes_per_number
    return total


def right__score_bytes__numel(batch, n_heads, n_queries, n_keys, bytes_per_number):
    return torch.empty(batch, n_heads, n_queries, n_keys, device="meta").numel() * bytes_per_number


def right__score_bytes__from_rows(batch, n_heads, n_queries, n_keys, bytes_per_number):
    row = n_keys * bytes_per_number
    matrix = n_queries * row
    item = n_heads * matrix
    return batch * item


def right__score_bytes__numpy(batch, n_heads, n_queries, n_keys, bytes_per_number):
    return np.prod(np.array([batch, n_heads, n_queries, n_keys, bytes_per_number], dtype=np.float64))


def right__score_bytes__cumulated(batch, n_heads, n_queries, n_keys, bytes_per_number):
    # Strides of a contiguous array: the next one would be the size of it all.
    return np.cumprod([bytes_per_number, n_keys, n_queries, n_heads, batch], dtype=np.int64)[-1]


def odd__score_bytes__star(*sizes):
    """Any number of arguments."""
    return math.prod(sizes)


def odd__score_bytes__measured(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """`nbytes` of an array that takes no memory, in a tensor of no axes."""
    one = np.zeros((), dtype=f"V{bytes_per_number}")
    return torch.tensor(np.broadcast_to(one, (batch, n_heads, n_queries, n_keys)).nbytes)


def odd__score_bytes__renamed(b, h, n, m, size=4):
    """Other names, a default, a float."""
    return float(b * h * n * m) * size


def wrong__score_bytes__heads_forgotten__1(batch, n_heads, n_queries, n_keys, bytes_per_number):
    return batch * n_queries * n_keys * bytes_per_number


def wrong__score_bytes__heads_forgotten__2(batch, n_heads, n_queries, n_keys, bytes_per_number):
    return torch.empty(batch, n_queries, n_keys, device="meta").numel() * bytes_per_number


def wrong__score_bytes__heads_forgotten__3(batch, n_heads, n_queries, n_keys, bytes_per_number):
    total = 0
    for _item in range(batch):
        total += n_queries * n_keys * bytes_per_number
    return total


def wrong__score_bytes__linear_in_length__1(batch, n_heads, n_queries, n_keys, bytes_per_number):
    return batch * n_heads * n_queries * bytes_per_number


def wrong__score_bytes__linear_in_length__2(batch, n_heads, n_queries, n_keys, bytes_per_number):
    # One score for each key.
    return batch * n_heads * n_keys * bytes_per_number


def wrong__score_bytes__linear_in_length__3(batch, n_heads, n_queries, n_keys, bytes_per_number):
    return np.prod([batch, n_heads, n_queries, bytes_per_number], dtype=np.float64)


def natural__score_bytes__heads_forgotten__1(batch, n_heads, n_queries, n_keys, bytes_per_number):
    scores = np.broadcast_to(np.float32(0), (batch, n_queries, n_keys))
    return scores.size * float(bytes_per_number)


def natural__score_bytes__linear_in_length__1(batch, n_heads, n_queries, n_keys, bytes_per_number):
    scores_of_a_head = n_queries * bytes_per_number
    return float(batch * n_heads * scores_of_a_head)


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
