"""Wrong answers beyond the table to `score_bytes(batch, n_heads, n_queries, n_keys, bytes_per_number)`, notebook 07."""

from __future__ import annotations

from tests.answers.gather import gather


def extra__score_bytes__numbers(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """How many numbers, not how many bytes."""
    return batch * n_heads * n_queries * n_keys


def extra__score_bytes__bits(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """Bits."""
    return 8 * batch * n_heads * n_queries * n_keys * bytes_per_number


def extra__score_bytes__batch_forgotten(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """One item of the batch."""
    return n_heads * n_queries * n_keys * bytes_per_number


def extra__score_bytes__one_matrix(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """One head of one item."""
    return n_queries * n_keys * bytes_per_number


def extra__score_bytes__four_bytes(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """float32 whatever was asked."""
    return batch * n_heads * n_queries * n_keys * 4


def extra__score_bytes__kibibytes(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """In units of 1024 bytes."""
    return batch * n_heads * n_queries * n_keys * bytes_per_number / 1024


def extra__score_bytes__megabytes(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """In units of a million bytes."""
    return batch * n_heads * n_queries * n_keys * bytes_per_number / 1e6


def extra__score_bytes__weights_too(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """Scores and weights, two matrices."""
    return 2 * batch * n_heads * n_queries * n_keys * bytes_per_number


def extra__score_bytes__lengths_added(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """The lengths added."""
    return batch * n_heads * (n_queries + n_keys) * bytes_per_number


def extra__score_bytes__queries_squared(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """n_queries squared."""
    return batch * n_heads * n_queries**2 * bytes_per_number


def extra__score_bytes__keys_squared(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """n_keys squared."""
    return batch * n_heads * n_keys**2 * bytes_per_number


def extra__score_bytes__heads_twice(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """Each head attends to every other."""
    return batch * n_heads**2 * n_queries * n_keys * bytes_per_number


def extra__score_bytes__heads_share(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """Heads split the matrix among them: divided by their number, times their number."""
    return batch * (n_queries // n_heads) * n_heads * n_keys * bytes_per_number


def extra__score_bytes__causal(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """Half of the matrix."""
    return batch * n_heads * n_queries * n_keys * bytes_per_number / 2


def extra__score_bytes__added(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """Batch and heads added, not multiplied."""
    return (batch + n_heads) * n_queries * n_keys * bytes_per_number


def extra__score_bytes__words(batch, n_heads, n_queries, n_keys, bytes_per_number):
    """The number with its unit, as text."""
    return f"{batch * n_heads * n_queries * n_keys * bytes_per_number} bytes"


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
