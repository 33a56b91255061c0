"""The exercise `score_bytes`: oracle, cases and misconceptions."""

from __future__ import annotations

import math

from course_attention.exercises.complexity.common import count, multiplied
from course_attention.exercises.complexity.words import WORDS


def oracle(batch: int, n_heads: int, n_queries: int, n_keys: int, bytes_per_number: int) -> int:
    """The size of an array of that shape."""
    return math.prod((batch, n_heads, n_queries, n_keys)) * bytes_per_number


EXERCISE = count(
    "score_bytes",
    oracle,
    arguments={
        "batch": (32, 3),
        "n_heads": (16, 3),
        "n_queries": (1000, 5),
        "n_keys": (4096, 5),
        "bytes_per_number": (2, 4),
    },
    variants={
        "linear-in-length": (
            lambda batch, n_heads, n_queries, n_keys, bytes_per_number: (
                batch * n_heads * n_queries * bytes_per_number
            ),
            lambda batch, n_heads, n_queries, n_keys, bytes_per_number: (
                batch * n_heads * n_keys * bytes_per_number
            ),
            lambda batch, n_heads, n_queries, n_keys, bytes_per_number: (
                batch * n_heads * (n_queries + n_keys) * bytes_per_number
            ),
        ),
        "queries-for-keys": (
            lambda batch, n_heads, n_queries, n_keys, bytes_per_number: (
                batch * n_heads * n_queries**2 * bytes_per_number
            ),
            lambda batch, n_heads, n_queries, n_keys, bytes_per_number: (
                batch * n_heads * n_keys**2 * bytes_per_number
            ),
        ),
        "heads-forgotten": (
            lambda batch, n_heads, n_queries, n_keys, bytes_per_number: (
                batch * n_queries * n_keys * bytes_per_number
            ),
            lambda batch, n_heads, n_queries, n_keys, bytes_per_number: n_queries * n_keys * bytes_per_number,
        ),
        "batch-forgotten": (
            lambda batch, n_heads, n_queries, n_keys, bytes_per_number: (
                n_heads * n_queries * n_keys * bytes_per_number
            ),
        ),
        "bytes-forgotten": (
            lambda batch, n_heads, n_queries, n_keys, bytes_per_number: batch * n_heads * n_queries * n_keys,
        ),
        "bits-for-bytes": multiplied(oracle, 8, 1 / 8),
        "precision-ignored": tuple(
            lambda batch, n_heads, n_queries, n_keys, bytes_per_number, always=always: (
                batch * n_heads * n_queries * n_keys * always
            )
            for always in (4, 8)
        ),
        "half-of-the-pairs": multiplied(oracle, 1 / 2),
        "weights-counted": multiplied(oracle, 2),
        "other-unit": multiplied(oracle, *(unit**-power for unit in (1000, 1024) for power in (1, 2, 3))),
    },
    words=WORDS
    | {
        "heads-forgotten": (
            "The heads are forgotten",
            "Each head has weights of its own, and so a score matrix of its own.",
        ),
        "batch-forgotten": (
            "The batch is forgotten",
            "Each item of the batch has score matrices of its own.",
        ),
        "bytes-forgotten": ("Numbers are counted, not bytes", "Each number takes `bytes_per_number` bytes."),
        "bits-for-bytes": ("Bits are counted", "A byte has 8 bits. The argument gives bytes already."),
        "precision-ignored": (
            "Every number is taken to have the same precision",
            "float32 takes 4 bytes and bfloat16 takes 2. The argument `bytes_per_number` says which it is.",
        ),
        "weights-counted": (
            "The weights are counted as well",
            "Softmax does make a second matrix of the same size. The exercise asks for the memory of the scores alone.",
        ),
        "other-unit": ("The result is in kilobytes, megabytes or gigabytes", "The exercise asks for bytes."),
    },
    prompt="Find the memory of the score matrices of a batch, in bytes.",
    points=1,
    difficulty=1,
    minutes=5,
    hints=(
        "The scores are one tensor. What is its shape, with all its axes?",
        "It has as many numbers as the product of its sizes. Each takes bytes_per_number bytes.",
    ),
)
