"""The exercise `dense_multiply_adds`: oracle, cases and misconceptions."""

from __future__ import annotations

from course_attention.exercises.complexity.common import count, multiplied, product
from course_attention.exercises.complexity.words import WORDS


def oracle(n_tokens: int, d_in: int, d_out: int) -> int:
    """The sequence as a single row."""
    return product(1, n_tokens * d_in, n_tokens * d_out)


EXERCISE = count(
    "dense_multiply_adds",
    oracle,
    arguments={"n_tokens": (1000, 6), "d_in": (64, 6), "d_out": (128, 6)},
    variants={
        "linear-in-length": (lambda n_tokens, d_in, d_out: n_tokens * d_in * d_out,),
        "length-forgotten": (lambda n_tokens, d_in, d_out: d_in * d_out,),
        "channels-not-crossed": (
            lambda n_tokens, d_in, d_out: n_tokens**2,
            lambda n_tokens, d_in, d_out: n_tokens**2 * d_in,
            lambda n_tokens, d_in, d_out: n_tokens**2 * d_out,
        ),
        "sizes-added": (
            lambda n_tokens, d_in, d_out: n_tokens * d_in + n_tokens * d_out,
            lambda n_tokens, d_in, d_out: n_tokens**2 * (d_in + d_out),
        ),
        "counted-twice": multiplied(oracle, 2),
        "biases-counted": (
            lambda n_tokens, d_in, d_out: n_tokens * d_out * (n_tokens * d_in + 1),
            lambda n_tokens, d_in, d_out: n_tokens**2 * d_in * d_out + d_out,
        ),
        "one-width": (
            lambda n_tokens, d_in, d_out: (n_tokens * d_in) ** 2,
            lambda n_tokens, d_in, d_out: (n_tokens * d_out) ** 2,
        ),
    },
    words=WORDS,
    prompt="Count the multiply–adds of a dense layer from the whole sequence to the whole sequence.",
    points=1,
    difficulty=1,
    minutes=5,
    hints=(
        "Laid out in one row, the sequence has n_tokens · d_in numbers. How many does the result have?",
        "A dense layer has a weight for every pair of a number that comes in and one that goes out, and uses each "
        "of them once.",
    ),
)
