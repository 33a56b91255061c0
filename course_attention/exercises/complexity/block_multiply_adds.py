from collections.abc import Callable

from course_attention.authoring import Misconception
from course_attention.exercises.complexity.counts import count, multiplied, product, terms
from course_attention.exercises.complexity.words import WORDS


def oracle(n_tokens: int, d_model: int, d_hidden: int) -> int:
    """Four projections, two products for all pairs, and two layers."""
    projections = 4 * product(n_tokens, d_model, d_model)
    pairs = product(n_tokens, d_model, n_tokens) + product(n_tokens, n_tokens, d_model)
    return projections + pairs + product(n_tokens, d_model, d_hidden) + product(n_tokens, d_hidden, d_model)


def _terms(projections: float = 4, pairs: float = 2, layers: float = 2) -> Callable[..., float]:
    """Return the right count with so many of each kind of product."""

    def counted(n_tokens: int, d_model: int, d_hidden: int) -> float:
        of_one_token = projections * d_model**2 + layers * d_model * d_hidden
        return n_tokens * of_one_token + pairs * n_tokens**2 * d_model

    return counted


EXERCISE = count(
    "block_multiply_adds",
    oracle,
    arguments={"n_tokens": (1000, 6), "d_model": (512, 6), "d_hidden": (2048, 6)},
    words=WORDS,
    misconceptions={
        "projections-forgotten": Misconception(
            "The projections of attention are forgotten",
            "Before the scores there are queries, keys and values, and after the mixing there is W_O.",
            (_terms(projections=0),),
        ),
        "projection-missing": Misconception(
            "Not all four projections are counted",
            "Multi-head attention has four matrices: W_Q, W_K and W_V, and W_O after the heads. All heads"
            " together have d_model channels, so each matrix is d_model × d_model.",
            (_terms(projections=3), _terms(projections=2), _terms(projections=1)),
        ),
        "pairs-forgotten": Misconception(
            "Only the work for single tokens is counted",
            "Every token meets every token, in the scores and in the mixing.",
            (_terms(pairs=0),),
        ),
        "scores-only": (_terms(pairs=1),),
        "feed-forward-forgotten": Misconception(
            "The feed-forward network is forgotten",
            "A block has two parts: attention, and two dense layers that each token goes through by itself.",
            (_terms(layers=0),),
        ),
        "feed-forward-once": Misconception(
            "Only one layer of the feed-forward network is counted",
            "The network has two dense layers: one from d_model to d_hidden, and one from there back to d_model.",
            (_terms(layers=1),),
        ),
        "linear-in-length": terms(lambda n, d, h: n * d * (4 * d + 2 + 2 * h)),
        "pairs-of-channels": Misconception(
            "n_tokens and d_model are swapped in the work for pairs",
            "There are n_tokens² pairs of tokens. For each pair the scores of all heads together have "
            "d_model terms. The mixing takes as much work again.",
            (_terms(projections=6, pairs=0),),
        ),
        "hidden-width-assumed": Misconception(
            "The feed-forward network is taken to be four times as wide as the tokens",
            "In many models d_hidden is 4 · d_model. Here it is an argument of its own, and may be any number.",
            (lambda n_tokens, d_model, **_: oracle(n_tokens, d_model, 4 * d_model),),
        ),
        "hidden-squared": Misconception(
            "A layer of the feed-forward network is counted as d_hidden × d_hidden",
            "The first layer has a matrix of d_model × d_hidden and the second one of d_hidden × d_model."
            " None of them has d_hidden on both sides.",
            terms(
                lambda n, d, h: oracle(n, d, h) + n * h * (h - d),
                lambda n, d, h: oracle(n, d, h) + 2 * n * h * (h - d),
                lambda n, d, h: oracle(n, d, h) + n * h * (h - 2 * d),
            ),
        ),
        "length-forgotten": terms(
            lambda n, d, h: oracle(n, d, h) / n, lambda n, d, h: 4 * d**2 + 2 * n**2 * d + 2 * d * h
        ),
        "part-for-one-token": Misconception(
            "A part of the work is counted for a single token",
            "Every token goes through the four projections and through both layers of the feed-forward network.",
            terms(
                lambda n, d, h: oracle(n, d, h) - (n - 1) * 2 * d * h,
                lambda n, d, h: oracle(n, d, h) - (n - 1) * 4 * d**2,
            ),
        ),
        "additions-counted": Misconception(
            "The sums with the inputs are counted",
            "Both parts are added to their inputs, one number to another. Only products of matrices count here.",
            terms(lambda n, d, h: oracle(n, d, h) + 2 * n * d, lambda n, d, h: oracle(n, d, h) + n * d),
        ),
        "decoder-block": Misconception(
            "Attention is counted twice",
            "A decoder block has two attentions. The block of this exercise has one.",
            terms(lambda n, d, h: oracle(n, d, h) + 4 * n * d**2 + 2 * n**2 * d),
        ),
        "third-product-of-pairs": Misconception(
            "Three products are counted for the pairs of tokens",
            "There are two, the scores and the mixing. W_O takes each token by itself, and is one of the projections.",
            (_terms(pairs=3), _terms(projections=3, pairs=3)),
        ),
        "feed-forward-over-pairs": Misconception(
            "The feed-forward network is counted for each pair of tokens",
            "Each token goes through it by itself, so its work grows with n_tokens, and not with the square.",
            terms(lambda n, d, h: oracle(n, d, h) + 2 * (n - 1) * n * d * h),
        ),
        "feed-forward-sizes-added": Misconception(
            "The sizes of the feed-forward network are added",
            "A layer from d_model to d_hidden has a weight for each pair of a number that comes in and one that "
            "goes out.",
            terms(
                lambda n, d, h: oracle(n, d, h) + n * (d + h) - 2 * n * d * h,
                lambda n, d, h: oracle(n, d, h) + 2 * n * (d + h) - 2 * n * d * h,
            ),
        ),
        "biases-counted": terms(
            lambda n, d, h: oracle(n, d, h) + n * (d + h),
            lambda n, d, h: oracle(n, d, h) + n * (5 * d + h),
            lambda n, d, h: oracle(n, d, h) + n * h,
        ),
        "counted-twice": multiplied(oracle, 2),
    },
    prompt="Count the multiply–adds of an encoder block.",
    points=3,
    difficulty=2,
    minutes=12,
    hints=(
        "List every product of matrices in the block: four projections, two products for the pairs, two dense layers.",
        "All heads together have d_model channels, so the number of heads does not matter.",
        "The projections take 4 · n · d_model² multiply–adds. Count the other four products in the same way.",
    ),
)
