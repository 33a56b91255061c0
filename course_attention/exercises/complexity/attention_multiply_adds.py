from course_attention.authoring import Misconception
from course_attention.exercises.complexity.counts import attention_oracle, count, multiplied, terms
from course_attention.exercises.complexity.words import WORDS


def _added_apart(n_queries: int, n_keys: int, d_key: int, d_value: int) -> int:
    """Count a sum of d terms as d multiplications and d − 1 additions."""
    return n_queries * n_keys * (2 * d_key - 1) + n_queries * d_value * (2 * n_keys - 1)


EXERCISE = count(
    "attention_multiply_adds",
    attention_oracle,
    arguments={"n_queries": (1000, 6), "n_keys": (2048, 6), "d_key": (64, 4), "d_value": (128, 4)},
    words=WORDS,
    misconceptions={
        "scores-only": terms(lambda q, k, d, v: q * k * d),
        "mixing-only": terms(lambda q, k, d, v: q * k * v),
        "linear-in-length": terms(
            lambda q, k, d, v: q * (d + v),
            lambda q, k, d, v: k * (d + v),
            lambda q, k, d, v: (q + k) * (d + v),
            lambda q, k, d, v: q * d + k * v,
            lambda q, k, d, v: (q + k) * d + k * v,
        ),
        "mixing-miscounted": Misconception(
            "The scores are counted rightly, and the mixing is not",
            "The weights have the shape (n_queries, n_keys), and the values (n_keys, d_value). How many "
            "multiply–adds does "
            "a product of these two take?",
            terms(
                lambda q, k, d, v: q * k * d + q * v,
                lambda q, k, d, v: q * k * d + k * v,
                lambda q, k, d, v: q * k * d + q * k,
                lambda q, k, d, v: q * k * d + k * d * v,
                lambda q, k, d, v: q * k * d + q * d * v,
                lambda q, k, d, v: q * k * d + q * k * k * v,
            ),
        ),
        "results-counted": Misconception(
            "The numbers of the results are counted, and not the terms of each",
            "Each number of a product of matrices is a sum, and each term of the sum takes a multiply–add.",
            terms(lambda q, k, d, v: q * k + q * v),
        ),
        "additions-only": terms(lambda q, k, d, v: q * k * (d - 1) + q * v * (k - 1)),
        "queries-for-keys": terms(lambda q, k, d, v: q**2 * (d + v), lambda q, k, d, v: k**2 * (d + v)),
        "sizes-multiplied": Misconception(
            "The two products are multiplied, not added",
            "One product is done after the other, so their costs add up. d_key and d_value never meet.",
            terms(lambda q, k, d, v: q * k * d * v, lambda q, k, d, v: (q * k) ** 2 * d * v),
        ),
        "softmax-counted": Misconception(
            "Scale and softmax are counted as well",
            "They take a few operations for each score, but there are no products of matrices in them. "
            "Only those are counted here: each multiply–add of them is a term of a dot product.",
            tuple(
                lambda n_queries, n_keys, d_key, d_value, more=more: n_queries * n_keys * (d_key + d_value + more)
                for more in (1, 2, 3, 4, 5)
            ),
        ),
        "counted-twice": (*multiplied(attention_oracle, 2), _added_apart),
        "parentheses-forgotten": terms(lambda q, k, d, v: q * k * d + v),
        "one-width": terms(lambda q, k, d, v: 2 * q * k * d, lambda q, k, d, v: 2 * q * k * v),
        "half-of-the-pairs": terms(
            lambda q, k, d, v: q * (k + 1) / 2 * (d + v), lambda q, k, d, v: q * k / 2 * (d + v)
        ),
    },
    prompt="Count the multiply–adds of the two products in attention.",
    points=1,
    difficulty=1,
    minutes=3,
    hints=(
        "How many scores are there? How many terms does each of them have?",
        "The output has n_queries rows and d_value columns. Each number in it is a sum: over what?",
        "A product of (a, b) with (b, c) takes a · b · c multiply–adds. Do this for QKᵀ and for weights @ V, and "
        "add the two.",
    ),
)
