from collections.abc import Callable

from course_attention.authoring import Misconception
from course_attention.exercises.complexity.counts import count, multiplied, self_attention_oracle, terms
from course_attention.exercises.complexity.words import WORDS


def _projected(*widths: Callable[[int, int], int]) -> tuple[Callable[..., float], ...]:
    """Return counts with other projections than the three: so many columns in all, given d_key and d_value."""
    return terms(*(lambda n, m, k, v, width=width: n * m * width(k, v) + n**2 * (k + v) for width in widths))


EXERCISE = count(
    "self_attention_multiply_adds",
    self_attention_oracle,
    arguments={"n_tokens": (4096, 6), "d_model": (512, 6), "d_key": (64, 6), "d_value": (128, 6)},
    words=WORDS,
    misconceptions={
        "projections-forgotten": Misconception(
            "The projections are forgotten",
            "Before any pair meets, each token is multiplied with three matrices. In short sequences this"
            " is most of the work.",
            terms(lambda n, m, k, v: n**2 * (k + v), lambda n, m, k, v: n**2 * k, lambda n, m, k, v: n**2 * m),
        ),
        "projections-only": Misconception(
            "Only the projections are counted",
            "Making queries, keys and values is the first half. The scores and the mixing come after it.",
            terms(lambda n, m, k, v: n * m * (2 * k + v)),
        ),
        "projection-missing": _projected(lambda k, v: k + v, lambda k, v: 2 * k, lambda k, v: k, lambda k, v: v),
        "output-projection-counted": (
            *_projected(lambda k, v: 2 * k + 2 * v),
            *terms(lambda n, m, k, v: self_attention_oracle(n, m, k, v) + n * m**2),
        ),
        "channels-for-keys": Misconception(
            "A token is compared with d_model keys",
            "In self-attention the keys come from the same tokens as the queries, so there are n_tokens of each.",
            terms(lambda n, m, k, v: n * m * (2 * k + v) + n * m * (k + v)),
        ),
        "attention-in-d-model": Misconception(
            "Scores and mixing are counted with d_model",
            "After the projections, queries and keys have d_key channels, and values d_value.",
            terms(
                lambda n, m, k, v: n * m * (2 * k + v) + 2 * n**2 * m, lambda n, m, k, v: n * m * (2 * k + v) + n**2 * m
            ),
        ),
        "projections-for-pairs": Misconception(
            "The projections are counted for each pair of tokens",
            "A projection makes one vector of one token, whatever the others are: there are n_tokens of them.",
            terms(lambda n, m, k, v: n**2 * (m * (2 * k + v) + k + v)),
        ),
        "projections-counted-twice": Misconception(
            "The projections are counted twice",
            "Each multiply–add counts once, in the projections as in the scores and in the mixing.",
            terms(lambda n, m, k, v: 2 * n * m * (2 * k + v) + n**2 * (k + v)),
        ),
        "attention-three-times": Misconception(
            "Attention is counted once for each projection",
            "Queries, keys and values are used together: one product gives the scores, and one mixes the values.",
            terms(
                lambda n, m, k, v: 3 * n * m * k + 3 * n**2 * (k + v),
                lambda n, m, k, v: n * m * (2 * k + v) + 3 * n**2 * (k + v),
            ),
        ),
        "projections-once": Misconception(
            "The projections are counted for a single token",
            "Their matrices have d_model · (2·d_key + d_value) numbers, and every token is multiplied "
            "with all of them.",
            terms(lambda n, m, k, v: m * (2 * k + v) + n**2 * (k + v)),
        ),
        "scores-only": terms(lambda n, m, k, v: n * m * (2 * k + v) + n**2 * k),
        "linear-in-length": terms(lambda n, m, k, v: n * m * (2 * k + v) + n * (k + v)),
        "mixing-only": terms(lambda n, m, k, v: n * m * (2 * k + v) + n**2 * v),
        "counted-twice": multiplied(self_attention_oracle, 2),
        "biases-counted": terms(lambda n, m, k, v: n * (2 * k + v) + self_attention_oracle(n, m, k, v)),
        "one-width": (
            *_projected(lambda k, v: 3 * k),
            *_projected(lambda k, v: k + 2 * v),
            *terms(lambda n, m, k, v: self_attention_oracle(n, m, k, k)),
        ),
        "square-projections": terms(
            lambda n, m, k, v: 3 * n * m**2 + n**2 * (k + v),
            lambda n, m, k, v: self_attention_oracle(n, m, m, m),
        ),
        "parentheses-forgotten": terms(
            lambda n, m, k, v: n * m * 2 * k + v + n**2 * (k + v),
            lambda n, m, k, v: n * m * 2 * k + v + n**2 * k + v,
        ),
    },
    prompt="Count the multiply–adds of self-attention with one head: three projections, then attention.",
    points=2,
    difficulty=1,
    minutes=6,
    hints=(
        "Five products of matrices in all. Write down the shapes of each.",
        "X is (n_tokens, d_model). W_Q and W_K are (d_model, d_key), W_V is (d_model, d_value).",
        "The two products that remain you have counted already: `attention_multiply_adds`, with as many keys as "
        "queries.",
    ),
)
