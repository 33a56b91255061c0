from functools import partial

import numpy as np

from course_attention.authoring import Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.variants import each
from course_attention.exercises.positions.angles import bottom_right, offsets_of
from course_attention.exercises.positions.words import WORDS


def oracle(n_heads: int, n_queries: int, n_keys: int) -> np.ndarray:
    """−slope · distance."""
    bias = np.empty((n_heads, n_queries, n_keys))
    for h, i, j in np.ndindex(bias.shape):
        bias[h, i, j] = 0.0 - 2.0 ** (-8 * (h + 1) / n_heads) * abs(i - j)
    return bias


def _alibi(n_heads, n_queries, n_keys, offsets=offsets_of, distance=np.abs, exponent=lambda h, n: -8 * h / n):
    slopes = 2.0 ** exponent(np.arange(1, n_heads + 1), n_heads)
    return -slopes[:, None, None] * distance(offsets(n_queries, n_keys))


def _slopes(n_heads: int) -> np.ndarray:
    return 8 * np.arange(1, n_heads + 1)[:, None, None] / n_heads


def noise(n_heads, n_queries, n_keys) -> tuple[float]:
    return (1.0 + max(n_queries, n_keys),)


def cases(draw: Draw) -> list[Case]:
    """Made of numbers alone: one head to many, more queries than keys and fewer."""

    def case(n_heads: int, n_queries: int, n_keys: int, property=properties.VALUES) -> Case:
        heads = "1 head" if n_heads == 1 else f"{n_heads} heads"
        return Case(
            f"{heads}, {n_queries} queries, {n_keys} keys",
            property,
            {"n_heads": n_heads, "n_queries": n_queries, "n_keys": n_keys},
        )

    sizes = ((2, 2, 3), (1, 3, 3), (4, 3, 5), (8, 4, 2), (4, 4, 4), (16, 3, 2), (2, 1, 1), (2, 7, 3))
    return [*(case(*size) for size in sizes), case(2, 2, 257, properties.LONG_SEQUENCES)]


EXERCISE = FunctionExercise(
    name="alibi_bias",
    prompt="Penalise distance, each head by its own slope: −slope_h · |i − j|.",
    points=1,
    difficulty=2,
    minutes=8,
    hints=(
        "Distances make one matrix (n_queries, n_keys), slopes one vector (n_heads,).",
        "Give the slopes two more axes, so that they broadcast to (n_heads, n_queries, n_keys).",
        "h counts from 1: for 8 heads the slopes are ½, ¼, … 1/256.",
    ),
    returns=Returns(names=("bias",), from_sizes_only=True, axes=("n_heads, n_queries, n_keys",)),
    oracle=oracle,
    cases=cases,
    weights={properties.LONG_SEQUENCES: 0.5},
    mutant_inputs={"n_heads": lambda inputs: 2 ** inputs.whole(0, 5)},
    noise=noise,
    words=WORDS,
    misconceptions={
        "alibi-sign": Misconception(
            "Distance is rewarded",
            "The bias is a penalty: 0 at the query's own position, and the more negative the farther away.",
            (lambda n_heads, n_queries, n_keys: -_alibi(n_heads, n_queries, n_keys),),
        ),
        "alibi-exponent": Misconception(
            "The heads are counted from 0",
            "Counted from 1, the first slope is 2^(−8/n_heads) and the last 2^(−8). Counted from 0, the "
            "first would be 1.",
            (partial(_alibi, exponent=lambda h, n: -8 * (h - 1) / n),),
        ),
        "alibi-not-absolute": Misconception(
            "The distance has a sign",
            "Keys on one side are rewarded for being far away. A distance is never negative.",
            each(_alibi, "distance", lambda j: -j, lambda j: j),
        ),
        "alibi-past-only": Misconception(
            "Keys to the right get no penalty of their own",
            "The bias depends on |i − j| on both sides. What a query may not see is up to the mask, not to the bias.",
            each(_alibi, "distance", lambda j: np.maximum(-j, 0), lambda j: np.where(j > 0, np.inf, -j)),
        ),
        "alibi-slopes-fixed": Misconception(
            "The slopes do not depend on the number of heads",
            "The exponents go from 8/n_heads to 8 in equal steps. Steps of 1 are right for 8 heads only.",
            (partial(_alibi, exponent=lambda h, n: -1.0 * h),),
        ),
        "alibi-slope-not-a-power": Misconception(
            "The exponent is used as the slope",
            "The slope is 2 to the power of −8h/n_heads: positive, and at most 1.",
            (
                lambda n_heads, n_queries, n_keys: -_slopes(n_heads) * np.abs(offsets_of(n_queries, n_keys)),
                lambda n_heads, n_queries, n_keys: _slopes(n_heads) * np.abs(offsets_of(n_queries, n_keys)),
            ),
        ),
        "bias-bottom-right": (partial(_alibi, offsets=bottom_right),),
        "heads-last": (lambda n_heads, n_queries, n_keys: np.moveaxis(_alibi(n_heads, n_queries, n_keys), 0, -1),),
    },
)
