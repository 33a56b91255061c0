import math

from course_attention.authoring import Misconception
from course_attention.exercises.complexity.counts import count, multiplied, terms
from course_attention.exercises.complexity.words import WORDS


def oracle(batch: int, n_heads: int, n_queries: int, n_keys: int, bytes_per_number: int) -> int:
    """Return the size of an array of that shape."""
    return math.prod((batch, n_heads, n_queries, n_keys)) * bytes_per_number


EXERCISE = count(
    "score_bytes",
    oracle,
    unit="bytes",
    arguments={
        "batch": (32, 3),
        "n_heads": (16, 3),
        "n_queries": (1000, 5),
        "n_keys": (4096, 5),
        "bytes_per_number": (2, 4),
    },
    words=WORDS,
    misconceptions={
        "linear-in-length": terms(
            lambda b, h, q, k, size: b * h * q * size,
            lambda b, h, q, k, size: b * h * k * size,
            lambda b, h, q, k, size: b * h * (q + k) * size,
        ),
        "queries-for-keys": terms(
            lambda b, h, q, k, size: b * h * q**2 * size, lambda b, h, q, k, size: b * h * k**2 * size
        ),
        "heads-forgotten": Misconception(
            "The heads are forgotten",
            "Each head has weights of its own, and so a score matrix of its own.",
            terms(lambda b, h, q, k, size: b * q * k * size, lambda b, h, q, k, size: q * k * size),
        ),
        "batch-forgotten": Misconception(
            "The batch is forgotten",
            "Each item of the batch has score matrices of its own.",
            terms(lambda b, h, q, k, size: h * q * k * size),
        ),
        "bytes-forgotten": Misconception(
            "Numbers are counted, not bytes",
            "Each number takes `bytes_per_number` bytes.",
            terms(lambda b, h, q, k, size: b * h * q * k),
        ),
        "bits-for-bytes": Misconception(
            "Bits and bytes are mixed up",
            "A byte has 8 bits. The argument gives bytes already, and bytes are asked for, so there is no 8 here.",
            (*multiplied(oracle, 8, 1 / 8), lambda **sizes: oracle(**sizes) // 8),
        ),
        "precision-ignored": Misconception(
            "Every number is taken to have the same precision",
            "float32 takes 4 bytes and bfloat16 takes 2. The argument `bytes_per_number` says which it is.",
            tuple(
                lambda batch, n_heads, n_queries, n_keys, bytes_per_number, always=always: (
                    batch * n_heads * n_queries * n_keys * always
                )
                for always in (4, 8)
            ),
        ),
        "sizes-added": Misconception(
            "Batch and heads are added",
            "Each item of the batch has a score matrix for each head, so there are batch · n_heads of them.",
            terms(lambda b, h, q, k, size: (b + h) * q * k * size),
        ),
        "half-of-the-pairs": (*multiplied(oracle, 1 / 2), lambda **sizes: oracle(**sizes) // 2),
        "weights-counted": Misconception(
            "The weights are counted as well",
            "Softmax does make a second matrix of the same size. The exercise asks for the memory of the scores alone.",
            multiplied(oracle, 2),
        ),
        "other-unit": Misconception(
            "The result is in kilobytes, megabytes or gigabytes",
            "The exercise asks for bytes.",
            (
                *multiplied(oracle, *(unit**-power for unit in (1000, 1024) for power in (1, 2, 3))),
                # Whole kilobytes; in whole megabytes nearly all cases come to 0, which says nothing of the answer.
                lambda **sizes: oracle(**sizes) // 1000,
                lambda **sizes: oracle(**sizes) // 1024,
            ),
        ),
    },
    prompt="Find the memory of the score matrices of a batch, in bytes.",
    points=1,
    difficulty=1,
    minutes=3,
    hints=(
        "The scores are one tensor. What is its shape, with all its axes?",
        "It has as many numbers as the product of its sizes. Each takes bytes_per_number bytes.",
    ),
)
