"""The exercise `self_attention_multiply_adds`: oracle, cases and misconceptions."""

from __future__ import annotations

from collections.abc import Callable

from course_attention.exercises.complexity.common import (
    attention_oracle,
    count,
    multiplied,
    self_attention_oracle,
)
from course_attention.exercises.complexity.words import WORDS

# The computation in a few lines, each part exchangeable for a wrong one.


def _projected(*columns: Callable[[int, int], int], mixing: bool = True) -> Callable[..., int]:
    """Self-attention with other projections than the three: what each has for columns, given d_key and d_value."""

    def count(n_tokens: int, d_model: int, d_key: int, d_value: int) -> int:
        wide = sum(column(d_key, d_value) for column in columns)
        pairs = attention_oracle(n_tokens, n_tokens, d_key, d_value) if mixing else 0
        return n_tokens * d_model * wide + pairs

    return count


def _key(d_key: int, d_value: int) -> int:
    return d_key


def _value(d_key: int, d_value: int) -> int:
    return d_value


EXERCISE = count(
    "self_attention_multiply_adds",
    self_attention_oracle,
    arguments={"n_tokens": (4096, 6), "d_model": (512, 6), "d_key": (64, 6), "d_value": (128, 6)},
    variants={
        "projections-forgotten": (
            lambda n_tokens, d_model, d_key, d_value: n_tokens**2 * (d_key + d_value),
            lambda n_tokens, d_model, d_key, d_value: n_tokens**2 * d_key,
            lambda n_tokens, d_model, d_key, d_value: n_tokens**2 * d_model,
        ),
        "projections-only": (_projected(_key, _key, _value, mixing=False),),
        "projection-missing": (
            _projected(_key, _value),
            _projected(_key, _key),
            _projected(_key),
            _projected(_value),
        ),
        "output-projection-counted": (
            _projected(_key, _key, _value, _value),
            lambda n_tokens, d_model, d_key, d_value: (
                self_attention_oracle(n_tokens, d_model, d_key, d_value) + n_tokens * d_model**2
            ),
        ),
        "projections-once": (
            lambda n_tokens, d_model, d_key, d_value: (
                d_model * (2 * d_key + d_value) + n_tokens**2 * (d_key + d_value)
            ),
        ),
        "scores-only": (
            lambda n_tokens, d_model, d_key, d_value: (
                n_tokens * d_model * (2 * d_key + d_value) + n_tokens**2 * d_key
            ),
        ),
        "linear-in-length": (
            lambda n_tokens, d_model, d_key, d_value: (
                n_tokens * d_model * (2 * d_key + d_value) + n_tokens * (d_key + d_value)
            ),
        ),
        "mixing-only": (
            lambda n_tokens, d_model, d_key, d_value: (
                n_tokens * d_model * (2 * d_key + d_value) + n_tokens**2 * d_value
            ),
        ),
        "counted-twice": multiplied(self_attention_oracle, 2),
        "biases-counted": (
            lambda n_tokens, d_model, d_key, d_value: (
                n_tokens * (2 * d_key + d_value) + self_attention_oracle(n_tokens, d_model, d_key, d_value)
            ),
        ),
        "one-width": (
            _projected(_key, _key, _key),
            lambda n_tokens, d_model, d_key, d_value: self_attention_oracle(n_tokens, d_model, d_key, d_key),
        ),
        "square-projections": (
            lambda n_tokens, d_model, d_key, d_value: (
                3 * n_tokens * d_model**2 + n_tokens**2 * (d_key + d_value)
            ),
            lambda n_tokens, d_model, d_key, d_value: self_attention_oracle(
                n_tokens, d_model, d_model, d_model
            ),
        ),
        "parentheses-forgotten": (
            lambda n_tokens, d_model, d_key, d_value: (
                n_tokens * d_model * 2 * d_key + d_value + n_tokens**2 * (d_key + d_value)
            ),
            lambda n_tokens, d_model, d_key, d_value: (
                n_tokens * d_model * 2 * d_key + d_value + n_tokens**2 * d_key + d_value
            ),
        ),
    },
    words=WORDS
    | {
        "projections-forgotten": (
            "The projections are forgotten",
            "Before any pair meets, each token is multiplied with three matrices. In short sequences "
            "this is most of the work.",
        ),
        "projections-only": (
            "Only the projections are counted",
            "Making queries, keys and values is the first half. The scores and the mixing come after it.",
        ),
        "projections-once": (
            "The projections are counted for a single token",
            "Their matrices have d_model · (2·d_key + d_value) numbers, and every token is "
            "multiplied with all of them.",
        ),
    },
    prompt="Count the multiply–adds of self-attention with one head: three projections, then attention.",
    points=2,
    difficulty=1,
    minutes=10,
    hints=(
        "Five products of matrices in all. Write down the shapes of each.",
        "X is (n_tokens, d_model). W_Q and W_K are (d_model, d_key), W_V is (d_model, d_value).",
        "The two products that remain you have counted already: `attention_multiply_adds`, with as many keys as "
        "queries.",
    ),
)
