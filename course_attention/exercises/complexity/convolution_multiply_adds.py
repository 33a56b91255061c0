"""The exercise `convolution_multiply_adds`: oracle, cases and misconceptions."""

from __future__ import annotations

from course_attention.exercises.complexity.common import count, multiplied, product
from course_attention.exercises.complexity.words import WORDS

# The right computation, one number at a time.


def oracle(n_tokens: int, kernel_size: int, d_in: int, d_out: int) -> int:
    """At each place of the kernel the whole sequence goes through a matrix."""
    return sum(product(n_tokens, d_in, d_out) for _ in range(kernel_size))


# The computation in a few lines, each part exchangeable for a wrong one.


def _within(n_tokens: int, kernel_size: int, d_in: int, d_out: int) -> int:
    """The kernel's places that lie on tokens, over all outputs."""
    inside = sum(
        0 <= i + t - kernel_size // 2 < n_tokens for i in range(n_tokens) for t in range(kernel_size)
    )
    return inside * d_in * d_out


EXERCISE = count(
    "convolution_multiply_adds",
    oracle,
    arguments={"n_tokens": (4096, 6), "kernel_size": (5, 3), "d_in": (512, 6), "d_out": (256, 6)},
    variants={
        "kernel-forgotten": (lambda n_tokens, kernel_size, d_in, d_out: n_tokens * d_in * d_out,),
        "kernel-squared": (
            lambda n_tokens, kernel_size, d_in, d_out: n_tokens * kernel_size**2 * d_in * d_out,
        ),
        "channels-not-crossed": (
            lambda n_tokens, kernel_size, d_in, d_out: n_tokens * kernel_size * d_in,
            lambda n_tokens, kernel_size, d_in, d_out: n_tokens * kernel_size * d_out,
            lambda n_tokens, kernel_size, d_in, d_out: n_tokens * kernel_size,
            lambda n_tokens, kernel_size, d_in, d_out: n_tokens * kernel_size * (d_in + d_out),
        ),
        "no-padding": (
            lambda n_tokens, kernel_size, d_in, d_out: (
                (n_tokens - kernel_size + 1) * kernel_size * d_in * d_out
            ),
            lambda n_tokens, kernel_size, d_in, d_out: (
                max(0, n_tokens - kernel_size + 1) * kernel_size * d_in * d_out
            ),
        ),
        "zeros-not-counted": (_within,),
        "length-forgotten": (lambda n_tokens, kernel_size, d_in, d_out: kernel_size * d_in * d_out,),
        "counted-twice": multiplied(oracle, 2),
        "quadratic-in-length": (
            lambda n_tokens, kernel_size, d_in, d_out: n_tokens**2 * d_in * d_out,
            lambda n_tokens, kernel_size, d_in, d_out: n_tokens**2 * kernel_size * d_in * d_out,
        ),
        "biases-counted": (
            lambda n_tokens, kernel_size, d_in, d_out: n_tokens * d_out * (kernel_size * d_in + 1),
        ),
        "one-width": (
            lambda n_tokens, kernel_size, d_in, d_out: n_tokens * kernel_size * d_in**2,
            lambda n_tokens, kernel_size, d_in, d_out: n_tokens * kernel_size * d_out**2,
        ),
    },
    words=WORDS
    | {
        "kernel-forgotten": (
            "The kernel's size is forgotten",
            "Each output is a sum over all the tokens in the kernel.",
        ),
        "kernel-squared": (
            "The kernel is counted as a square",
            "Along a sequence the kernel is a row of `kernel_size` tokens. In an image it would be a square.",
        ),
        "no-padding": (
            "Only outputs whose kernel fits within the sequence are counted",
            "Beyond the ends there are zeros, so that every token has an output: n_tokens of them.",
        ),
        "zeros-not-counted": (
            "Products with the zeros beyond the ends are left out",
            "They could be saved. The layer pads the sequence and multiplies all the same, and so "
            "does the count here.",
        ),
    },
    prompt="Count the multiply–adds of a convolution along a sequence, with zeros beyond its ends.",
    points=1,
    difficulty=1,
    minutes=5,
    hints=(
        "One channel of one output token is a sum. Over which numbers?",
        "The kernel lies over `kernel_size` tokens of d_in channels each: so many terms has each sum.",
        "There are n_tokens · d_out sums. The zeros beyond the ends are multiplied like any other number.",
    ),
)
