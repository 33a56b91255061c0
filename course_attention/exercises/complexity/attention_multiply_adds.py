"""The exercise `attention_multiply_adds`: oracle, cases and misconceptions."""

from __future__ import annotations

from course_attention.exercises.complexity.common import attention_oracle, count, multiplied
from course_attention.exercises.complexity.words import WORDS

# The computation in a few lines, each part exchangeable for a wrong one.


def _added_apart(n_queries: int, n_keys: int, d_key: int, d_value: int) -> int:
    """A sum of d terms as d multiplications and d − 1 additions."""
    return n_queries * n_keys * (2 * d_key - 1) + n_queries * d_value * (2 * n_keys - 1)


EXERCISE = count(
    "attention_multiply_adds",
    attention_oracle,
    arguments={"n_queries": (1000, 6), "n_keys": (2048, 6), "d_key": (64, 4), "d_value": (128, 4)},
    variants={
        "scores-only": (lambda n_queries, n_keys, d_key, d_value: n_queries * n_keys * d_key,),
        "mixing-only": (lambda n_queries, n_keys, d_key, d_value: n_queries * n_keys * d_value,),
        "linear-in-length": (
            lambda n_queries, n_keys, d_key, d_value: n_queries * (d_key + d_value),
            lambda n_queries, n_keys, d_key, d_value: n_keys * (d_key + d_value),
            lambda n_queries, n_keys, d_key, d_value: (n_queries + n_keys) * (d_key + d_value),
            lambda n_queries, n_keys, d_key, d_value: n_queries * d_key + n_keys * d_value,
            lambda n_queries, n_keys, d_key, d_value: (n_queries + n_keys) * d_key + n_keys * d_value,
        ),
        "queries-for-keys": (
            lambda n_queries, n_keys, d_key, d_value: n_queries**2 * (d_key + d_value),
            lambda n_queries, n_keys, d_key, d_value: n_keys**2 * (d_key + d_value),
        ),
        "sizes-multiplied": (
            lambda n_queries, n_keys, d_key, d_value: n_queries * n_keys * d_key * d_value,
            lambda n_queries, n_keys, d_key, d_value: (n_queries * n_keys) ** 2 * d_key * d_value,
        ),
        "softmax-counted": tuple(
            lambda n_queries, n_keys, d_key, d_value, more=more: n_queries * n_keys * (d_key + d_value + more)
            for more in (1, 2, 3, 4, 5)
        ),
        "counted-twice": (*multiplied(attention_oracle, 2), _added_apart),
        "parentheses-forgotten": (
            lambda n_queries, n_keys, d_key, d_value: n_queries * n_keys * d_key + d_value,
        ),
        "one-width": (
            lambda n_queries, n_keys, d_key, d_value: 2 * n_queries * n_keys * d_key,
            lambda n_queries, n_keys, d_key, d_value: 2 * n_queries * n_keys * d_value,
        ),
        "half-of-the-pairs": (
            lambda n_queries, n_keys, d_key, d_value: n_queries * (n_keys + 1) / 2 * (d_key + d_value),
            lambda n_queries, n_keys, d_key, d_value: n_queries * n_keys / 2 * (d_key + d_value),
        ),
    },
    words=WORDS
    | {
        "sizes-multiplied": (
            "The two products are multiplied, not added",
            "One product is done after the other, so their costs add up. d_key and d_value never meet.",
        ),
        "softmax-counted": (
            "Scale and softmax are counted as well",
            "They take a few operations for each score, but there are no products of matrices in "
            "them. Only those are counted here: each multiply–add of them is a term of a dot product.",
        ),
    },
    prompt="Count the multiply–adds of the two products in attention.",
    points=2,
    difficulty=1,
    minutes=5,
    hints=(
        "How many scores are there? How many terms does each of them have?",
        "The output has n_queries rows and d_value columns. Each number in it is a sum: over what?",
        "A product of (a, b) with (b, c) takes a · b · c multiply–adds. Do this for QKᵀ and for weights @ V, and "
        "add the two.",
    ),
)
